#pragma once
// The ways to start the PEs of this machine.

#include "atoll/job/bootstrap.hpp"
#include "atoll/job/launch_card.hpp"

namespace atl::job {

class core_claims;

/// What they need, found out once.
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

}  // namespace atl::job
