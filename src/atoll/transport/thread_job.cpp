// PEs as threads of one process, for sanitizers and debuggers: PE 0 is the calling thread.

#include "atoll/base/error.hpp"
#include "atoll/transport/body_outcome.hpp"
#include "atoll/transport/crash_report.hpp"
#include "atoll/transport/hang_watch.hpp"
#include "atoll/transport/job.hpp"
#include "atoll/transport/job_watch.hpp"
#include "atoll/transport/output.hpp"
#include "atoll/transport/pe_scope.hpp"

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace atl::transport {
namespace {

class thread_job {
 public:
  explicit thread_job(const job_plan& plan)
      : plan_(plan), region_(plan.pes, plan.options), outcome_(region_) {}

  int run() {
    const crash_reports crashes;
    job_watch watch(region_);
    watch.open();
    const hang_watch over_hangs(region_, watch, plan_.options.hang_timeout);
    start_threads();
    run_pe(0);
    watch.body_has_ended();
    for (std::thread& thread : threads_) thread.join();
    return outcome_.status();
  }

 private:
  void start_threads() {
    try {
      for (int rank = 1; rank < plan_.pes; ++rank)
        threads_.emplace_back([this, rank] { run_pe(rank); });
    } catch (const std::system_error& failure) {
      outcome_.fail(std::make_exception_ptr(
          error(errc::environment, fmt::format("thread {} of {} could not be started: {}; use "
                                               "fewer --pes",
                                               threads_.size() + 1, plan_.pes, failure.what()))));
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

}  // namespace atl::transport
