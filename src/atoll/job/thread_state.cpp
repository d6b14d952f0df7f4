#include "atoll/job/thread_state.hpp"

#include <fmt/format.h>
#include <fstream>
#include <locale>
#include <sstream>
#include <string>
#include <sys/syscall.h>

namespace atl::job {

namespace {

/// The kernel says so of threads of this process and of its children.
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
  const std::size_t name_end = line.rfind(')');  // the name may hold anything
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

}  // namespace atl::job
