#include "atoll/transport/job_watch.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/exit_status.hpp"
#include "atoll/transport/clock.hpp"
#include "atoll/transport/death_report.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::transport {
namespace {

constexpr nanoseconds time_for_body_to_unwind = 400'000'000;
// Nobody is in a hurry then, and a PE may have to wait for a processor.
constexpr nanoseconds time_for_hanging_body_to_unwind = 5'000'000'000;

std::atomic<job_watch*> present{nullptr};

int timer_signal() { return SIGRTMAX - 2; }

bool is_left_to(int signal, void (*usual)(int)) {
  struct sigaction action{};
  sigaction(signal, nullptr, &action);
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == usual;
}

/// Handlers may run between a system call of the program and its look at errno.
class kept_errno {
 public:
  ~kept_errno() { errno = value_; }

 private:
  int value_ = errno;
};

int exit_status_of(int wait_status) {
  if (WIFSIGNALED(wait_status)) return 128 + WTERMSIG(wait_status);
  return WEXITSTATUS(wait_status) != 0 ? WEXITSTATUS(wait_status) : k_status_exception;
}

}  // namespace

job_watch::job_watch(shm::region& region)
    : region_(region),
      blocked_{SIGCHLD, SIGINT, SIGTERM, SIGUSR1, timer_signal()},
      children_(static_cast<std::size_t>(region.pes())) {
  job_watch* none = nullptr;
  if (!present.compare_exchange_strong(none, this))
    fail(errc::input, "a job was started while another one runs in this process");
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = timer_signal();
  event.sigev_value.sival_ptr = this;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) {
    present = nullptr;
    fail(errc::environment, "a timer could not be made: {}", std::strerror(errno));
  }
  const sigset_t& all = blocked_.signals();  // no handler interrupts another
  actions_.handle(timer_signal(), on_timer, SA_RESTART, all);
  actions_.handle(SIGCHLD, on_child, SA_RESTART | SA_NOCLDSTOP, all);
  if (!is_left_to(SIGINT, SIG_IGN)) actions_.handle(SIGINT, on_interrupt, SA_RESTART, all);
  actions_.handle(SIGTERM, on_interrupt, SA_RESTART, all);
  if (is_left_to(SIGUSR1, SIG_DFL)) actions_.handle(SIGUSR1, on_question, SA_RESTART, all);
}

job_watch::~job_watch() {
  body_has_ended();
  open();
  kill_children();
  wait_for_children(forever);
  report();
  timer_delete(timer_);
  signal(timer_signal(), SIG_IGN);  // drops one that is pending
  actions_.restore();
  present = nullptr;
}

void job_watch::add_child(int pe, pid_t child) noexcept {
  children_[static_cast<std::size_t>(pe)] = child;
  ++running_;
}

void job_watch::leave_to_child() noexcept {
  actions_.restore();
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  if (is_left_to(SIGUSR1, SIG_DFL)) signal(SIGUSR1, SIG_IGN);
  blocked_.restore();
}

void job_watch::body_has_ended() noexcept {
  body_ended_ = true;
  set_timer(0);
}

void job_watch::set_timer(nanoseconds time) noexcept {
  const itimerspec once{{0, 0}, {0, time}};
  timer_settime(timer_, 0, &once, nullptr);
}

void job_watch::end_hang(int exit_status) noexcept {
  if (region_.end(exit_status)) push_body(time_for_hanging_body_to_unwind);
}

void job_watch::wait_for_children(nanoseconds deadline) noexcept {
  for (std::uint32_t running = running_; running != 0 && monotonic_now() < deadline;
       running = running_)
    shm::futex_wait(running_, running, deadline);
}

void job_watch::kill_children() noexcept {
  for (const auto& child : children_)
    if (const pid_t id = child; id != 0) kill(id, SIGKILL);
}

void job_watch::wait_for_children_or_end() noexcept {
  for (std::uint32_t running = running_; running != 0 && !region_.ended(); running = running_)
    shm::futex_wait(running_, running, forever);
}

void job_watch::report() noexcept {
  const int pe = dead_pe_;
  if (pe < 0) return;
  const int ending = dead_wait_status_;
  if (WIFSIGNALED(ending) && WTERMSIG(ending) == interrupted_by_) return;  // it went to the group
  say_death(pe, ending, region_.block(pe).life.last_site);
}

void job_watch::on_child(int, siginfo_t*, void*) {
  const kept_errno keep;
  if (job_watch* const watch = present) watch->reap();
}

void job_watch::on_interrupt(int signal, siginfo_t*, void*) {
  const kept_errno keep;
  if (job_watch* const watch = present) watch->interrupt(signal);
}

void job_watch::on_question(int, siginfo_t*, void*) {
  const kept_errno keep;
  if (job_watch* const watch = present) {
    ++watch->questions_;
    shm::futex_wake(watch->questions_);
  }
}

void job_watch::on_timer(int, siginfo_t* info, void*) {
  job_watch* const watch = present;
  if (watch == nullptr || info->si_code != SI_TIMER || info->si_value.sival_ptr != watch) return;
  watch->kill_children();
  watch->report();
  _exit(watch->region_.end_status());
}

// Only own children: the program may have others.
void job_watch::reap() noexcept {
  for (std::size_t pe = 0; pe < children_.size(); ++pe) {
    const pid_t child = children_[pe];
    int ending = 0;
    if (child == 0 || waitpid(child, &ending, WNOHANG) != child) continue;
    children_[pe] = 0;
    note_end(static_cast<int>(pe), ending);
    --running_;
    shm::futex_wake(running_);
  }
}

void job_watch::note_end(int pe, int wait_status) noexcept {
  const int status = exit_status_of(wait_status);
  if (WIFEXITED(wait_status) && region_.block(pe).finished != 0) {
    largest_status_ = std::max(largest_status_.load(), WEXITSTATUS(wait_status));
    if (region_.ended()) push_body(time_for_body_to_unwind);
    return;
  }
  if (region_.end(status)) {
    dead_wait_status_ = wait_status;
    dead_pe_ = pe;
    kill_children();
  }
  push_body(time_for_body_to_unwind);
}

void job_watch::interrupt(int signal) noexcept {
  if (interrupts_++ > 0) {
    kill_children();
    _exit(128 + signal);
  }
  interrupted_by_ = signal;
  region_.end(128 + signal);
  kill_children();
  push_body(time_for_body_to_unwind);
}

// PE 0 sees the end of the job at its next `poll` or `wait`. When that does not come, the timer
// ends the process. Another thread may call this while the body ends: hence the second look.
void job_watch::push_body(nanoseconds patience) noexcept {
  if (body_ended_) return;
  set_timer(patience);
  if (body_ended_) set_timer(0);
}

}  // namespace atl::transport
