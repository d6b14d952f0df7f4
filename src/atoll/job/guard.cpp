#include "atoll/job/guard.hpp"

#include "atoll/error.hpp"
#include "atoll/job/pe_end.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <system_error>
#include <time.h>
#include <unistd.h>
#include <utility>

namespace atl::job {

children::~children() {
  kill_all();
  wait_for_all();
}

void children::add(int pe, pid_t child) noexcept {
  running_[static_cast<std::size_t>(pe)] = child;
  ++count_;
}

std::optional<children::end> children::reap() noexcept {
  for (std::size_t pe = 0; pe < running_.size(); ++pe) {
    int ending = 0;
    if (running_[pe] == 0) continue;
    const pid_t found = waitpid(running_[pe], &ending, WNOHANG);
    // The program has already called waitpid for this child, so the child's status is unknown.
    const bool is_lost = found < 0 && errno == ECHILD;
    if (found != running_[pe] && !is_lost) continue;
    running_[pe] = 0;
    --count_;
    return end{static_cast<int>(pe), ending};
  }
  return std::nullopt;
}

void children::send(int signal) const noexcept {
  for (const pid_t child : running_)
    if (child != 0) kill(child, signal);
}

void children::kill_all() noexcept { send(SIGKILL); }

void children::wait_for_all() noexcept {
  for (pid_t& child : running_) {
    if (child == 0) continue;
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    child = 0;
    --count_;
  }
}

namespace {

constexpr hang_protocol::pace looks_for_hangs{.shortest = 5'000'000, .longest = 100'000'000};

// Times in ns within which PEs must unwind their stacks after an early end of the job. PEs get more
// time after a hang, because a PE may have to wait for a processor, and the end of the job is not
// urgent.
constexpr nanoseconds time_for_children_to_unwind = 200'000'000;
constexpr nanoseconds time_for_bodies_to_unwind = 400'000'000;
constexpr nanoseconds time_to_unwind_from_a_hang = 5'000'000'000;

// If a PE is about to print why the job ends, the guard waits for the PE, but for at most
// `time_for_words` ns. Every `time_between_looks_for_words` ns, the guard checks whether the PE has
// printed the reason.
constexpr nanoseconds time_for_words = 2'000'000'000;
constexpr nanoseconds time_between_looks_for_words = 10'000'000;

// Processor time in ns that the bodies of the PEs need to unwind their stacks. If the bodies have
// used less than `work_of_bodies_to_unwind`, the guard waits longer, because a loaded machine may
// not have run the bodies at all. The guard limits how often it waits longer, and not how long,
// because a loaded machine may also delay the guard.
constexpr nanoseconds work_of_bodies_to_unwind = 200'000'000;
constexpr nanoseconds more_time_to_unwind = 100'000'000;
constexpr int most_times_more = 16;

// If a signal is sent to the whole process group, the signal may reach PE 0 about 20 ms later than
// the other PEs. On a loaded machine, the delay may be longer, so the guard waits repeatedly.
constexpr timespec time_for_a_signal_to_the_group{0, 20'000'000};
constexpr int most_times_for_a_signal = 100;

class all_signals_blocked {
 public:
  all_signals_blocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former_);
  }
  ~all_signals_blocked() { pthread_sigmask(SIG_SETMASK, &former_, nullptr); }
  all_signals_blocked(const all_signals_blocked&) = delete;
  all_signals_blocked& operator=(const all_signals_blocked&) = delete;

 private:
  sigset_t former_;
};

/// Starts a thread in which all signals are blocked, so that the kernel delivers signals to PE 0.
std::thread thread_without_signals(auto body) {
  const all_signals_blocked inherited;
  try {
    return std::thread(body);
  } catch (const std::system_error& failure) {
    fail(errc::environment, "the thread that watches over the job could not be started: {}",
         refusal_text(failure.code().value(), refused::thread));
  }
}

/// Returns the processor time in ns that all threads of this process have used.
nanoseconds processor_time() noexcept {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * 1'000'000'000 + used.tv_nsec;
}

