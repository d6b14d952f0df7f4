#include "atoll/job/mpi/plugin_loader.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace atl::job {
namespace {

namespace fs = std::filesystem;

/// Name of this architecture in Debian's library folders.
constexpr const char* multiarch = "x86_64-linux-gnu";

}  // namespace

fs::path file_of_runtime() {
  std::error_code none;
  Dl_info unused;
  void* found = nullptr;
  const auto* const here = reinterpret_cast<const void*>(&file_of_runtime);
  const bool known = dladdr1(here, &unused, &found, RTLD_DL_LINKMAP) != 0;
  const std::string_view name = known ? static_cast<link_map*>(found)->l_name : "";
  // The loader uses an empty name for the program itself.
  return fs::canonical(name.empty() ? "/proc/self/exe" : name, none);
}

std::vector<fs::path> plugin_folders(const fs::path& runtime, const fs::path& program) {
  const fs::path prefix = program.parent_path().parent_path();
  return {runtime.parent_path() / "atoll", runtime.parent_path(),
          runtime.parent_path() / "lib/atoll", prefix / "lib/atoll",
          prefix / "lib" / multiarch / "atoll"};
}

std::vector<fs::path> loader_folders_of_program() {
  void* const program = dlopen(nullptr, RTLD_NOW);
  Dl_serinfo head{};
  if (program == nullptr || dlinfo(program, RTLD_DI_SERINFOSIZE, &head) != 0) return {};
  std::vector<std::byte> room(head.dls_size);
  auto* const found = new (room.data()) Dl_serinfo(head);
  std::vector<fs::path> folders;
  if (dlinfo(program, RTLD_DI_SERINFOSIZE, found) == 0 &&
      dlinfo(program, RTLD_DI_SERINFO, found) == 0)
    for (unsigned i = 0; i < found->dls_cnt; ++i) {
      const std::string_view name = found->dls_serpath[i].dls_name;
      folders.emplace_back(name.empty() ? "." : name);
    }
  return folders;
}

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

// RTLD_LOCAL hides the symbols of the MPI library. Two MPI libraries have the same symbols, and the
// program needs none of them.
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

/// Loads the plug-in `file` if the loader finds it by this name, for example in the cache of
/// ldconfig. Returns the plug-in's table of functions, or null if the loader finds no plug-in.
const atoll_mpi_api* table_by_name(const std::string& file) {
  void* const library = opened(file);
  if (library != nullptr) return &table_in(library, file);
  const std::string why = dlerror();
  // If the loader's message does not begin with the name of the file, the loader has found a file
  // but cannot load it.
  if (!why.starts_with(file)) refuse_to_load(why);
  return nullptr;
}

/// Returns the folders to search, in the order of the search and without duplicates.
std::vector<fs::path> all_folders() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  std::vector<fs::path> folders = plugin_folders(file_of_runtime(), program);
  for (const fs::path& folder : loader_folders_of_program())
    if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
  return folders;
}

[[noreturn]] void refuse_without_plugin(const std::string& file, const launch& started_by,
                                        const std::vector<fs::path>& tried, bool open) {
  std::string places;
  for (const fs::path& folder : tried) places += folder.string() + ", ";
  fail(errc::environment,
       "started by {}, and there is no {} in {}or the cache of the loader (ldconfig): install {} "
       "(and build Atoll again where it was "
       "built without), start the program by the mpirun of the other MPI library, or alone, or "
       "name the file (--mpi-plugin)",
       started_by.launcher, file, places, open ? "libopenmpi-dev" : "libmpich-dev");
}

}  // namespace

const atoll_mpi_api& load_plugin(const settings& settings, const launch& started_by) {
  const bool open = library_of(settings, started_by) == mpi_library::openmpi;
  if (!settings.mpi_plugin.empty()) return table_in(settings.mpi_plugin);
  const std::string file = open ? "libatoll_mpi_openmpi.so" : "libatoll_mpi_mpich.so";
  const auto folders = all_folders();
  std::error_code none;
  for (const fs::path& folder : folders)
    if (fs::exists(folder / file, none)) return table_in(folder / file);
  if (const auto* const found = table_by_name(file)) return *found;
  refuse_without_plugin(file, started_by, folders, open);
}

void check_plugin(const settings& settings, const launch& started_by) {
  load_plugin(settings, started_by);
}

}  // namespace atl::job
