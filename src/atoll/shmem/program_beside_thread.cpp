#include "atoll/error.hpp"
#include "atoll/job/bootstrap.hpp"
#include "atoll/run.hpp"
#include "atoll/shmem/program.hpp"
#include "atoll/task.hpp"
#include "atoll/task/mailbox.hpp"

#include <atomic>
#include <exception>
#include <thread>
#include <utility>

namespace atl::shmem {
namespace {

/// A task that a thread of the program passes to the PE. The thread waits until the task has ended.
struct request {
  const program::work& asked;
  std::exception_ptr failure = nullptr;
  std::atomic<int> is_done{0};

  void wait() {
    is_done.wait(0);
    if (failure) std::rethrow_exception(failure);
  }
  void complete() {
    is_done.store(1);
    is_done.notify_one();
  }
};

task<> answer(request& one) {
  try {
    co_await one.asked();
  } catch (...) {
    one.failure = std::current_exception();
  }
  one.complete();
}

/// An awaitable that suspends its task. The member `waiting` points to the suspended task, which
/// another function resumes later.
struct gate {
  tasks::frame* waiting = nullptr;

  bool await_ready() const noexcept { return false; }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> handle) noexcept {
    waiting = &handle.promise();
  }
  void await_resume() const noexcept {}
};

class beside_thread final : public program {
 public:
  void start(const settings& options, const work& first) override {
    job::prepare_for_threads(options);
    request joined{first};
    first_ = &joined;
    thread_ = std::thread([this, options] { run(options); });
    joined.wait();
  }

  void await(const work& asked) override {
    request one{asked};
    post([&one] { return answer(one); });
    one.wait();
  }

  void finish() override {
    // The request to end gets no answer, because the scheduler's thread ends with the job. The
    // program therefore waits for the end of the scheduler's thread.
    mailbox_->post([this] { this_pe().tasks->ready(*end_.waiting); });
    thread_.join();
  }

  bool is_pe() const override { return false; }

 private:
  template <class Work>
  void post(Work asked) {
    mailbox_->post([this, asked] { tasks::spawn_in(*scope_, asked, site::current()); });
  }

  void run(const settings& options) noexcept {
    int status = 0;
    try {
      status = join_job(options, [this] { return serve(); });
    } catch (...) {
      if (first_ == nullptr) leave(exit_status_of(std::current_exception()));
      first_->failure = std::current_exception();
      return std::exchange(first_, nullptr)->complete();
    }
    if (status != 0) leave(status);
  }

  task<> serve() {
    mailbox_ = this_pe().tasks->outside();
    mailbox_->enter();
    scope_ = this_pe().tasks->current()->scope;
    co_await answer(*std::exchange(first_, nullptr));
    co_await end_;
    mailbox_->leave();
  }

  std::thread thread_;
  request* first_ = nullptr;
  std::shared_ptr<tasks::mailbox> mailbox_;
  message::activity* scope_ = nullptr;
  gate end_;
};

}  // namespace

program& program_beside_thread() {
  static auto& only = *new beside_thread;
  return only;
}

}  // namespace atl::shmem
