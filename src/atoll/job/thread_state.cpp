#include "atoll/job/thread_state.hpp"

#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string>

namespace atl::job {

thread_state state_of_thread(pid_t process, pid_t thread) {
  std::ifstream file(fmt::format("/proc/{}/task/{}/stat", process, thread));
  std::string line;
  if (!std::getline(file, line)) return {};
  const std::size_t name_end = line.rfind(')');  // the name may hold anything
  if (name_end == std::string::npos) return {};
  std::istringstream fields(line.substr(name_end + 1));
  thread_state state;
  fields >> state.letter;
  std::string skipped;
  for (int field = 0; field < 10; ++field) fields >> skipped;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  fields >> user >> system;
  state.processor_ticks = user + system;
  return fields ? state : thread_state{};
}

}  // namespace atl::job
