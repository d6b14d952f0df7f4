#pragma once
// If no launcher has started a program of one-sided access, starts a launcher for the program.

#include <string>

#include "peers/one_sided/options.hpp"

namespace bench::one_sided {

/// Returns whether a launcher (mpirun, oshrun, srun) has started this process.
bool is_launched();

enum class launcher_kind { open_mpi, mpich, atoll };

/// Replaces this process by a launcher that runs the same command line on processes of this
/// machine. Throws std::runtime_error if there is no launcher. If there is a launcher, the function
/// does not return.
[[noreturn]] void launch(const std::string& launcher, launcher_kind kind, char** argv,
                         const options& o);

}  // namespace bench::one_sided
