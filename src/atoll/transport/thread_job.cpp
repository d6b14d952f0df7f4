// PEs as threads of one process, for sanitizers and debuggers: PE 0 is the calling thread.

#include "atoll/base/error.hpp"
#include "atoll/transport/crash_report.hpp"
#include "atoll/transport/hang_watch.hpp"
#include "atoll/transport/job.hpp"
#include "atoll/transport/job_watch.hpp"
#include "atoll/transport/output.hpp"
#include "atoll/transport/pe_scope.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace atoll::transport {
namespace {

constexpr int uncaught_exception = 4;

class thread_job {
 public:
  explicit thread_job(const job_plan& plan) : plan_(plan), region_(plan.pes, plan.options) {}

  int run() {
    const crash_reports crashes;
    job_watch watch(region_);
    watch.open();
    const hang_watch over_hangs(region_, watch, plan_.options.hang_timeout);
    start_threads();
    run_pe(0);
    watch.body_has_ended();
    for (std::thread& thread : threads_) thread.join();
    if (first_exception_) std::rethrow_exception(first_exception_);
    return region_.ended() ? region_.end_status() : largest_status_;
  }

 private:
  void start_threads() {
    try {
      for (int rank = 1; rank < plan_.pes; ++rank)
        threads_.emplace_back([this, rank] { run_pe(rank); });
    } catch (const std::system_error& failure) {
      keep_first(std::make_exception_ptr(
          error(errc::environment, fmt::format("thread {} of {} could not be started: {}; use "
                                               "fewer --pes",
                                               threads_.size() + 1, plan_.pes, failure.what()))));
    }
  }

  void run_pe(int rank) noexcept {
    try {
      pe_scope scope(plan_, region_, rank);
      const int status = plan_.body(scope.wire);
      const std::lock_guard guard(mutex_);
      largest_status_ = std::max(largest_status_, status);
    } catch (const job_ended&) {  // whoever ended it has said why
    } catch (...) {
      keep_first(std::current_exception());
    }
  }

  void keep_first(std::exception_ptr exception) {
    const std::lock_guard guard(mutex_);
    if (region_.end(uncaught_exception)) first_exception_ = std::move(exception);
  }

  const job_plan& plan_;
  shm::region region_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::exception_ptr first_exception_;
  int largest_status_ = 0;
};

}  // namespace

int run_as_threads(const job_plan& plan) {
  flush_output();
  return thread_job(plan).run();
}

}  // namespace atoll::transport
