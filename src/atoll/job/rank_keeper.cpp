#include "atoll/job/rank_keeper.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/exit_status.hpp"
#include "atoll/base/process_limits.hpp"
#include "atoll/job/death_report.hpp"
#include "atoll/job/launcher.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/wire.hpp"

#include <cerrno>
#include <csignal>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::job {
namespace {

volatile pid_t kept_child = 0;
volatile sig_atomic_t told_to_end = 0;

void pass_on(int signal) {
  if (signal != SIGUSR1 && signal != SIGUSR2) told_to_end = 1;
  if (kept_child > 0) kill(kept_child, signal);
}

int wait_for_child(pid_t child) {
  int ending = 0;
  while (waitpid(child, &ending, 0) != child)
    if (errno != EINTR) _exit(k_status_exception);
  return ending;
}

/// A library of MPI that cannot start often ends the process, and says little of why.
[[noreturn]] void end_without_mpi(int rank) {
  say("PE {}: error: MPI has ended the process when it was started{}", rank,
      limits_of_start_text().c_str());
  abort_launch(k_status_environment);
  _exit(k_status_environment);
}

[[noreturn]] void be_keeper(int rank, pid_t child, const kept_rank& state, const sigset_t& former) {
  kept_child = child;
  struct sigaction action{};
  action.sa_handler = pass_on;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
    sigaction(signal, &action, nullptr);
  sigprocmask(SIG_SETMASK, &former, nullptr);
  const int ending = wait_for_child(child);
  if (told_to_end == 0 && state.begins_mpi != 0) end_without_mpi(rank);
  if (told_to_end == 0 && state.may_end == 0) say_death(rank, ending, state.last_site);
  if (WIFSIGNALED(ending)) _exit(status_of_signal(WTERMSIG(ending)));
  _exit(WEXITSTATUS(ending) == 0 && state.may_end == 0 ? k_status_exception : WEXITSTATUS(ending));
}

}  // namespace

kept_rank& keep_rank(int rank) {
  void* const shared =
      mmap(nullptr, sizeof(kept_rank), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    fail(errc::environment, "no memory to share with the keeper of PE {}: {}", rank,
         refusal_text(errno, refused::memory));
  auto& state = *new (shared) kept_rank;
  flush_output();
  sigset_t all;
  sigset_t former;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &former);  // none may fall between the fork and the handlers
  const pid_t keeper = getpid();
  const pid_t child = fork();
  if (child > 0) be_keeper(rank, child, state, former);
  const int reason = errno;
  sigprocmask(SIG_SETMASK, &former, nullptr);
  if (child < 0)
    fail(errc::environment, "the process of PE {} could not be started: {}", rank,
         refusal_text(reason, refused::process));
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(k_status_exception);
  return state;
}

}  // namespace atl::job
