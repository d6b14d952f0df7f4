#pragma once
// If no launcher has started an MPI program, the program starts itself again under a launcher.

#include <cstdint>

namespace bench::alltoallv {

/// Returns whether a launcher (mpirun, srun) has started this process.
bool is_launched();

/// Replaces this process by a launcher that runs the same command line on `processes` ranks of this
/// machine. Throws std::runtime_error if there is no launcher. If there is a launcher, the function
/// does not return.
[[noreturn]] void launch(char** argv, std::uint64_t processes);

}  // namespace bench::alltoallv
