#pragma once
// What a launcher of parallel programs (mpirun, mpiexec, srun) says of itself in the environment.

#include "atoll/settings.hpp"

#include <optional>

namespace atl::job {

struct launch {
  const char* launcher;   ///< "Open MPI's mpirun", for errors
  mpi_library library;    ///< `automatic`: of none that Atoll knows
  int rank = 0;           ///< of this process
  int ranks = 0;          ///< 0: it does not say
  int ranks_of_host = 0;  ///< 0: it does not say
};

/// The launcher that started this process as one of its ranks; none when it was started alone. An
/// empty variable is none.
std::optional<launch> present_launch();

/// Such a launcher has started others beside this process, or may have.
bool is_one_of_ranks();

/// Takes away what `present_launch` looks at, in this process and in those it starts from now on:
/// for a process that is a launcher itself. Called before there are threads.
void forget_launch();

/// The wire of a job with these settings, never `automatic`. One rank alone needs no MPI, and may
/// be a shell within a batch job: it is as if there was no launcher, unless MPI is asked for.
/// Throws `error` (input) where settings and launcher contradict each other.
transport_kind chosen_transport(const settings& settings);

}  // namespace atl::job
