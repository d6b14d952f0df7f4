#pragma once
// Signals that concern a whole job. A handler only records the signal. After SIGINT or SIGTERM, the
// handler also marks the job as ended. The guard (guard.hpp) then reacts to the recorded signals.

#include "atoll/job/signal_scope.hpp"
#include "atoll/job/wire.hpp"

namespace atl::job {

class children;

/// Handles SIGCHLD, SIGINT, SIGTERM and SIGUSR1 as long as this object exists. If the program
/// ignores SIGINT, the signal stays ignored. If the program handles SIGUSR1, its handler stays in
/// place. Each signal wakes the guard. A process may have at most one `job_signals` object.
class job_signals {
 public:
  /// Sets the handlers, and blocks the signals until `open` is called. Throws `error` (input) if a
  /// job already runs in this process. Throws `error` (environment) if the kernel refuses a
  /// handler.
  explicit job_signals(shm::region& region);
  job_signals(const job_signals&) = delete;
  job_signals& operator=(const job_signals&) = delete;

  /// Unblocks the signals. From now on, this thread runs the handlers of the signals.
  void open() noexcept { blocked_.open(); }

  /// In a forked child, restores the former actions of the signals. After the call, the child
  /// ignores SIGINT and SIGUSR1, because the parent process handles them.
  void leave_to_child() noexcept;

  /// Returns how often SIGUSR1 has arrived. Any thread may call this function.
  std::uint32_t questions() const noexcept { return questions_; }

  /// `interrupts` returns how many SIGINT and SIGTERM signals have arrived. `interrupted_by`
  /// returns the signal number of the latest SIGINT or SIGTERM. Any thread may call both functions.
  int interrupts() const noexcept { return interrupts_; }
  int interrupted_by() const noexcept { return interrupted_by_; }

 private:
  static void on_event(int signal, siginfo_t*, void*);

  /// Registers the `job_signals` object to which the handler reports.
  struct claim {
    explicit claim(job_signals& claimed);
    ~claim();
    claim(const claim&) = delete;
    claim& operator=(const claim&) = delete;
  };

  shm::region& region_;
  claim only_;
  blocked_signals blocked_;
  signal_actions actions_;
  std::atomic<std::uint32_t> questions_{0};
  std::atomic<int> interrupts_{0};
  std::atomic<int> interrupted_by_{0};
};

/// Forwards SIGHUP, SIGUSR2 and SIGCONT to the children as long as this object exists. A process
/// may have at most one `forwarded_signals` object.
class forwarded_signals {
 public:
  /// Sets the handlers, and blocks the signals until `open` is called. Construct the object before
  /// the first child starts, because a user may send a signal as soon as a child prints that it is
  /// ready.
  explicit forwarded_signals(const children& receivers);
  ~forwarded_signals();
  forwarded_signals(const forwarded_signals&) = delete;
  forwarded_signals& operator=(const forwarded_signals&) = delete;

  /// Unblocks the signals. From now on, this thread runs the handlers of the signals.
  void open() noexcept { blocked_.open(); }

  /// Restores the former actions of the signals in a forked child.
  void leave_to_child() noexcept;

 private:
  blocked_signals blocked_;
  signal_actions actions_;
};

}  // namespace atl::job
