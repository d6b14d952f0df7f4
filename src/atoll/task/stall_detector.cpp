#include "atoll/task/stall_detector.hpp"

#include "atoll/log.hpp"
#include "atoll/machine.hpp"
#include "atoll/observe/counters.hpp"
#include "atoll/task/scheduler.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace atl::tasks {
namespace {

constexpr int k_signal = SIGVTALRM;
constexpr int k_most_reports = 5;
constexpr std::int64_t k_second = 1'000'000'000;

}  // namespace

stall_detector::stall_detector(pe& self, std::int64_t stall_time)
    : self_(self), stall_time_(observe::counts ? stall_time : 0) {
  if (stall_time_ != 0 && !start()) stall_time_ = 0;
}

bool stall_detector::start() {
  struct sigaction action{};
  action.sa_sigaction = &on_signal;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  if (sigaction(k_signal, &action, nullptr) != 0) return refused("no handler for SIGVTALRM", errno);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = k_signal;
  event.sigev_value.sival_ptr = this;
  event._sigev_un._tid = gettid();
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) != 0)
    return refused("no timer", errno);
  const timespec period{stall_time_ / k_second, stall_time_ % k_second};
  const itimerspec every{period, period};
  if (timer_settime(timer_, 0, &every, nullptr) == 0) return true;
  const int reason = errno;
  timer_delete(timer_);
  return refused("the timer cannot be started", reason);
}

/// Warns that there is no timer, and returns false. If the kernel refuses a timer to every PE, only
/// PE 0 warns. If the kernel has too few timers (EAGAIN), each PE without a timer warns.
bool stall_detector::refused(const char* what, int reason) const {
  if (self_.rank == 0 || reason == EAGAIN)
    log::warning("tasks that use the processor for long without a switch are not named "
                 "(--stall-time; 0 asks for none): {}: {}",
                 what, refusal_text(reason, atl::refused::timer));
  return false;
}

stall_detector::~stall_detector() {
  if (stall_time_ != 0) timer_delete(timer_);
}

void stall_detector::on_signal(int, siginfo_t* info, void*) {
  const int saved = errno;
  if (info->si_code == SI_TIMER) static_cast<stall_detector*>(info->si_value.sival_ptr)->look();
  errno = saved;
}

void stall_detector::look() {
  const std::uint64_t switches = self_.counters->context_switches;
  if (switches != switches_seen_ || self_.tasks->current() == nullptr) {
    switches_seen_ = switches;
    reported_ = false;
    return;
  }
  if (reported_) return;
  reported_ = true;
  ++self_.counters->stalls;
  if (reports_++ < k_most_reports) report();
}

void stall_detector::report() const {
  // The signal handler must not allocate memory, so it prints the report by a single `write`.
  const site spawned = self_.tasks->current()->spawned_at;
  const char* file = spawned.file();
  if (const char* slash = std::strrchr(file, '/')) file = slash + 1;
  char line[400];
  const auto end = fmt::format_to_n(
      line, sizeof line,
      "atoll: PE {}: the task spawned at {}:{} has used its processor for {} ms without a switch "
      "(--stall-time); no message is delivered meanwhile: `co_await atl::yield()` in long "
      "loops\n",
      self_.rank, file, spawned.line(), stall_time_ / 1'000'000);
  const auto length = std::min(end.size, sizeof line);
  if (::write(STDERR_FILENO, line, length) < 0) return;
}

}  // namespace atl::tasks
