#pragma once
// What becomes of a job whose PEs are all in one process.

#include "atoll/error.hpp"
#include "atoll/job/wire.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

namespace atl::job {

class body_outcome {
 public:
  explicit body_outcome(shm::region& region) : region_(region) {}

  /// Runs the body of one PE, any number of them at a time.
  template <class Body>
  void run(Body body) noexcept {
    try {
      const int status = body();
      const std::lock_guard guard(mutex_);
      largest_status_ = std::max(largest_status_, status);
    } catch (const job_ended&) {  // whoever ended it has said why
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// Ends the job. The first exception is thrown on, the others are lost.
  void fail(std::exception_ptr exception) {
    const std::lock_guard guard(mutex_);
    if (region_.end(k_status_exception)) first_exception_ = std::move(exception);
  }

  /// Says on standard error what ended the job, where nobody can throw it on any more.
  void say_exception() {
    const std::lock_guard guard(mutex_);
    if (!first_exception_) return;
    try {
      std::rethrow_exception(first_exception_);
    } catch (const std::exception& failure) {
      say("error: {}", failure.what());
    } catch (...) {
      say("error: an exception of an unknown type");
    }
  }

  /// The exit status of the job, when all bodies have ended. Throws what ended it.
  int status() {
    if (first_exception_) std::rethrow_exception(first_exception_);
    return region_.ended() ? region_.end_status() : largest_status_;
  }

 private:
  shm::region& region_;
  std::mutex mutex_;
  std::exception_ptr first_exception_;
  int largest_status_ = 0;
};

}  // namespace atl::job
