#pragma once
// Functions that start the PEs of a job, and code that these functions share. There is a function
// for each kind of PE: process, thread, rank of MPI, and simulated PE.

#include "atoll/error.hpp"
#include "atoll/job/bootstrap.hpp"
#include "atoll/job/cores.hpp"
#include "atoll/job/launch_info.hpp"
#include "atoll/job/pe_end.hpp"
#include "atoll/job/wire.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace atl::job {

/// The description of a job, for the functions that start its PEs.
struct job_plan {
  int pes;
  bool own_cores;             ///< whether every PE has a core of its own
  const core_claims& claims;  ///< cores to which PEs are pinned; empty if PEs are not pinned
  const settings& options;
  const pe_main& body;
  begun by = begun::by_pe_0;
};

/// Runs the job with processes as PEs. The calling process becomes PE 0 and forks all other PEs.
/// The result is the same as with `run_pes`.
int run_as_processes(const job_plan& plan);

/// Runs this process as one PE of a job that `run_program` has started. Returns the status of the
/// PE. The process continues afterwards and may exit with another status.
int run_as_attached(const settings& settings, const pe_main& body, const launch_info& card);

/// Runs the job with threads as PEs. The calling thread becomes PE 0, and the other PEs are new
/// threads. An exception that leaves a body ends the job, and the first such exception is rethrown.
int run_as_threads(const job_plan& plan);

/// Runs all PEs as fibers (coroutines with stacks of their own) of the calling thread, with the
/// transport `sim`. An exception that leaves a body ends the job, and the first such exception is
/// rethrown. A job in which all PEs wait forever ends with status 3. If a signal kills a PE, the
/// whole process ends.
int run_simulated(const job_plan& plan);

/// Runs the job on the ranks that a launcher such as mpirun has started. With `begun::by_pe_0`, the
/// function returns on rank 0 only. The other ranks stay in the function, take part in all jobs of
/// rank 0, and end when the program of rank 0 ends. An early end of the job ends all ranks by
/// MPI_Abort.
int run_as_ranks(const settings& settings, const pe_main& body, begun by);

/// Returns a function that maps a PE to the source line (a `site_word`) at which the PE's last task
/// was spawned. A report about the death of a PE contains the source line of its last task.
/// `region` must outlive the function.
inline auto last_sites_in(shm::region& region) {
  return [&region](int pe) -> std::uint64_t { return region.block(pe).life.last_site; };
}

/// Objects that exist while a process or thread runs the body of a PE: an endpoint, a core, and a
/// stack for signal handlers.
struct pe_scope {
  pe_scope(const job_plan& plan, shm::region& region, int rank)
      : stack(rank), wire(region, rank, patience_of(plan.options, plan.own_cores)) {
    if (!plan.claims.empty()) pin.emplace(plan.claims.core_of(rank));
  }

  crash_stack stack;
  std::optional<pinned> pin;
  short_timer_slack slack;
  transport::shm::endpoint wire;
};

/// Collects statuses and exceptions of all PEs of a job that runs in one process.
class body_outcome {
 public:
  explicit body_outcome(shm::region& region) : region_(region) {}

  /// Runs the body of one PE. Several threads may call this function at the same time.
  template <class Body>
  void run(Body body) noexcept {
    try {
      const int status = body();
      const std::lock_guard guard(mutex_);
      largest_status_ = std::max(largest_status_, status);
    } catch (const job_ended&) {  // another PE has ended the job and reports why
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// Ends the job because of `exception`. Only the first exception is kept, and `status` rethrows
  /// this exception.
  void fail(std::exception_ptr exception) {
    const std::lock_guard guard(mutex_);
    if (region_.end(k_status_exception)) first_exception_ = std::move(exception);
  }

  /// Prints the exception that ended the job. If the guard must end the process before `status` can
  /// rethrow the exception, the guard calls this function.
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

  /// Returns the exit status of the job. Call this function after all bodies have ended. If an
  /// exception ended the job, rethrows the exception.
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
