#pragma once
// Starts an MPI program under a launcher if it was started without one.

#include <cstdint>

namespace bench::alltoallv {

/// Returns whether a launcher (mpirun, srun) has started this process.
bool is_launched();

/// Replaces this process by a launcher that runs the same command line on `processes` ranks of this
/// machine. Throws std::runtime_error if there is no launcher. Otherwise the function does not
/// return.
[[noreturn]] void launch(char** argv, std::uint64_t processes);

}  // namespace bench::alltoallv
