#pragma once
// What a launcher of parallel programs (mpirun, mpiexec, srun) says of itself in the environment.

#include "atoll/base/settings.hpp"

#include <optional>

namespace atl::job {

struct launch {
  const char* launcher;   ///< "Open MPI's mpirun", for errors
  mpi_library library;    ///< `automatic`: of none that Atoll knows
  int rank = 0;           ///< of this process
  int ranks = 0;          ///< 0: it does not say
  int ranks_of_host = 0;  ///< 0: it does not say
};

/// The launcher that started this process as one of its ranks; none when it was started alone.
std::optional<launch> present_launch();

/// The wire of a job with these settings, never `automatic`. Throws `error` (input) where settings
/// and launcher contradict each other.
transport_kind chosen_transport(const settings& settings);

}  // namespace atl::job
