#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/run.hpp"
#include "atoll/shmem/errors.hpp"
#include "atoll/shmem/program.hpp"
#include "atoll/transport/say.hpp"
#include "atoll/transport/sim/fiber.hpp"

#include <exception>
#include <optional>
#include <unistd.h>
#include <utility>

namespace atl::shmem {
namespace {

class beside_fiber final : public program {
 public:
  void start(const settings& options, const work& first) override {
    stack_.emplace(1);
    scheduler_.emplace(stack_->of(0), [this, options] { run(options); });
    asked_ = &first;
    enter_scheduler();
  }

  void await(const work& asked) override {
    asked_ = &asked;
    enter_scheduler();
  }

  void finish() override {
    asked_ = nullptr;
    run_scheduler();
    current_pe = nullptr;
    if (refusal_) std::rethrow_exception(std::exchange(refusal_, nullptr));
    if (status_ != 0) leave(status_);
  }

  const void* caller() override {
    is_asked_for_caller_ = true;
    scheduler_->suspend();
    return caller_;
  }

  bool is_pe() const override { return true; }

 private:
  void run(const settings& options) noexcept {
    try {
      status_ = join_job(options, [this] { return take_turns(); });
    } catch (...) {
      refusal_ = std::current_exception();
    }
  }

  /// The main task of this PE, which performs the tasks that the program passes. After each task,
  /// the coroutine switches to the stack of the program, and the program runs until it passes the
  /// next task.
  task<> take_turns() {
    pe_ = current_pe;
    while (asked_ != nullptr) {
      const work& asked = *asked_;
      try {
        co_await asked();
      } catch (...) {
        failure_ = std::current_exception();
      }
      scheduler_->suspend();
    }
  }

  /// Switches to the scheduler, until the current task has ended. While the task runs, the
  /// scheduler may switch back to ask for the address of the program's call, which only the
  /// program's stack contains.
  void run_scheduler() {
    scheduler_->resume();
    while (std::exchange(is_asked_for_caller_, false)) {
      caller_ = first_caller_outside();
      scheduler_->resume();
    }
  }

  void enter_scheduler() {
    run_scheduler();
    if (refusal_) std::rethrow_exception(std::exchange(refusal_, nullptr));
    if (scheduler_->ended()) leave(status_);
    current_pe = pe_;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  std::optional<transport::sim::stacks> stack_;
  std::optional<transport::sim::fiber> scheduler_;
  const work* asked_ = nullptr;
  pe* pe_ = nullptr;
  std::exception_ptr failure_;  // exception of the latest task
  std::exception_ptr refusal_;  // exception by which the job failed
  int status_ = 0;
  bool is_asked_for_caller_ = false;
  const void* caller_ = nullptr;
};

}  // namespace

// The `beside_fiber` object is never destroyed, because the process may end while the scheduler's
// stack is still in use.
program& program_beside_fiber() {
  static auto& only = *new beside_fiber;
  return only;
}

void leave(int exit_status) {
  job::flush_output();
  _exit(exit_status);
}

}  // namespace atl::shmem
