#pragma once
// PEs of this machine are processes, threads, ranks or simulated. This file has a function for each
// of these ways to start them, and what the ways share.

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

/// What these ways need, found out once.
struct job_plan {
  int pes;
  bool own_cores;             ///< every PE can have one
  const core_claims& claims;  ///< the cores PEs are pinned to; empty: they are not
  const settings& options;
  const pe_main& body;
  begun by = begun::by_pe_0;
};

/// PEs 1.. are forked; see `run_pes`.
int run_as_processes(const job_plan& plan);

/// This process is one PE of a job that its launcher has made. Returns its status; the process goes
/// on, and may say another when it ends.
int run_as_attached(const settings& settings, const pe_main& body, const launch_card& card);

/// PEs 1.. are threads. An exception that leaves a body ends the job, and the first is thrown on.
int run_as_threads(const job_plan& plan);

/// All PEs are fibers of the calling thread, whose schedule and wires are simulated (sim/): the
/// settings sim-seed and sim-kill. Exceptions as for threads. A job that can never go on ends with
/// status 3. A PE that dies by a signal is the end of the process.
int run_simulated(const job_plan& plan);

/// PEs are the ranks of a launcher (mpirun), which decides how many there are. Begun by PE 0, it
/// returns on rank 0 only; the other ranks serve its jobs from their first call on, and end when
/// the program of rank 0 does. What ends a job early ends all ranks by MPI_Abort.
int run_as_ranks(const settings& settings, const pe_main& body, begun by);

/// For the report of an end: what each PE of this region noted as its last site.
inline auto last_sites_in(shm::region& region) {
  return [&region](int pe) -> std::uint64_t { return region.block(pe).life.last_site; };
}

/// What surrounds the body of a PE on this machine, whether it is a process or a thread.
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

/// What becomes of a job whose PEs are all in one process.
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
