#include "launch.hpp"

#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/cores.hpp"

namespace bench::alltoallv {
namespace {

/// Returns the launcher and its flags for ranks that communicate through shared memory only.
std::vector<std::string> launcher(std::uint64_t processes) {
  std::vector<std::string> words = {BENCH_MPIEXEC, "-n", std::to_string(processes)};
#ifdef OPEN_MPI
  const bool core_each = processes <= available_processors().size();
  for (const char* word : {"--oversubscribe", "--mca", "pml", "ob1", "--mca", "btl", "self,vader",
                           "--bind-to", core_each ? "core" : "none"}) {
    words.emplace_back(word);
  }
  if (!core_each) words.insert(words.end(), {"--mca", "mpi_yield_when_idle", "1"});
  if (geteuid() == 0) words.emplace_back("--allow-run-as-root");
#endif
  return words;
}

}  // namespace

bool is_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

void launch(char** argv, std::uint64_t processes) {
  auto words = launcher(processes);
  words.push_back(std::filesystem::read_symlink("/proc/self/exe"));
  for (char** argument = argv + 1; *argument != nullptr; ++argument) words.emplace_back(*argument);
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  throw std::runtime_error("cannot start " + words[0]);
}

}  // namespace bench::alltoallv
