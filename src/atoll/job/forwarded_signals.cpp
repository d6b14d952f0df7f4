#include "atoll/job/forwarded_signals.hpp"

#include <atomic>
#include <cerrno>

namespace atl::job {
namespace {

std::atomic<const children*> receivers_of_signals{nullptr};

void forward(int signal, siginfo_t*, void*) {
  const int kept_errno = errno;
  if (const children* const receivers = receivers_of_signals) receivers->send(signal);
  errno = kept_errno;
}

}  // namespace

forwarded_signals::forwarded_signals(const children& receivers)
    : blocked_{SIGHUP, SIGUSR2, SIGCONT} {
  receivers_of_signals = &receivers;
  sigset_t none;
  sigemptyset(&none);
  for (const int signal : {SIGHUP, SIGUSR2, SIGCONT})
    if (!is_left_to(signal, SIG_IGN)) actions_.handle(signal, forward, SA_RESTART, none);
}

void forwarded_signals::leave_to_child() noexcept {
  actions_.restore();
  blocked_.restore();
}

forwarded_signals::~forwarded_signals() {
  actions_.restore();
  receivers_of_signals = nullptr;
}

}  // namespace atl::job
