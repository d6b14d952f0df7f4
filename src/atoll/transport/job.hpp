#pragma once
// The two ways to start the PEs of this machine.

#include "atoll/transport/bootstrap.hpp"

namespace atoll::transport {

/// What both need, found out once.
struct job_plan {
  int pes;
  bool own_cores;  ///< every PE can have one
  const settings& options;
  const pe_main& body;
};

/// PEs 1.. are forked; see `run_pes`.
int run_as_processes(const job_plan& plan);

/// PEs 1.. are threads. An exception that leaves a body ends the job, and the first is thrown on.
int run_as_threads(const job_plan& plan);

}  // namespace atoll::transport
