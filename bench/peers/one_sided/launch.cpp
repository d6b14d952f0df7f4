#include "peers/one_sided/launch.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <vector>

#include "support/cores.hpp"

namespace bench::one_sided {
namespace {

/// Returns flags that bind each process to a core. If there are not enough cores, the flags let
/// waiting processes yield.
std::vector<std::string> open_mpi_flags(const options& o, bool core_each) {
  std::vector<std::string> words = {"--oversubscribe", "--bind-to", core_each ? "core" : "none"};
  if (!core_each) words.insert(words.end(), {"--mca", "mpi_yield_when_idle", "1"});
  if (!o.over_hosts)
    words.insert(words.end(), {"--mca", "pml", "ob1", "--mca", "btl", "self,vader"});
  if (geteuid() == 0) words.emplace_back("--allow-run-as-root");
  return words;
}

}  // namespace

bool is_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK", "OSHRUN_JOB"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

void launch(const std::string& launcher, launcher_kind kind, char** argv, const options& o) {
  const bool core_each = o.processes <= available_processors().size();
  std::vector<std::string> words = {launcher, "-n", std::to_string(o.processes)};
  // Atoll's launcher binds processes to cores without flags if possible.
  std::vector<std::string> flags;
  if (kind == launcher_kind::open_mpi) flags = open_mpi_flags(o, core_each);
  if (kind == launcher_kind::mpich) flags = {"-bind-to", core_each ? "core" : "none"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.push_back(std::filesystem::read_symlink("/proc/self/exe"));
  for (char** argument = argv + 1; *argument != nullptr; ++argument) words.emplace_back(*argument);
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  throw std::runtime_error("cannot start " + words[0]);
}

}  // namespace bench::one_sided
