#pragma once
// Lets a program of one-sided access be started like any other.

#include <string>

#include "peers/one_sided/options.hpp"

namespace bench::one_sided {

/// Whether a launcher (mpirun, oshrun, srun) has started this process.
bool is_launched();

enum class launcher_kind { open_mpi, mpich, atoll };

/// Replaces this process by a launcher that runs the same command line on processes of this
/// machine. Returns only by throwing std::runtime_error, where there is no launcher.
[[noreturn]] void launch(const std::string& launcher, launcher_kind kind, char** argv,
                         const options& o);

}  // namespace bench::one_sided
