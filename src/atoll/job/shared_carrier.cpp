#include "atoll/job/shared_carrier.hpp"

#include "atoll/transport/site_word.hpp"

#include <fmt/format.h>
#include <time.h>
#include <utility>

namespace atl::job {
namespace {

constexpr nanoseconds time_for_answers = 1'000'000'000;
constexpr nanoseconds pause_between_looks_for_answers = 1'000'000;

}  // namespace

shared_carrier::shared_carrier(shm::region& region, const std::atomic<bool>& stopping)
    : region_(region),
      stopping_(stopping),
      progress_seen_(static_cast<std::size_t>(region.pes())) {}

// The kernel, which takes its time, is asked only where no PE shows progress by itself.
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

// One that computes is progress enough: who waits for it need not be asked about.
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

thread_state shared_carrier::thread_of(int pe) {
  const shm::pe_life& life = region_.block(pe).life;
  return state_of_thread(life.process, life.thread);
}

// On a machine that is so busy that a PE does not get to answer, it would have gone on as well; so
// would one that has just been stopped.
hang_report shared_carrier::who_waits() {
  const std::uint32_t question = region_.ask();
  wait_for_answers(question);
  std::vector<observe::pe_answer> answers;
  std::string silent;
  bool is_conclusive = !stopping_ && !region_.ended();
  for (int pe = 0; pe < region_.pes(); ++pe) {
    if (has_answered(pe, question)) {
      answers.push_back(region_.answer(pe).read(pe));
    } else {
      silent += why_silent(pe);
      const thread_state thread = thread_of(pe);
      is_conclusive =
          is_conclusive && (has_left(pe) || !(thread.is_runnable() || thread.is_stopped()));
    }
  }
  return {observe::who_waits_text(answers) + silent, is_conclusive};
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

std::string shared_carrier::why_silent(int pe) {
  const pe_sample seen = sample(pe);
  if (seen.what == pe_sample::activity::left) return fmt::format("  PE {} has ended\n", pe);
  if (seen.what == pe_sample::activity::starts) return fmt::format("  PE {} has not begun\n", pe);
  const site last = transport::site_of_word(region_.block(pe).life.last_site);
  const std::string origin =
      last.known() ? "; the last task it started came from " + to_string(last) : "";
  const thread_state thread = thread_of(pe);
  const char* const state = thread.is_stopped()    ? "is stopped"
                            : thread.is_runnable() ? "computes"
                                                   : "is blocked in a system call";
  return fmt::format("  PE {} does not answer: it {}{}\n", pe, state, origin);
}

}  // namespace atl::job
