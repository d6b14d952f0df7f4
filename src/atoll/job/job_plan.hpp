#pragma once
// PEs of this machine are processes, threads, ranks or simulated. This file declares a function for
// each of these ways to start them, and their common parts.

#include "atoll/error.hpp"
#include "atoll/job/bootstrap.hpp"
#include "atoll/job/cores.hpp"
#include "atoll/job/launch_card.hpp"
#include "atoll/job/pe_end.hpp"
#include "atoll/job/wire.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace atl::job {

/// Data that all ways to start PEs need, determined once.
struct job_plan {
  int pes;
  bool own_cores;             ///< every PE can have a core of its own
  const core_claims& claims;  ///< cores that PEs are pinned to; empty: none
  const settings& options;
  const pe_main& body;
  begun by = begun::by_pe_0;
};

/// Runs the job with forked PEs 1..; see `run_pes`.
int run_as_processes(const job_plan& plan);

/// Runs this process as one PE of a job that its launcher has made. Returns its status. The process
/// continues, and may exit with another status.
int run_as_attached(const settings& settings, const pe_main& body, const launch_card& card);

/// Runs PEs 1.. as threads. An exception that leaves a body ends the job, and the first one is
/// rethrown.
int run_as_threads(const job_plan& plan);

/// Runs all PEs as fibers of the calling thread, with simulated schedule and wires (sim/): the
/// settings sim-seed and sim-kill. Exceptions are handled as for threads. A job in which nothing
/// can happen any more ends with status 3. A signal that kills a PE ends the process.
int run_simulated(const job_plan& plan);

/// Runs PEs as the ranks of a launcher (mpirun), which decides their number. Begun by PE 0, it
/// returns on rank 0 only. The other ranks serve its jobs from their first call on, and end when
/// the program of rank 0 does. An early end of the job ends all ranks by MPI_Abort.
int run_as_ranks(const settings& settings, const pe_main& body, begun by);

/// Returns a function for the report of an end: the last site that each PE of this region noted.
inline auto last_sites_in(shm::region& region) {
  return [&region](int pe) -> std::uint64_t { return region.block(pe).life.last_site; };
}

/// Surroundings of the body of a PE on this machine, whether it is a process or a thread.
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

/// Collects the results of a job whose PEs are all in one process.
class body_outcome {
 public:
  explicit body_outcome(shm::region& region) : region_(region) {}

  /// Runs the body of one PE; any number of PEs may do so at a time.
  template <class Body>
  void run(Body body) noexcept {
    try {
      const int status = body();
      const std::lock_guard guard(mutex_);
      largest_status_ = std::max(largest_status_, status);
    } catch (const job_ended&) {  // the PE that ended the job has printed why
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// Ends the job. The first exception is rethrown later, the others are lost.
  void fail(std::exception_ptr exception) {
    const std::lock_guard guard(mutex_);
    if (region_.end(k_status_exception)) first_exception_ = std::move(exception);
  }

  /// Prints what ended the job, where nothing can rethrow it any more.
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

  /// Returns the exit status of the job, once all bodies have ended. Throws the exception that
  /// ended it.
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
