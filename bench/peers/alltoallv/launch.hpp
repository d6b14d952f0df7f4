#pragma once
// Lets an MPI program be started like any other.

#include <cstdint>

namespace bench::alltoallv {

/// Whether a launcher (mpirun, srun) has started this process.
bool is_launched();

/// Replaces this process by a launcher that runs the same command line on `processes` ranks of this
/// machine. Returns only by throwing std::runtime_error, where there is no launcher.
[[noreturn]] void launch(char** argv, std::uint64_t processes);

}  // namespace bench::alltoallv
