#pragma once
// The plug-in of an MPI library lies with the runtime, which may be a shared library or a part of
// the program, wherever the two were moved. These functions find and load it.

#include "atoll/launch.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/mpi/mpi_api.h"

#include <filesystem>
#include <string>
#include <vector>

namespace atl::job {

/// The file that holds this function: libatoll.so, or the program that was linked with the runtime.
std::filesystem::path file_of_runtime();

/// Folders that may hold plug-ins, the first to be looked at first. `runtime` and `program` are
/// files.
std::vector<std::filesystem::path> plugin_folders(const std::filesystem::path& runtime,
                                                  const std::filesystem::path& program);

/// Where the loader looks for libraries of the program: its RUNPATH, LD_LIBRARY_PATH, and the
/// system's. For what a library of the program loads, the loader takes the RUNPATH of that library.
std::vector<std::filesystem::path> loader_folders_of_program();

/// Loads the plug-in of the launcher's library (setting mpi): the setting mpi-plugin, else
/// libatoll_mpi_NAME.so in the `plugin_folders`, or where the loader looks for libraries of the
/// program. It stays loaded. Throws `error` (environment) that names all these places and the
/// package to install when there is none.
const atoll_mpi_api& load_plugin(const settings& settings, const launch& started_by);

}  // namespace atl::job
