#pragma once
// Signal actions and masks that are restored at the end of a scope.

#include <array>
#include <csignal>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace atl::job {

/// Returns whether this signal has the given usual action: SIG_DFL or SIG_IGN.
bool is_left_to(int signal, void (*usual)(int)) noexcept;

/// Keeps SIGUSR1 from ending this process outside of jobs. The signal asks a job where its tasks
/// wait, and may come while a job starts, or between two. Does nothing if the program has set an
/// action. Called when the program is loaded, and again after MPI may have changed the action.
void outlive_questions() noexcept;

/// Returns whether the program has left SIGUSR1 to Atoll.
bool questions_are_ours() noexcept;

/// Signal actions for the lifetime of this object; the former actions are restored in the reverse
/// order.
class signal_actions {
 public:
  using handler = void (*)(int, siginfo_t*, void*);

  signal_actions() = default;
  ~signal_actions() { restore(); }
  signal_actions(const signal_actions&) = delete;
  signal_actions& operator=(const signal_actions&) = delete;

  /// Sets a handler. `held` are the signals that wait while the handler runs. Throws `error`
  /// (environment).
  void handle(int signal, handler action, int flags, const sigset_t& held);

  /// Restores the former actions now.
  void restore() noexcept;

 private:
  static constexpr std::size_t most = 8;

  std::array<std::pair<int, struct sigaction>, most> former_;
  std::size_t count_ = 0;
};

/// Blocks some signals for this thread until `open` lets them through. `restore` or the destructor
/// restores the former mask.
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
