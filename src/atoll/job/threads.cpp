#include "atoll/job/threads.hpp"

#include "atoll/log.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <dirent.h>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <locale>
#include <memory>
#include <sstream>
#include <string>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace atl::job {
namespace {

/// Returns whether the thread is in the system call write or writev. The kernel reports the system
/// call only for threads of this process and of its children.
bool is_writing(pid_t process, pid_t thread) {
  std::ifstream file(fmt::format("/proc/{}/task/{}/syscall", process, thread));
  file.imbue(std::locale::classic());
  long number = -1;
  return file >> number && (number == SYS_write || number == SYS_writev);
}

}  // namespace

thread_state state_of_thread(pid_t process, pid_t thread) {
  std::ifstream file(fmt::format("/proc/{}/task/{}/stat", process, thread));
  std::string line;
  if (!std::getline(file, line)) return {};
  const std::size_t name_end = line.rfind(')');  // the thread's name may contain parentheses too
  if (name_end == std::string::npos) return {};
  std::istringstream fields(line.substr(name_end + 1));
  fields.imbue(std::locale::classic());
  thread_state state;
  fields >> state.letter;
  std::string skipped;
  for (int field = 0; field < 10; ++field) fields >> skipped;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  fields >> user >> system;
  state.processor_ticks = user + system;
  if (!fields) return {};
  state.writes = state.letter == 'S' && is_writing(process, thread);
  return state;
}

bool others_run(pid_t process, pid_t but) {
  const std::unique_ptr<DIR, int (*)(DIR*)> threads(
      opendir(fmt::format("/proc/{}/task", process).c_str()), closedir);
  if (!threads) return false;
  while (const dirent* const entry = readdir(threads.get())) {
    const auto thread = static_cast<pid_t>(std::atoi(entry->d_name));
    if (thread == 0 || thread == but || thread == gettid()) continue;
    if (state_of_thread(process, thread).is_runnable()) return true;
  }
  return false;
}

namespace {

/// Ends the idle threads of OpenMP. If the program does not contain omp_pause_resource_all, a
/// function of OpenMP 5.0, does nothing.
void end_threads_of_openmp() {
  // The argument omp_pause_soft, which keeps the values of thread-private variables.
  constexpr int soft = 1;
  const auto pause = reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, "omp_pause_resource_all"));
  if (pause != nullptr) pause(soft);
}

/// Returns the number of threads of this process, or 0 if the system does not report it.
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
