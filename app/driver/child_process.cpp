#include "app/driver/child_process.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::app {
namespace {

// Runs in the child between fork and exec. The parent may have threads, so this function uses only
// system calls.
[[noreturn]] void become(char* const* arguments, int output,
                         const std::optional<cpu_set_t>& processors, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);  // the parent died before prctl was called
  if (processors) sched_setaffinity(0, sizeof *processors, &*processors);
  dup2(output, STDOUT_FILENO);
  execvp(arguments[0], arguments);
  _exit(127);
}

std::string read_all(int from) {
  std::string text;
  char block[4096];
  for (;;) {
    const ssize_t bytes = ::read(from, block, sizeof block);
    if (bytes > 0) text.append(block, std::size_t(bytes));
    if (bytes == 0 || (bytes < 0 && errno != EINTR)) return text;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

std::optional<cpu_set_t> present_processors() {
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return std::nullopt;
  return all;
}

child_result run_child(const std::vector<std::string>& command,
                       const std::optional<cpu_set_t>& processors) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    fail(errc::environment, "no pipe for {}: {}", command.front(),
         refusal_text(errno, refused::file));
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(arguments.data(), ends[1], processors, parent);
  const int reason = errno;
  close(ends[1]);
  child_result result;
  if (child > 0) {
    result.output = read_all(ends[0]);
    result.status = wait_for(child);
  }
  close(ends[0]);
  if (child < 0)
    fail(errc::environment, "cannot start {}: {}", command.front(),
         refusal_text(reason, refused::process));
  return result;
}

std::string find_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + '/' + program;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

}  // namespace atl::app
