#include "atoll/transport/mpi/plugin_loader.hpp"

#include "atoll/base/error.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace atoll::transport::mpi {
namespace {

namespace fs = std::filesystem;

mpi_library library_of(const settings& settings, const launch& started_by) {
  if (settings.mpi != mpi_library::automatic) return settings.mpi;
  if (started_by.library == mpi_library::automatic)
    fail(errc::environment,
         "{} has started {} ranks, but offers them no way to find each other; start them by srun "
         "--mpi=pmix (Open MPI) or srun --mpi=pmi2 (MPICH), or by mpirun",
         started_by.launcher, started_by.ranks);
  return started_by.library;
}

std::vector<fs::path> places(const std::string& file) {
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  return {folder / file, folder / "../lib/atoll" / file, fs::path(ATOLL_MPI_PLUGIN_FOLDER) / file};
}

[[noreturn]] void refuse_without_plugin(const std::string& name, const launch& started_by) {
  const bool open = name == "openmpi";
  fail(errc::environment,
       "started by {}, and Atoll was built without {} (no libatoll_mpi_{}.so beside the program or "
       "in {}): install {} and build Atoll again, start the program by the mpirun of the other MPI "
       "library, or alone",
       started_by.launcher, open ? "Open MPI" : "MPICH", name, ATOLL_MPI_PLUGIN_FOLDER,
       open ? "libopenmpi-dev" : "libmpich-dev");
}

// RTLD_LOCAL: the names of two MPI libraries are the same, and none of them concerns the program.
const atoll_mpi_api& table_in(const std::string& file) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    fail(errc::environment, "the MPI plug-in cannot be loaded: {} (--mpi-plugin)", dlerror());
  const auto plugin = reinterpret_cast<atoll_mpi_plugin>(dlsym(library, ATOLL_MPI_PLUGIN_SYMBOL));
  if (plugin == nullptr || plugin()->version != ATOLL_MPI_API_VERSION)
    fail(errc::environment, "{} is no MPI plug-in of this version of Atoll (--mpi-plugin)", file);
  return *plugin();
}

}  // namespace

const atoll_mpi_api& load_plugin(const settings& settings, const launch& started_by) {
  const mpi_library library = library_of(settings, started_by);
  if (!settings.mpi_plugin.empty()) return table_in(settings.mpi_plugin);
  const std::string name = library == mpi_library::openmpi ? "openmpi" : "mpich";
  std::error_code none;
  for (const fs::path& file : places("libatoll_mpi_" + name + ".so"))
    if (fs::exists(file, none)) return table_in(file);
  refuse_without_plugin(name, started_by);
}

}  // namespace atoll::transport::mpi
