#include "atoll/job/rank_keeper.hpp"

#include "atoll/error.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/pe_end.hpp"
#include "atoll/job/threads.hpp"
#include "atoll/job/wire.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <poll.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace atl::job {
namespace {

constexpr int longest_wait_for_answer = 1000;  // milliseconds to wait for an answer of mpiexec

/// Returns the number in an environment variable, or -1 if the variable is not set.
int number_in(const char* variable) noexcept {
  const char* const text = std::getenv(variable);
  const std::string_view digits = text != nullptr ? text : "";
  int number = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// The connection of a rank to MPICH's mpiexec. The rank and mpiexec send each other lines of text
/// by the PMI protocol.
class line_to_mpiexec {
 public:
  /// The object must be constructed when the program is loaded. After the start of the program, the
  /// number in PMI_FD may be the descriptor of another file.
  line_to_mpiexec() noexcept : file_(number_in("PMI_FD")), socket_(present_socket()) {
    if (socket_ == 0 || number_in("PMI_SIZE") < 2) return;
    process_ = getpid();
    call_at_exit(on_exit);
  }

  /// Returns whether the connection is open. MPI closes the connection when MPI ends.
  bool is_open() const noexcept { return process_ != 0 && present_socket() == socket_; }

  int file() const noexcept { return file_; }

  bool belongs_to_this_process() const noexcept { return process_ == getpid(); }

  bool has_hung_up() const noexcept {
    pollfd asked{file_, 0, 0};
    return is_open() && poll(&asked, 1, 0) == 1 && (asked.revents & POLLHUP) != 0;
  }

  /// Asks mpiexec to end all ranks with `status`. The launcher mpiexec answers each request. If
  /// mpiexec cannot write an answer, it ends with another status. The function therefore first
  /// reads the answers to earlier requests of the PE. After its own request, the function reads
  /// answers until mpiexec ends this process.
  void ask_for_end(int status) const noexcept {
    while (takes_answer(0)) {
    }
    send_command("init pmi_version=1 pmi_subversion=1");
    // mpiexec accepts a command only after it has answered the previous one.
    takes_answer(longest_wait_for_answer);
    char text[40];
    *fmt::format_to_n(text, sizeof text - 1, "abort exitcode={}", status).out = '\0';
    send_command(text);
    while (takes_answer(longest_wait_for_answer)) {
    }
  }

 private:
  static void on_exit(int status, void*);

  /// Reads an answer. Returns false if no answer arrives in time, or if the connection is closed.
  bool takes_answer(int milliseconds) const noexcept {
    pollfd answered{file_, POLLIN, 0};
    char text[256];
    return poll(&answered, 1, milliseconds) == 1 &&
           recv(file_, text, sizeof text, MSG_DONTWAIT) > 0;
  }

  void send_command(const char* words) const noexcept {
    char text[60];
    const auto* const end = fmt::format_to_n(text, sizeof text, "cmd={}\n", words).out;
    send(file_, text, static_cast<std::size_t>(end - text), MSG_NOSIGNAL);
  }

  /// Returns the inode of the connection's socket, or 0 if the descriptor is no socket.
  ino_t present_socket() const noexcept {
    struct stat seen{};
    return fstat(file_, &seen) == 0 && S_ISSOCK(seen.st_mode) ? seen.st_ino : 0;
  }

  int file_;
  ino_t socket_;
  pid_t process_ = 0;  ///< process that has the connection; 0 if there is none
};

const line_to_mpiexec line;

void line_to_mpiexec::on_exit(int status, void*) {
  if (status != 0 && line.belongs_to_this_process()) end_waiting_ranks(status & 0xff);
}

}  // namespace

void end_waiting_ranks(int status) noexcept {
  if (!line.is_open()) return;
  flush_output();
  let_output_be_forwarded();
  line.ask_for_end(status);
}

int file_to_mpiexec() noexcept { return line.is_open() ? line.file() : -1; }

bool launcher_has_hung_up() noexcept { return line.has_hung_up(); }

namespace {

constexpr nanoseconds second = 1'000'000'000;
constexpr std::time_t seconds_to_be_told = 1;

/// Closes all files except standard streams and the connection to mpiexec. If the keeper kept a
/// pipe open that the PE has closed, the reader of the pipe would wait until the keeper ends.
void close_files_of_program() noexcept {
  const int kept = file_to_mpiexec();
  const auto first = static_cast<unsigned>(STDERR_FILENO + 1);
  const auto behind = static_cast<unsigned>(std::max(kept, STDERR_FILENO)) + 1;
  if (behind - 1 > first) close_range(first, behind - 2, 0);
  close_range(behind, ~0U, 0);
}

/// The keeper of a rank is the parent process of the PE, and waits until the PE ends.
class keeper {
 public:
  keeper(int rank, pid_t launcher, pid_t child, kept_rank& state, nanoseconds start_timeout)
      : rank_(rank),
        launcher_(launcher),
        child_(child),
        state_(state),
        start_timeout_(start_timeout) {}

  /// Waits for the end of the PE, reports it, and ends this process. `former` are the signals that
  /// were blocked before the fork. Signals that the keeper handles stay blocked.
  [[noreturn]] void keep(sigset_t former) {
    sigemptyset(&taken_);
    for (const int each : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD}) {
      sigaddset(&taken_, each);
      sigaddset(&former, each);
    }
    signal(SIGCHLD, SIG_DFL);
    // Writing to a launcher that has ended must not kill the keeper.
    signal(SIGPIPE, SIG_IGN);
    close_files_of_program();
    sigprocmask(SIG_SETMASK, &former, nullptr);
    // This call makes the kernel send SIGCHLD also when the launcher dies.
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

  /// Returns whether a signal other than `taken` has already killed the PE. If the result is true,
  /// `taken` may be a consequence of the death, because the launcher ends all ranks when a rank
  /// dies.
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

  /// Returns an additional waiting time that depends on the rank. Rank 0 stops waiting first, rank
  /// 1 stops one second later, and all other ranks stop two seconds later. Because of the different
  /// times, usually only one rank reports that the start has failed.
  nanoseconds patience_of_rank() const { return std::min(rank_, 2) * second; }

  /// If the launcher's process on this host has died, ends this rank, because nothing else would
  /// end the rank. MPICH's mpiexec starts ranks by a proxy process on each host. Ranks inherit the
  /// connection between mpiexec and the proxy. The connection stays open as long as a rank lives,
  /// so mpiexec does not notice the death of the proxy process.
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

  /// Ends the job because MPI has ended the process of the PE. If an MPI library cannot start, it
  /// often ends the process and prints little about the cause, so this function prints a message.
  /// If the launcher is ending all ranks, the function prints nothing, because the keeper of
  /// another rank has reported the cause.
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
  // No signal may arrive between the fork and the setting of handlers.
  sigprocmask(SIG_SETMASK, &all, &former);
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
