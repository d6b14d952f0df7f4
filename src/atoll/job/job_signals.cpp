#include "atoll/job/job_signals.hpp"

#include "atoll/error.hpp"
#include "atoll/job/guard.hpp"

#include <atomic>
#include <cerrno>

namespace atl::job {
namespace {

std::atomic<job_signals*> signals_of_job{nullptr};

}  // namespace

job_signals::claim::claim(job_signals& claimed) {
  job_signals* none = nullptr;
  if (!signals_of_job.compare_exchange_strong(none, &claimed))
    fail(errc::input, "a job was started while another one runs in this process");
}

job_signals::claim::~claim() { signals_of_job = nullptr; }

job_signals::job_signals(shm::region& region)
    : region_(region), only_(*this), blocked_{SIGCHLD, SIGINT, SIGTERM, SIGUSR1} {
  const sigset_t& all = blocked_.signals();  // a running handler is not interrupted by another one
  actions_.handle(SIGCHLD, on_event, SA_RESTART | SA_NOCLDSTOP, all);
  if (!is_left_to(SIGINT, SIG_IGN)) actions_.handle(SIGINT, on_event, SA_RESTART, all);
  actions_.handle(SIGTERM, on_event, SA_RESTART, all);
  if (questions_are_ours()) actions_.handle(SIGUSR1, on_event, SA_RESTART, all);
}

void job_signals::leave_to_child() noexcept {
  actions_.restore();
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  if (questions_are_ours()) signal(SIGUSR1, SIG_IGN);
  blocked_.restore();
}

void job_signals::on_event(int signal, siginfo_t*, void*) {
  const int kept_errno = errno;  // the interrupted code may still need its errno
  if (job_signals* const job = signals_of_job) {
    if (signal == SIGUSR1) ++job->questions_;
    if (signal == SIGINT || signal == SIGTERM) {
      job->interrupted_by_ = signal;
      ++job->interrupts_;
      job->region_.end(status_of_signal(signal));
    }
    job->region_.note_event();
  }
  errno = kept_errno;
}

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
