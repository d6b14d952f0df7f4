#pragma once
// Classes that change signal actions and signal masks, and restore them at the end of a scope.

#include <array>
#include <csignal>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace atl::job {

/// Returns whether the action of `signal` is `usual`, which is SIG_DFL or SIG_IGN.
bool is_left_to(int signal, void (*usual)(int)) noexcept;

/// Prevents SIGUSR1 from ending this process while no job runs. SIGUSR1 asks a job where its tasks
/// wait, but the signal may arrive before a job or between two jobs. If the program has set an
/// action for SIGUSR1, the function does nothing. The library calls this function when it is
/// loaded.
void outlive_questions() noexcept;

/// Returns true if Atoll may handle SIGUSR1. If the program has set an action for SIGUSR1, returns
/// false.
bool questions_are_ours() noexcept;

/// Sets signal actions for the lifetime of this object. The destructor restores the former actions
/// in reverse order.
class signal_actions {
 public:
  using handler = void (*)(int, siginfo_t*, void*);

  signal_actions() = default;
  ~signal_actions() { restore(); }
  signal_actions(const signal_actions&) = delete;
  signal_actions& operator=(const signal_actions&) = delete;

  /// Sets a handler for `signal`. `flags` are flags of sigaction. Signals in `held` are blocked
  /// while the handler runs. Throws `error` (environment) if the kernel refuses the handler.
  void handle(int signal, handler action, int flags, const sigset_t& held);

  /// Restores the former actions now. After this call, the destructor has no effect.
  void restore() noexcept;

 private:
  static constexpr std::size_t most = 8;

  std::array<std::pair<int, struct sigaction>, most> former_;
  std::size_t count_ = 0;
};

/// Blocks signals for this thread until `open` unblocks them. `restore` or the destructor restores
/// the former signal mask.
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
