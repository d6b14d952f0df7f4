#pragma once
// Signal actions and masks that are given back.

#include <array>
#include <csignal>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace atl::job {

/// Whether this signal has the usual action: SIG_DFL or SIG_IGN.
bool is_left_to(int signal, void (*usual)(int)) noexcept;

/// From now on SIGUSR1, which asks a job who waits where, does not end this process where no job
/// runs: the signal may come while one starts, or between two. Nothing happens where the program
/// has decided otherwise. Called when the program is loaded; again where MPI may have changed it.
void outlive_questions() noexcept;

/// The program has left SIGUSR1 to Atoll.
bool questions_are_ours() noexcept;

/// Actions of signals for as long as it lives; the former actions come back in the reverse order.
class signal_actions {
 public:
  using handler = void (*)(int, siginfo_t*, void*);

  signal_actions() = default;
  ~signal_actions() { restore(); }
  signal_actions(const signal_actions&) = delete;
  signal_actions& operator=(const signal_actions&) = delete;

  /// `held` are the signals that wait while the handler runs. Throws `error` (environment).
  void handle(int signal, handler action, int flags, const sigset_t& held);

  /// Gives back the former actions now.
  void restore() noexcept;

 private:
  static constexpr std::size_t most = 8;

  std::array<std::pair<int, struct sigaction>, most> former_;
  std::size_t count_ = 0;
};

/// Blocks some signals for this thread until `open` lets them through. The former mask comes back
/// with `restore`, or at the end of its life.
class blocked_signals {
 public:
  explicit blocked_signals(std::initializer_list<int> signals);
  explicit blocked_signals(const sigset_t& signals) noexcept;
  ~blocked_signals() { restore(); }
  blocked_signals(const blocked_signals&) = delete;
  blocked_signals& operator=(const blocked_signals&) = delete;

  const sigset_t& signals() const noexcept { return signals_; }
  void open() noexcept { pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }
  void restore() noexcept { pthread_sigmask(SIG_SETMASK, &former_, nullptr); }

 private:
  sigset_t signals_;
  sigset_t former_;
};

}  // namespace atl::job
