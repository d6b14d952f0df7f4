#pragma once
// Finding and loading the plug-in of an MPI library.

#include "atoll/launch.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/mpi/mpi_api.h"

namespace atl::job {

/// Loads the plug-in of the launcher's library (setting mpi): the setting mpi-plugin, else
/// libatoll_mpi_NAME.so in the `plugin_folders`, or where the loader looks for libraries of the
/// program. It stays loaded. Throws `error` (environment) that names all these places and the
/// package to install when there is none.
const atoll_mpi_api& load_plugin(const settings& settings, const launch& started_by);

}  // namespace atl::job
