#pragma once
// Functions that find and load the plug-in for an MPI library (transport/mpi/mpi_api.h). The
// plug-in is installed together with the runtime, but in different folders on different systems.
// The runtime itself is a shared library or a part of the program.

#include "atoll/launch.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/mpi/mpi_api.h"

#include <filesystem>
#include <string>
#include <vector>

namespace atl::job {

/// Returns the path of the file that contains the runtime: libatoll.so, or the program if it was
/// linked with the runtime.
std::filesystem::path file_of_runtime();

/// Returns the folders that are searched for plug-ins, in the order of the search. `runtime` is the
/// path of the file with the runtime, and `program` is the path of the program.
std::vector<std::filesystem::path> plugin_folders(const std::filesystem::path& runtime,
                                                  const std::filesystem::path& program);

/// Returns the folders in which the loader searches for libraries of the program: LD_LIBRARY_PATH,
/// the program's RUNPATH, and the system's folders. The runtime needs this function, because the
/// loader ignores the program's RUNPATH when the runtime loads a library.
std::vector<std::filesystem::path> loader_folders_of_program();

/// Loads the plug-in for the MPI library of the launcher or of the setting `mpi`. The plug-in stays
/// loaded until the process ends. The setting `mpi-plugin` contains the path of the plug-in.
/// If the setting `mpi-plugin` is empty, the function searches for libatoll_mpi_NAME.so in
/// `plugin_folders`, and then in the folders of the loader. Throws `error` (environment) if there
/// is no plug-in. The text of the error names all searched folders and the package to install.
const atoll_mpi_api& load_plugin(const settings& settings, const launch& started_by);

}  // namespace atl::job
