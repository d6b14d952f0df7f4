// Programs in which processes or signals outlive a job. Tasks fork the processes; the signals
// (SIGUSR1) arrive before or after the job. The first argument of the command selects one of the
// programs.

#include "atoll/atoll.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace atl;

constexpr int k_status_of_copy = 7;

/// A static object whose destructor prints a line. The destructor must not run in a forked copy of
/// the process.
struct noticed_end {
  ~noticed_end() { std::puts("the end of a process"); }
} const noticed;

int status_of(pid_t child) {
  int ending = 0;
  while (waitpid(child, &ending, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(ending) ? WEXITSTATUS(ending) : -WTERMSIG(ending);
}

/// Forks a process from a task of each PE. The forked process calls `end`. Returns the number of
/// PEs whose forked process did not end with status `status`.
template <void (*End)()>
task<int> fork_everywhere(int status) {
  const auto forked = co_await make_array<std::uint64_t>(1);
  co_await on_all_pes([forked, status]() -> task<> {
    co_await yield();
    const pid_t child = fork();
    if (child == 0) {
      End();
      co_return;
    }
    if (status_of(child) != status) co_await fetch_add(forked[0], 1);
  });
  co_return static_cast<int>(co_await read(forked[0]));
}

void exit_well() { std::exit(k_status_of_copy); }
void come_back() {}
void fail_well() { throw std::runtime_error("the copy is unhappy"); }

template <void (*End)()>
task<> forks(int status) {
  const int others = co_await fork_everywhere<End>(status);
  const auto one = co_await make_array<std::uint64_t>(1);
  co_await on_all_pes([one]() -> task<> { co_await fetch_add(one[0], 1); });
  const auto all = co_await read(one[0]);
  std::printf("%d of %d copies ended otherwise, and all %d PEs go on\n", others, pes(),
              static_cast<int>(all));
}

/// Runs several jobs with pauses between them. The signal arrives again and again, during jobs and
/// pauses.
int jobs_by_turns(int argc, char** argv) {
  std::puts("begun");
  std::fflush(stdout);
  int status = 0;
  for (int i = 0; i < 3 && status == 0; ++i) {
    for (int naps = 0; naps < 20; ++naps) usleep(2000);
    status = run(argc, argv, []() -> task<> { co_await on_all_pes([] {}); });
  }
  for (int naps = 0; naps < 20; ++naps) usleep(2000);
  if (status == 0) std::puts("all jobs were right");
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "questions") return jobs_by_turns(argc, argv);
  if (what == "exit") return run(argc, argv, [] { return forks<exit_well>(k_status_of_copy); });
  if (what == "return") return run(argc, argv, [] { return forks<come_back>(4); });
  if (what == "throw") return run(argc, argv, [] { return forks<fail_well>(4); });
  std::fprintf(stderr, "usage: fault_outlives questions|exit|return|throw\n");
  return 2;
}
