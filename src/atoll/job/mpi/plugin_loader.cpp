#include "atoll/job/mpi/plugin_loader.hpp"

#include "atoll/base/error.hpp"
#include "atoll/job/mpi/plugin_places.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace atl::job {
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

// RTLD_LOCAL: the names of two MPI libraries are the same, and none of them concerns the program.
void* opened(const std::string& file) { return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL); }

[[noreturn]] void refuse_to_load(std::string_view why) {
  fail(errc::environment, "the MPI plug-in cannot be loaded: {} (--mpi-plugin)", why);
}

const atoll_mpi_api& table_in(void* library, const std::string& file) {
  const auto plugin = reinterpret_cast<atoll_mpi_plugin>(dlsym(library, ATOLL_MPI_PLUGIN_SYMBOL));
  if (plugin == nullptr || plugin()->version != ATOLL_MPI_API_VERSION)
    fail(errc::environment, "{} is no MPI plug-in of this version of Atoll (--mpi-plugin)", file);
  return *plugin();
}

const atoll_mpi_api& table_in(const std::string& file) {
  void* const library = opened(file);
  if (library == nullptr) refuse_to_load(dlerror());
  return table_in(library, file);
}

/// A search for one file; it notes where that was not.
class plugin_search {
 public:
  explicit plugin_search(std::string file) : file_(std::move(file)) {}

  const atoll_mpi_api* in_folder(const fs::path& folder) {
    std::error_code none;
    const std::string path = folder / file_;
    if (fs::exists(path, none)) return &table_in(path);
    tried_ += folder.string() + ", ";
    return nullptr;
  }

  /// Where the loader looks: programs that were linked with the runtime carry its folder (RUNPATH).
  const atoll_mpi_api* by_name() {
    void* const library = opened(file_);
    if (library != nullptr) return &table_in(library, file_);
    const std::string why = dlerror();
    if (!why.starts_with(file_)) refuse_to_load(why);  // the file is there, with its whole path
    return nullptr;
  }

  const std::string& file() const { return file_; }
  const std::string& tried() const { return tried_; }

 private:
  std::string file_;
  std::string tried_;
};

const atoll_mpi_api* found(plugin_search& search) {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  for (const fs::path& folder : plugin_folders(file_of_runtime(), program))
    if (const auto* const plugin = search.in_folder(folder)) return plugin;
  return search.by_name();
}

[[noreturn]] void refuse_without_plugin(const plugin_search& search, const launch& started_by,
                                        bool open) {
  fail(errc::environment,
       "started by {}, and there is no {} in {}the RUNPATH of the program or LD_LIBRARY_PATH: "
       "install {} (and build Atoll again where it was built without), start the program by the "
       "mpirun of the other MPI library, or alone, or name the file (--mpi-plugin)",
       started_by.launcher, search.file(), search.tried(),
       open ? "libopenmpi-dev" : "libmpich-dev");
}

}  // namespace

const atoll_mpi_api& load_plugin(const settings& settings, const launch& started_by) {
  const bool open = library_of(settings, started_by) == mpi_library::openmpi;
  if (!settings.mpi_plugin.empty()) return table_in(settings.mpi_plugin);
  plugin_search search(open ? "libatoll_mpi_openmpi.so" : "libatoll_mpi_mpich.so");
  if (const auto* const plugin = found(search)) return *plugin;
  refuse_without_plugin(search, started_by, open);
}

}  // namespace atl::job
