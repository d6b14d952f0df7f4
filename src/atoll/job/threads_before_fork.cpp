#include "atoll/job/threads_before_fork.hpp"

#include "atoll/log.hpp"

#include <atomic>
#include <cstddef>
#include <dlfcn.h>
#include <filesystem>
#include <system_error>

namespace atl::job {
namespace {

/// Of OpenMP 5.0, where the program has it.
void end_threads_of_openmp() {
  constexpr int soft = 1;  // values of variables stay
  const auto pause = reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, "omp_pause_resource_all"));
  if (pause != nullptr) pause(soft);
}

/// 0 where the system does not say.
std::ptrdiff_t number_of_threads() {
  std::error_code unknown;
  std::filesystem::directory_iterator threads("/proc/self/task", unknown);
  std::ptrdiff_t count = 0;
  for (; !unknown && threads != end(threads); threads.increment(unknown)) ++count;
  return unknown ? 0 : count;
}

}  // namespace

void look_at_threads_before_fork() {
  end_threads_of_openmp();
  const std::ptrdiff_t others = number_of_threads() - 1;
  static std::atomic<bool> warned{false};
  if (others <= 0 || warned.exchange(true)) return;
  log::warning("this process has {} thread{} beside the one that starts the job; PEs are forked "
               "without {}, and code that needs {} there waits for ever: start threads within the "
               "job, or make PEs threads (--pe-kind thread)",
               others, others == 1 ? "" : "s", others == 1 ? "it" : "them",
               others == 1 ? "it" : "them");
}

}  // namespace atl::job
