#include "atoll/job/mpi/plugin_places.hpp"

#include <dlfcn.h>
#include <link.h>
#include <new>
#include <string_view>
#include <system_error>

namespace atl::job {
namespace {

namespace fs = std::filesystem;

/// What Debian calls this architecture in the folders of libraries.
constexpr const char* multiarch = "x86_64-linux-gnu";

}  // namespace

fs::path file_of_runtime() {
  std::error_code none;
  Dl_info unused;
  void* found = nullptr;
  const auto* const here = reinterpret_cast<const void*>(&file_of_runtime);
  const bool known = dladdr1(here, &unused, &found, RTLD_DL_LINKMAP) != 0;
  const std::string_view name = known ? static_cast<link_map*>(found)->l_name : "";
  return fs::canonical(name.empty() ? "/proc/self/exe" : name, none);  // the program has no name
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

}  // namespace atl::job
