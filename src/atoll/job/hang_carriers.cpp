#include "atoll/job/hang_carriers.hpp"

#include "atoll/transport/site_word.hpp"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>
#include <utility>

namespace atl::job {
namespace {

constexpr nanoseconds time_for_answers = 1'000'000'000;
// A question of the hang watch wakes a PE that sleeps in `wait`. If a PE still sleeps after this
// time (in ns), the PE is blocked outside of `wait`.
constexpr nanoseconds time_to_wake_up = 200'000'000;
constexpr nanoseconds most_time_to_look_again = 3'000'000'000;
constexpr nanoseconds pause_between_looks_for_answers = 1'000'000;

}  // namespace

shared_carrier::shared_carrier(shm::region& region, const std::atomic<bool>& stopping)
    : region_(region),
      stopping_(stopping),
      namespace_(shm::process_namespace()),
      progress_seen_(static_cast<std::size_t>(region.pes())) {}

// Reading the state of threads from /proc is slow. The function therefore reads /proc only if no PE
// has recorded progress.
std::optional<std::vector<pe_sample>> shared_carrier::samples() {
  std::vector<pe_sample> all;
  bool any_progressed = false;
  for (int pe = 0; pe < region_.pes(); ++pe) {
    const pe_sample& seen = all.emplace_back(sample(pe));
    std::uint64_t& before = progress_seen_[static_cast<std::size_t>(pe)];
    any_progressed |= std::exchange(before, seen.progress) != seen.progress;
    any_progressed |= seen.what == pe_sample::activity::starts;
  }
  if (!any_progressed) ask_kernel(all);
  return all;
}

// If one PE computes, the job makes progress, so the function stops at the first PE that computes.
void shared_carrier::ask_kernel(std::vector<pe_sample>& all) {
  using activity = pe_sample::activity;
  for (const activity asked : {activity::works, activity::waits})
    for (int pe = 0; pe < region_.pes(); ++pe) {
      pe_sample& seen = all[static_cast<std::size_t>(pe)];
      if (seen.what != asked) continue;
      seen.thread = thread_of(pe);
      if (asked == activity::works && seen.thread.is_runnable()) return;
    }
}

pe_sample shared_carrier::sample(int pe) {
  const shm::pe_life& life = region_.block(pe).life;
  pe_sample seen;
  seen.phase = life.phase.load(std::memory_order_acquire);
  seen.progress = life.progress.load(std::memory_order_relaxed);
  if (seen.phase == 0) return seen;
  if (seen.phase == shm::pe_life::left) {
    seen.what = pe_sample::activity::left;
    return seen;
  }
  seen.what = seen.phase % 2 == 0 ? pe_sample::activity::waits : pe_sample::activity::works;
  seen.deadline = life.deadline.load(std::memory_order_relaxed);
  seen.something_arrived = region_.something_arrived(pe);
  return seen;
}

// If the PE is in another container, or if there is no /proc, the state of its thread is unknown.
// The function reports a thread in an unknown state as running, because an unknown state must not
// be reported as a hang.
thread_state shared_carrier::thread_of(int pe) {
  const shm::pe_life& life = region_.block(pe).life;
  const bool is_seen = life.process_namespace != 0 && life.process_namespace == namespace_;
  if (!is_seen) return {.letter = 'R'};
  thread_state state = state_of_thread(life.process, life.thread);
  const bool works = life.phase.load(std::memory_order_relaxed) % 2 != 0;
  if (works && state.letter == 'S' && has_own_process(pe))
    state.helpers_run = others_run(life.process, life.thread);
  return state;
}

bool shared_carrier::has_own_process(int pe) {
  for (int other = 0; other < region_.pes(); ++other)
    if (other != pe && region_.block(other).life.process == region_.block(pe).life.process)
      return false;
  return true;
}

std::string shared_carrier::who_waits() {
  const std::uint32_t question = region_.ask();
  wait_for_answers(question);
  std::vector<observe::pe_answer> answers;
  std::string silent;
  for (int pe = 0; pe < region_.pes(); ++pe) {
    if (has_answered(pe, question))
      answers.push_back(region_.answer(pe).read(pe));
    else
      silent += why_silent(pe, pe);
  }
  return observe::who_waits_text(answers) + silent;
}

bool shared_carrier::hangs_for_certain(const std::vector<pe_sample>& seen, seeming kind) {
  return all_rest(seen, kind) && all_rest(seen, kind);
}

// If a PE dies or a signal arrives, `events` changes, and the function returns false early, because
// the guard must handle the death or signal first.
bool shared_carrier::all_rest(const std::vector<pe_sample>& seen, seeming kind) {
  const std::uint32_t events = region_.header().events;
  const std::uint32_t question = region_.ask();
  const nanoseconds begin = monotonic_now();
  for (int pe = 0; pe < region_.pes();) {
    const nanoseconds spent = monotonic_now() - begin;
    stance found = stance_of(pe, question, seen[static_cast<std::size_t>(pe)]);
    if (found == stance::undecided && spent >= time_to_wake_up) found = stance_in_kernel(pe, kind);
    if (found == stance::goes_on) return false;
    if (found == stance::at_rest) {
      ++pe;
      continue;
    }
    const bool is_called = stopping_ || region_.ended() || region_.header().events != events;
    if (is_called || spent >= most_time_to_look_again) return false;
    const timespec pause{0, pause_between_looks_for_answers};
    nanosleep(&pause, nullptr);
  }
  return true;
}

// A PE answers a question of the hang watch only while the PE works, not while it waits. A PE waits
// while its phase is even. An even phase after an answer therefore means that the PE has begun to
// wait after it answered. The function loads `progress` last, so that the value includes everything
// that the PE did before the wait.
shared_carrier::stance shared_carrier::stance_of(int pe, std::uint32_t question,
                                                 const pe_sample& seen) {
  const shm::pe_life& life = region_.block(pe).life;
  const bool was_left = seen.what == pe_sample::activity::left;
  if (has_left(pe)) return was_left ? stance::at_rest : stance::goes_on;
  const bool has_looked = has_answered(pe, question);
  const bool waits = life.phase.load(std::memory_order_acquire) % 2 == 0;
  const bool has_timer = life.deadline.load(std::memory_order_relaxed) != forever;
  if (life.progress.load(std::memory_order_relaxed) != seen.progress) return stance::goes_on;
  if (has_looked && waits) return has_timer ? stance::goes_on : stance::at_rest;
  return stance::undecided;
}

shared_carrier::stance shared_carrier::stance_in_kernel(int pe, seeming kind) {
  const thread_state thread = thread_of(pe);
  if (thread.is_stopped() || thread.writes || thread.helpers_run) return stance::goes_on;
  if (thread.is_runnable()) return stance::undecided;
  return kind == seeming::no_progress ? stance::at_rest : stance::goes_on;
}

void shared_carrier::wait_for_answers(std::uint32_t question) {
  const nanoseconds end = monotonic_now() + time_for_answers;
  for (int pe = 0; pe < region_.pes(); ++pe)
    while (!has_left(pe) && !has_answered(pe, question) && !stopping_) {
      if (monotonic_now() >= end) return;
      const timespec pause{0, pause_between_looks_for_answers};
      nanosleep(&pause, nullptr);
    }
}

bool shared_carrier::has_left(int pe) { return region_.block(pe).life.phase == shm::pe_life::left; }

bool shared_carrier::has_answered(int pe, std::uint32_t question) {
  return region_.block(pe).life.answered.load(std::memory_order_acquire) == question;
}

std::string shared_carrier::why_silent(int pe, int name) {
  const pe_sample seen = sample(pe);
  if (seen.what == pe_sample::activity::left) return fmt::format("  PE {} has ended\n", name);
  if (seen.what == pe_sample::activity::starts) return fmt::format("  PE {} has not begun\n", name);
  const site last = transport::site_of_word(region_.block(pe).life.last_site);
  const std::string origin =
      last.known() ? "; the last task it started came from " + to_string(last) : "";
  const thread_state thread = thread_of(pe);
  const char* const state = thread.is_stopped()    ? "is stopped"
                            : thread.is_runnable() ? "computes"
                                                   : "is blocked in a system call";
  return fmt::format("  PE {} does not answer: it {}{}\n", name, state, origin);
}

one_thread_carrier::one_thread_carrier(shm::region& region)
    : region_(region), process_(getpid()), thread_(gettid()) {}

thread_state one_thread_carrier::thread() const {
  thread_state state = state_of_thread(process_, thread_);
  state.helpers_run = state.letter == 'S' && others_run(process_, thread_);
  return state;
}

// Only the PE that runs now can be blocked in a system call, so all other PEs are reported as if
// they had left the job.
std::optional<std::vector<pe_sample>> one_thread_carrier::samples() {
  std::vector<pe_sample> all(static_cast<std::size_t>(region_.pes()),
                             pe_sample{.what = pe_sample::activity::left});
  pe_sample& runs = all[static_cast<std::size_t>(running_.load(std::memory_order_relaxed))];
  runs = {.what = pe_sample::activity::works,
          .phase = 1,
          .progress = turns_.load(std::memory_order_relaxed),
          .thread = thread()};
  return all;
}

std::string one_thread_carrier::who_waits() {
  const int pe = running_.load(std::memory_order_relaxed);
  const site last = transport::site_of_word(region_.block(pe).life.last_site);
  return fmt::format(
      "  PE {} is blocked in a system call, and with it all PEs, which take turns{}\n", pe,
      last.known() ? "; the last task it started came from " + to_string(last) : "");
}

bool one_thread_carrier::hangs_for_certain(const std::vector<pe_sample>& seen, seeming) {
  const thread_state now = thread();
  const auto runs = static_cast<std::size_t>(running_.load(std::memory_order_relaxed));
  return seen[runs].progress == turns_.load(std::memory_order_relaxed) && now.letter == 'S' &&
         !now.writes && !now.helpers_run;
}

}  // namespace atl::job