int exit_status_of(int wait_status) {
  if (WIFSIGNALED(wait_status)) return status_of_signal(WTERMSIG(wait_status));
  return WEXITSTATUS(wait_status) != 0 ? WEXITSTATUS(wait_status) : k_status_exception;
}

/// Returns whether SIGINT or SIGTERM is pending for this process. The calling thread must have
/// blocked all signals.
bool is_interrupt_pending() noexcept {
  sigset_t pending;
  return sigpending(&pending) == 0 &&
         (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1);
}

bool is_interrupt(int wait_status) {
  return WIFSIGNALED(wait_status) &&
         (WTERMSIG(wait_status) == SIGINT || WTERMSIG(wait_status) == SIGTERM);
}

}  // namespace

guard::guard(shm::region& region, children& forked, const job_signals& signals,
             nanoseconds hang_timeout, watch what, std::function<void(int)> last_words)
    : region_(region),
      children_(forked),
      signals_(signals),
      watch_(what),
      last_words_(std::move(last_words)),
      carrier_(region, stopping_),
      hangs_(carrier_, {hang_timeout, what != watch::all}, looks_for_hangs),
      thread_(thread_without_signals([this] { run(); })) {}

guard::guard(shm::region& region, children& forked, const job_signals& signals,
             nanoseconds hang_timeout, hang_carrier& carrier, std::function<void(int)> last_words)
    : region_(region),
      children_(forked),
      signals_(signals),
      watch_(watch::blocking),
      last_words_(std::move(last_words)),
      carrier_(region, stopping_),
      hangs_(carrier, hang_timeout, looks_for_hangs),
      thread_(thread_without_signals([this] { run(); })) {}

guard::~guard() {
  stopping_ = true;
  region_.note_event();
  thread_.join();
}

// `wait_for_children` and `run` load `events` before they examine the state of the job. Other
// threads first change the state of the job, and then increase `events`. If the guard misses a
// change of the state, `events` differs from the loaded value, so `futex_wait` returns at once. All
// accesses to `events` are sequentially consistent.
void guard::wait_for_children() noexcept {
  auto& events = region_.header().events;
  for (std::uint32_t seen = events; children_.count() != 0; seen = events)
    shm::futex_wait(events, seen, forever);
}

void guard::run() noexcept {
  auto& events = region_.header().events;
  for (std::uint32_t seen = events; !stopping_; seen = events) {
    take_interrupts();
    take_ends();
    if (outsider_ >= 0) end_where_outsiders_are_missed();
    const nanoseconds time = monotonic_now();
    without_failure(&guard::take_questions, time);
    without_failure(&guard::look_for_hangs, time);
    if (region_.ended()) enforce_end(time);
    shm::futex_wait(events, seen, next_deadline());
  }
}

// Calls `work`, which may fail for lack of memory. A failure of `work` is reported only once per
// job, because a later call of `work` may succeed. The guard handles deaths and signals in other
// functions, which allocate no memory.
void guard::without_failure(void (guard::*work)(nanoseconds), nanoseconds time) noexcept {
  try {
    (this->*work)(time);
  } catch (...) {
    if (std::exchange(failure_is_told_, true)) return;
    say("warning: the watch over hangs could not look: {}",
        describe(std::current_exception()).c_str());
  }
}

nanoseconds guard::next_deadline() const noexcept {
  if (!region_.ended()) return hangs_.next_look();
  return std::min(bodies_ended_ ? forever : end_at_,
                  children_.count() != 0 ? kill_children_at_ : forever);
}

// The first SIGINT or SIGTERM kills the children. A second SIGINT or SIGTERM ends this process at
// once.
void guard::take_interrupts() {
  const int interrupts = signals_.interrupts();
  if (interrupts == interrupts_seen_) return;
  if (std::exchange(interrupts_seen_, interrupts) > 0 || interrupts > 1) end_by_force();
  children_.kill_all();
}

void guard::take_ends() {
  while (const auto ended = children_.reap()) {
    take_end(*ended);
    region_.note_event();
  }
}

