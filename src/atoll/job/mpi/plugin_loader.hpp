#pragma once
// The plug-in of an MPI library is installed with the runtime, in any folder. The runtime may be a
// shared library or a part of the program. These functions find and load the plug-in.

#include "atoll/launch.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/mpi/mpi_api.h"

#include <filesystem>
#include <string>
#include <vector>

namespace atl::job {

/// Returns the file that holds this function: libatoll.so, or the program that was linked with the
/// runtime.
std::filesystem::path file_of_runtime();

/// Returns folders that may hold plug-ins, in the order in which they are searched. `runtime` and
/// `program` are files.
std::vector<std::filesystem::path> plugin_folders(const std::filesystem::path& runtime,
                                                  const std::filesystem::path& program);

/// Returns where the loader looks for libraries of the program: its RUNPATH, LD_LIBRARY_PATH, and
/// the system's folders. For libraries loaded by a library, the loader uses the RUNPATH of that
/// library instead.
std::vector<std::filesystem::path> loader_folders_of_program();

/// Loads the plug-in for the launcher's library (setting mpi), which then stays loaded. The file is
/// the setting mpi-plugin. Otherwise it is libatoll_mpi_NAME.so in the `plugin_folders`, or where
/// the loader looks for libraries of the program. Throws `error` (environment) if there is none,
/// naming all these places and the package to install.
const atoll_mpi_api& load_plugin(const settings& settings, const launch& started_by);

}  // namespace atl::job
