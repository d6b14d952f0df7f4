#include "atoll/job/signal_scope.hpp"

#include "atoll/error.hpp"
#include "atoll/launch.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace atl::job {
namespace {

void ask_nobody(int) {}

[[maybe_unused]] const bool outlives_questions = (outlive_questions(), true);

}  // namespace

bool is_left_to(int signal, void (*usual)(int)) noexcept {
  struct sigaction action{};
  if (sigaction(signal, nullptr, &action) != 0) return false;
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == usual;
}

// The action is a handler and not SIG_IGN, because programs that this process starts would inherit
// SIG_IGN.
void outlive_questions() noexcept {
  if (!is_left_to(SIGUSR1, SIG_DFL)) return;
  struct sigaction outlived{};
  outlived.sa_handler = ask_nobody;
  outlived.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &outlived, nullptr);
}

bool questions_are_ours() noexcept {
  return is_left_to(SIGUSR1, SIG_DFL) || is_left_to(SIGUSR1, ask_nobody);
}

void signal_actions::handle(int signal, handler action, int flags, const sigset_t& held) {
  struct sigaction wanted{};
  wanted.sa_sigaction = action;
  wanted.sa_flags = flags | SA_SIGINFO;
  wanted.sa_mask = held;
  auto& [handled, former] = former_.at(count_);
  if (sigaction(signal, &wanted, &former) != 0)
    fail(errc::environment, "no handler for SIG{} (sigaction): {}", sigabbrev_np(signal),
         std::strerror(errno));
  handled = signal;
  ++count_;
}

void signal_actions::restore() noexcept {
  while (count_ != 0) {
    const auto& [signal, former] = former_[--count_];
    sigaction(signal, &former, nullptr);
  }
}

file_size_signal_ignored::file_size_signal_ignored() noexcept
    : is_ours_(is_left_to(SIGXFSZ, SIG_DFL)) {
  if (is_ours_) signal(SIGXFSZ, SIG_IGN);
}

void file_size_signal_ignored::restore() noexcept {
  if (std::exchange(is_ours_, false)) signal(SIGXFSZ, SIG_DFL);
}

blocked_signals::blocked_signals(std::initializer_list<int> signals) {
  sigemptyset(&signals_);
  for (const int signal : signals) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, &former_);
}

blocked_signals::blocked_signals(const sigset_t& signals) noexcept : signals_(signals) {
  pthread_sigmask(SIG_BLOCK, &signals_, &former_);
}

}  // namespace atl::job
