#include "atoll/job/rank_keeper.hpp"

#include "atoll/error.hpp"
#include "atoll/job/early_end.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/threads_before_fork.hpp"
#include "atoll/job/wire.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace atl::job {
namespace {

constexpr nanoseconds second = 1'000'000'000;
constexpr std::time_t seconds_to_be_told = 1;

/// The other end of a pipe would wait for this process, too.
void close_files_of_program() noexcept {
  const int kept = file_to_mpiexec();
  const auto first = static_cast<unsigned>(STDERR_FILENO + 1);
  const auto behind = static_cast<unsigned>(std::max(kept, STDERR_FILENO)) + 1;
  if (behind - 1 > first) close_range(first, behind - 2, 0);
  close_range(behind, ~0U, 0);
}

/// The wait of the parent for its child.
class keeper {
 public:
  keeper(int rank, pid_t launcher, pid_t child, kept_rank& state, nanoseconds start_timeout)
      : rank_(rank),
        launcher_(launcher),
        child_(child),
        state_(state),
        start_timeout_(start_timeout) {}

  /// `former` are the signals that were blocked before. Those that are taken stay blocked.
  [[noreturn]] void keep(sigset_t former) {
    sigemptyset(&taken_);
    for (const int each : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD}) {
      sigaddset(&taken_, each);
      sigaddset(&former, each);
    }
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);  // a launcher that has ended reads no more
    close_files_of_program();
    sigprocmask(SIG_SETMASK, &former, nullptr);
    // So that the signal also tells of the launcher.
    if (prctl(PR_SET_PDEATHSIG, SIGCHLD) != 0)
      say("rank {}: it will not notice when its launcher dies: {}", rank_, strerror(errno));
    while (!has_ended()) {
      look_at_launcher();
      take_signal();
    }
    report_and_end();
  }

 private:
  bool has_ended() {
    if (has_ended_) return true;
    const pid_t found = waitpid(child_, &ending_, WNOHANG);
    if (found < 0 && errno != EINTR) _exit(k_status_exception);
    has_ended_ = found == child_;
    return has_ended_;
  }

  /// Before the launcher has asked for that end: another rank may have noticed it first.
  bool has_been_killed_before(int taken) {
    return has_ended() && WIFSIGNALED(ending_) && WTERMSIG(ending_) != taken;
  }

  void take_signal() {
    const nanoseconds time = std::min(time_to_start(), second);
    const timespec limit{time / second, time % second};
    const int taken = sigtimedwait(&taken_, nullptr, state_.has_begun_mpi ? nullptr : &limit);
    if (taken < 0 && errno == EAGAIN && !state_.has_begun_mpi) look_at_start();
    if (taken < 0 || taken == SIGCHLD) return;
    const bool is_question = taken == SIGUSR1 || taken == SIGUSR2;
    if (!is_question && !has_been_killed_before(taken)) was_told_to_end_ = true;
    if (!has_ended_) kill(child_, taken);
  }

  nanoseconds time_to_start() const {
    if (start_timeout_ == 0 || state_.has_begun_mpi) return forever;
    return std::max<nanoseconds>(0, start_ + start_timeout_ + patience_of_rank() - monotonic_now());
  }

  /// Rank 0 gives up first, rank 1 a second later, the others after two: one speaks for all.
  nanoseconds patience_of_rank() const { return std::min(rank_, 2) * second; }

  /// Nobody would end this rank. And as long as it lives, MPICH's mpiexec does not notice that its
  /// proxy on this host has died: ranks inherit the connection between the two.
  void look_at_launcher() {
    if (getppid() == launcher_) return;
    say("rank {}: the process of the launcher that had started it has died", rank_);
    end_with_child();
  }

  void look_at_start() {
    if (launcher_has_hung_up()) {
      say("rank {}: the launcher has ended before all ranks had begun MPI", rank_);
      end_with_child();
    }
    if (time_to_start() > 0) return;
    say("rank {}: the other ranks have not all started within {} s; one of them may have ended "
        "before it began MPI (--start-timeout)",
        rank_, (start_timeout_ + second / 2) / second);
    end_with_child();
  }

  [[noreturn]] void end_with_child() {
    kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    end_all(k_status_environment);
  }

  [[noreturn]] static void end_all(int status) {
    end_waiting_ranks(status);
    _exit(status);
  }

  bool is_told_to_end_soon() {
    sigset_t ending = taken_;
    for (const int each : {SIGUSR1, SIGUSR2, SIGCHLD}) sigdelset(&ending, each);
    const timespec limit{seconds_to_be_told, 0};
    return sigtimedwait(&ending, nullptr, &limit) > 0;
  }

  bool is_in_body() const { return state_.stage == life_stage::in_body && !state_.has_spoken; }

  /// A library of MPI that cannot start often ends the process, and says little of why. It also
  /// does where another rank has died: then the keeper of that one has spoken, and all are ended
  /// soon.
  [[noreturn]] void end_without_mpi() {
    if (is_told_to_end_soon()) _exit(k_status_environment);
    say("PE {}: error: MPI has ended the process when it was started{} (a script can start one "
        "program of MPI for each rank)",
        rank_, limits_of_start_text().c_str());
    let_output_be_forwarded();
    end_all(k_status_environment);
  }

  [[noreturn]] void report_and_end() {
    if (!was_told_to_end_ && state_.begins_mpi && WIFEXITED(ending_)) end_without_mpi();
    const bool was_killed = WIFSIGNALED(ending_) && !state_.has_spoken;
    const bool is_missed = was_killed || is_in_body();
    if (!was_told_to_end_ && is_missed) {
      say_death(rank_, ending_, state_.last_site, state_.stage);
      let_output_be_forwarded();
    }
    const int status = exit_status();
    const bool has_failed_to_end_all = state_.has_spoken && status != 0;
    if (!state_.has_begun_mpi || is_missed || has_failed_to_end_all) end_all(status);
    _exit(status);
  }

  int exit_status() const {
    if (WIFSIGNALED(ending_)) return status_of_signal(WTERMSIG(ending_));
    return WEXITSTATUS(ending_) == 0 && is_in_body() ? k_status_exception : WEXITSTATUS(ending_);
  }

  const int rank_;
  const pid_t launcher_;
  const pid_t child_;
  kept_rank& state_;
  const nanoseconds start_timeout_;
  const nanoseconds start_ = monotonic_now();
  sigset_t taken_{};
  int ending_ = 0;
  bool has_ended_ = false;
  bool was_told_to_end_ = false;
};

}  // namespace

kept_rank& keep_rank(int rank, nanoseconds start_timeout) {
  void* const shared =
      mmap(nullptr, sizeof(kept_rank), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    fail(errc::environment, "no memory to share with the keeper of PE {}: {}", rank,
         refusal_text(errno, refused::memory));
  auto& state = *new (shared) kept_rank;
  look_at_threads_before_fork();
  flush_output();
  sigset_t all;
  sigset_t former;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &former);  // none may fall between the fork and the handlers
  const pid_t launcher = getppid();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child > 0) keeper(rank, launcher, child, state, start_timeout).keep(former);
  const int reason = errno;
  sigprocmask(SIG_SETMASK, &former, nullptr);
  if (child < 0)
    fail(errc::environment, "the process of PE {} could not be started: {}", rank,
         refusal_text(reason, refused::process));
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
    fail(errc::environment,
         "the process of PE {} could not be tied to the life of its keeper "
         "(prctl): {}",
         rank, std::strerror(errno));
  if (getppid() != parent) _exit(k_status_exception);
  return state;
}

}  // namespace atl::job
