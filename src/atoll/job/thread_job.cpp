// Runs jobs whose PEs are threads of one process, for sanitizers and debuggers. PE 0 is the calling
// thread.

#include "atoll/error.hpp"
#include "atoll/job/guard.hpp"
#include "atoll/job/job_plan.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/pe_end.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace atl::job {
namespace {

class thread_job {
 public:
  explicit thread_job(const job_plan& plan)
      : plan_(plan), region_(plan.pes, plan.options), outcome_(region_) {}

  int run() {
    const crash_reports crashes;
    job_signals signals(region_);
    children none(plan_.pes);
    guard over(region_, none, signals, plan_.options.hang_timeout, guard::watch::all, [this](int) {
      outcome_.say_exception();
      flush_output();
    });
    signals.open();
    {
      const pe_output output({.count = plan_.pes}, plan_.pes, plan_.options.tag_output);
      const exit_hook on_exit({last_sites_in(region_), [](int) {}});
      start_threads();
      run_pe(0);
      for (std::thread& thread : threads_) thread.join();
    }
    over.bodies_have_ended();
    return outcome_.status();
  }

 private:
  void start_threads() {
    try {
      threads_.reserve(static_cast<std::size_t>(plan_.pes));
      for (int rank = 1; rank < plan_.pes; ++rank)
        threads_.emplace_back([this, rank] { run_pe(rank); });
    } catch (const std::system_error& failure) {
      outcome_.fail(std::make_exception_ptr(
          error(errc::environment,
                fmt::format("thread {} of {} (--pes) could not be started: {}", threads_.size() + 1,
                            plan_.pes, refusal_text(failure.code().value(), refused::thread)))));
    } catch (...) {
      outcome_.fail(std::current_exception());
    }
  }

  void run_pe(int rank) {
    outcome_.run([&] {
      pe_scope scope(plan_, region_, rank);
      return plan_.body(scope.wire);
    });
  }

  const job_plan& plan_;
  shm::region region_;
  body_outcome outcome_;
  std::vector<std::thread> threads_;
};

}  // namespace

int run_as_threads(const job_plan& plan) {
  flush_output();
  return thread_job(plan).run();
}

}  // namespace atl::job
