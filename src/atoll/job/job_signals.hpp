#pragma once
// The signals that concern a whole job. A handler notes that one came, and that an interrupted job
// has ended; the guard does the rest.

#include "atoll/job/signal_scope.hpp"
#include "atoll/job/wire.hpp"

namespace atl::job {

class children;

/// Handles SIGCHLD, SIGINT (unless ignored), SIGTERM and SIGUSR1 (unless the program does) for as
/// long as it lives: each is an event of the region. One at a time in a process.
class job_signals {
 public:
  /// The signals are blocked until `open`. Throws `error`: (input) when a job runs already,
  /// (environment).
  explicit job_signals(shm::region& region);
  job_signals(const job_signals&) = delete;
  job_signals& operator=(const job_signals&) = delete;

  /// From now on signals are handled, by this thread.
  void open() noexcept { blocked_.open(); }

  /// In a forked child: gives the signals back; SIGINT and SIGUSR1 stay with PE 0.
  void leave_to_child() noexcept;

  /// How often SIGUSR1 has come. Any thread.
  std::uint32_t questions() const noexcept { return questions_; }

  /// How often SIGINT or SIGTERM has come, and the last of the two. Any thread.
  int interrupts() const noexcept { return interrupts_; }
  int interrupted_by() const noexcept { return interrupted_by_; }

 private:
  static void on_event(int signal, siginfo_t*, void*);

  /// The one that the handler knows.
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

/// As long as it lives, SIGHUP, SIGUSR2 and SIGCONT go to the children as well. One at a time.
class forwarded_signals {
 public:
  /// The signals are blocked until `open`: to be made before there are children, whose programs may
  /// say that they are ready before all of them have been started.
  explicit forwarded_signals(const children& receivers);
  ~forwarded_signals();
  forwarded_signals(const forwarded_signals&) = delete;
  forwarded_signals& operator=(const forwarded_signals&) = delete;

  /// From now on signals are handled, by this thread.
  void open() noexcept { blocked_.open(); }

  /// In a forked child: gives the signals back.
  void leave_to_child() noexcept;

 private:
  blocked_signals blocked_;
  signal_actions actions_;
};

}  // namespace atl::job
