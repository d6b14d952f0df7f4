#pragma once
// What the starter of a job (PE 0) does beside being a PE: it notices the end of the other PEs and
// SIGINT and SIGTERM at once, also while it computes, and sees to it that all PEs end together.
// SIGUSR1 asks a question, which the watch over hangs answers (hang_watch.hpp).

#include "atoll/transport/shm/region.hpp"
#include "atoll/transport/signal_scope.hpp"

#include <atomic>
#include <csignal>
#include <ctime>
#include <sys/types.h>
#include <vector>

namespace atl::transport {

/// One at a time in a process. Handles SIGCHLD, SIGINT (unless ignored), SIGTERM, SIGUSR1 (unless
/// the program does) and one real-time signal for as long as it lives. Its destructor kills what
/// children there still are, and says on standard error which PE has died, if one has.
class job_watch {
 public:
  /// The signals are blocked until `open`. Throws `error` (input) when a job runs already.
  explicit job_watch(shm::region& region);
  ~job_watch();
  job_watch(const job_watch&) = delete;
  job_watch& operator=(const job_watch&) = delete;

  /// Before `open` only.
  void add_child(int pe, pid_t child) noexcept;

  /// All children are there: from now on, signals are handled.
  void open() noexcept { blocked_.open(); }

  /// In a forked child: gives the signals back; SIGINT and SIGUSR1 stay with PE 0.
  void leave_to_child() noexcept;

  /// PE 0 has ended its body, or was thrown out of it, and needs no pushing any more.
  void body_has_ended() noexcept;

  /// Ends a job that hangs, some seconds later also where PE 0 does not look at its transport. Any
  /// thread.
  void end_hang(int exit_status) noexcept;

  /// How often SIGUSR1 has come; a futex, on which one thread waits.
  std::atomic<std::uint32_t>& questions() noexcept { return questions_; }

  /// Blocks until all children have ended or the job has ended early.
  void wait_for_children_or_end() noexcept;

  /// Blocks until all children have ended, or `deadline`.
  void wait_for_children(nanoseconds deadline) noexcept;
  void kill_children() noexcept;

  /// The largest status of the children that have ended.
  int largest_status() const noexcept { return largest_status_; }

 private:
  static void on_child(int, siginfo_t*, void*);
  static void on_interrupt(int signal, siginfo_t*, void*);
  static void on_question(int, siginfo_t*, void*);
  static void on_timer(int, siginfo_t* info, void*);

  void reap() noexcept;
  void note_end(int pe, int wait_status) noexcept;
  void interrupt(int signal) noexcept;
  void push_body(nanoseconds patience) noexcept;
  void set_timer(nanoseconds time) noexcept;  // 0: off
  void report() noexcept;

  shm::region& region_;
  blocked_signals blocked_;
  signal_actions actions_;
  timer_t timer_{};
  std::vector<std::atomic<pid_t>> children_;  // by PE; 0: none, or ended
  std::atomic<std::uint32_t> running_{0};     // children; a futex
  std::atomic<std::uint32_t> questions_{0};
  std::atomic<int> largest_status_{0};
  std::atomic<int> dead_pe_{-1};
  std::atomic<int> dead_wait_status_{0};
  std::atomic<int> interrupts_{0};
  std::atomic<int> interrupted_by_{0};
  std::atomic<bool> body_ended_{false};
};

}  // namespace atl::transport
