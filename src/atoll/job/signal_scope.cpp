#include "atoll/job/signal_scope.hpp"

namespace atl::job {

bool is_left_to(int signal, void (*usual)(int)) noexcept {
  struct sigaction action{};
  sigaction(signal, nullptr, &action);
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == usual;
}

void signal_actions::handle(int signal, handler action, int flags, const sigset_t& held) {
  struct sigaction wanted{};
  wanted.sa_sigaction = action;
  wanted.sa_flags = flags | SA_SIGINFO;
  wanted.sa_mask = held;
  struct sigaction former{};
  sigaction(signal, &wanted, &former);
  former_.emplace_back(signal, former);
}

void signal_actions::restore() noexcept {
  for (auto entry = former_.rbegin(); entry != former_.rend(); ++entry)
    sigaction(entry->first, &entry->second, nullptr);
  former_.clear();
}

blocked_signals::blocked_signals(std::initializer_list<int> signals) {
  sigemptyset(&signals_);
  for (const int signal : signals) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, &former_);
}

}  // namespace atl::job