/// Handles the end of a child that has exited without joining the job. If `child` has joined the
/// job or was killed, returns false.
bool guard::take_end_of_outsider(const children::end& child) {
  const bool joined = region_.block(child.pe).life.phase != 0;
  if (watch_ != watch::programs || joined || !WIFEXITED(child.wait_status)) return false;
  const int status = WEXITSTATUS(child.wait_status);
  if (status == 0) {
    outsider_ = child.pe;
  } else if (region_.end(status)) {
    say("PE {} has ended with status {} before it joined the others (shmem_init)", child.pe,
        status);
    children_.kill_all();
  }
  return true;
}

// If some PEs have joined the job, and another PE has exited without joining, ends the job.
// If the job did not end, the PEs that have joined would wait forever for the missing PE. If no PE
// joins, the job continues, because oshrun may also start programs that do not use Atoll.
void guard::end_where_outsiders_are_missed() {
  for (int pe = 0; pe < region_.pes() && !region_.ended(); ++pe)
    if (region_.block(pe).life.phase != 0 && region_.end(k_status_exception))
      say("PE {} has ended before it joined the others (shmem_init)", outsider_);
}

void guard::take_end(const children::end& child) {
  if (take_end_of_outsider(child)) return;
  if (WIFEXITED(child.wait_status) && region_.block(child.pe).finished != 0) {
    largest_status_ = std::max(largest_status_.load(), WEXITSTATUS(child.wait_status));
    return;
  }
  if (is_interrupt(child.wait_status) && !region_.ended()) {
    int times = 0;
    do nanosleep(&time_for_a_signal_to_the_group, nullptr);
    while (is_interrupt_pending() && ++times < most_times_for_a_signal);
    take_interrupts();
  }
  if (!region_.end(exit_status_of(child.wait_status))) return;
  const shm::pe_life& life = region_.block(child.pe).life;
  say_death(child.pe, child.wait_status, life.last_site,
            life.phase == 0 ? life_stage::before_body : life_stage::in_body);
  children_.kill_all();
}

void guard::look_for_hangs(nanoseconds time) {
  if (region_.ended() || !hangs_.look(time)) return;
  hung_ = true;
  region_.end(k_status_hang);
}

void guard::take_questions(nanoseconds) {
  const std::uint32_t asked = signals_.questions();
  if (std::exchange(answered_, asked) != asked && watch_ != watch::blocking && !region_.ended())
    hangs_.answer_question();
}

// Each PE notices the end of the job when it next calls `poll` or `wait` of its endpoint. If a PE
// calls neither function in time, the PE is killed.
void guard::enforce_end(nanoseconds time) {
  if (end_at_ == forever) {
    kill_children_at_ = time + time_for_children_to_unwind;
    end_at_ = time + (hung_ ? time_to_unwind_from_a_hang : time_for_bodies_to_unwind);
    times_more_ = hung_ ? 0 : most_times_more;
    work_at_end_ = processor_time();
    words_until_ = time + time_for_words;
  }
  if (region_.has_speakers() && time < words_until_) {
    const nanoseconds next_look = time + time_between_looks_for_words;
    if (kill_children_at_ != forever) kill_children_at_ = std::max(kill_children_at_, next_look);
    end_at_ = std::max(end_at_, next_look);
    return;
  }
  if (time >= kill_children_at_ && children_.count() != 0) {
    children_.kill_all();
    kill_children_at_ = forever;
  }
  if (time < end_at_ || bodies_ended_) return;
  const bool have_worked = processor_time() - work_at_end_ >= work_of_bodies_to_unwind;
  if (have_worked || times_more_-- == 0) end_by_force();
  end_at_ = time + more_time_to_unwind;
}

void guard::end_by_force() {
  children_.kill_all();
  children_.wait_for_all();
  const int status =
      region_.ended() ? region_.end_status() : status_of_signal(signals_.interrupted_by());
  if (last_words_) last_words_(status);
  _exit(status);
}

}  // namespace atl::job
