#pragma once
// Signals that concern a whole job. A handler notes that one came, and that an interrupted job has
// ended; the guard does the rest.

#include "atoll/job/signal_scope.hpp"
#include "atoll/job/wire.hpp"

namespace atl::job {

class children;

/// Handles SIGCHLD, SIGINT (unless ignored), SIGTERM and SIGUSR1 (unless the program does) while it
/// exists. Each is an event of the region. At most one object per process.
class job_signals {
 public:
  /// Blocks the signals until `open`. Throws `error`: (input) if a job runs already, (environment).
  explicit job_signals(shm::region& region);
  job_signals(const job_signals&) = delete;
  job_signals& operator=(const job_signals&) = delete;

  /// Lets signals be handled from now on, by this thread.
  void open() noexcept { blocked_.open(); }

  /// Restores the signals in a forked child; SIGINT and SIGUSR1 stay with PE 0.
  void leave_to_child() noexcept;

  /// Returns how often SIGUSR1 has come. Any thread.
  std::uint32_t questions() const noexcept { return questions_; }

  /// Returns how often SIGINT or SIGTERM has come, and the last of the two. Any thread.
  int interrupts() const noexcept { return interrupts_; }
  int interrupted_by() const noexcept { return interrupted_by_; }

 private:
  static void on_event(int signal, siginfo_t*, void*);

  /// Makes this object the one that the handler knows.
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

/// Passes SIGHUP, SIGUSR2 and SIGCONT on to the children while it exists. At most one object per
/// process.
class forwarded_signals {
 public:
  /// Blocks the signals until `open`. Construct this before there are children: their programs may
  /// report that they are ready before all have been started.
  explicit forwarded_signals(const children& receivers);
  ~forwarded_signals();
  forwarded_signals(const forwarded_signals&) = delete;
  forwarded_signals& operator=(const forwarded_signals&) = delete;

  /// Lets signals be handled from now on, by this thread.
  void open() noexcept { blocked_.open(); }

  /// Restores the signals in a forked child.
  void leave_to_child() noexcept;

 private:
  blocked_signals blocked_;
  signal_actions actions_;
};

}  // namespace atl::job
