#include "atoll/transport/hang_watch.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/exit_status.hpp"
#include "atoll/base/settings.hpp"
#include "atoll/transport/clock.hpp"
#include "atoll/transport/say.hpp"
#include "atoll/transport/site_word.hpp"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace atl::transport {
namespace {

constexpr nanoseconds longest_period = 100'000'000;
constexpr nanoseconds shortest_period = 5'000'000;
constexpr int looks_a_timeout = 10;
constexpr nanoseconds time_for_answers = 1'000'000'000;
constexpr nanoseconds pause_between_looks_for_answers = 1'000'000;

/// A thread that takes no signal: they are PE 0's.
std::thread thread_without_signals(auto body) {
  sigset_t all;
  sigset_t former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  const auto restore = [&] { pthread_sigmask(SIG_SETMASK, &former, nullptr); };
  try {
    std::thread started(body);
    restore();
    return started;
  } catch (const std::system_error& failure) {
    restore();
    fail(errc::environment, "the thread that watches over hangs could not be started: {}",
         failure.what());
  }
}

std::string seconds_text(nanoseconds time) {
  return fmt::format("{:.3g} s", static_cast<double>(time) / 1e9);
}

}  // namespace

hang_watch::hang_watch(shm::region& region, job_watch& watch, nanoseconds timeout)
    : region_(region),
      watch_(watch),
      timeout_(timeout),
      judge_(timeout),
      progress_seen_(static_cast<std::size_t>(region.pes())),
      thread_(thread_without_signals([this] { run(); })) {}

hang_watch::~hang_watch() {
  stopping_ = true;
  ++watch_.questions();
  shm::futex_wake(watch_.questions());
  thread_.join();
}

// A machine that was suspended, or a job that was stopped as a whole, must not look as if it had
// made no progress meanwhile: what a look took longer than its period does not count.
void hang_watch::run() {
  const nanoseconds period =
      timeout_ == 0 ? forever
                    : std::clamp(timeout_ / looks_a_timeout, shortest_period, longest_period);
  std::uint32_t answered = 0;
  nanoseconds last_look = monotonic_now();
  while (!stopping_) {
    const nanoseconds next_look = period == forever ? forever : last_look + period;
    shm::futex_wait(watch_.questions(), answered, next_look);
    if (stopping_ || region_.ended()) return;
    if (const std::uint32_t asked = watch_.questions(); asked != answered) {
      answered = asked;
      say_lines("atoll: who waits where (SIGUSR1)\n" + who_waits());
    }
    if (const nanoseconds time = monotonic_now(); time >= next_look) {
      look(std::min(time - last_look, 2 * period));
      last_look = time;
    }
  }
}

void hang_watch::look(nanoseconds elapsed) {
  using verdict = hang_judge::verdict;
  const std::vector<pe_sample> seen = samples();
  const verdict found = judge_.judge(seen, elapsed);
  const std::string time = seconds_text(timeout_);
  if (found == verdict::quiescent) end_job("nothing is under way, and the program has not ended");
  if (found == verdict::no_progress)
    end_job(fmt::format("no progress for {} (--hang-timeout)", time));
  if (found == verdict::stopped)
    say_lines(fmt::format("atoll: no progress for {}: PE {} is stopped; the job waits for it\n",
                          time, judge_.pe()));
  if (found == verdict::sleeps) {
    const nanoseconds deadline = seen[static_cast<std::size_t>(judge_.pe())].deadline;
    say_lines(fmt::format(
        "atoll: no progress for {}: a task on PE {} sleeps for {} more; the job waits"
        " for it\n",
        time, judge_.pe(), seconds_text(std::max<nanoseconds>(0, deadline - monotonic_now()))));
  }
}

void hang_watch::end_job(const std::string& why) {
  const std::string report = who_waits();
  if (stopping_ || region_.ended() || silent_pe_runs()) return;
  say_lines(
      fmt::format("atoll: hang: {}\n{}atoll: ended with status {}\n", why, report, k_status_hang));
  watch_.end_hang(k_status_hang);
}

// The kernel is asked only about PEs that show no progress by themselves.
std::vector<pe_sample> hang_watch::samples() {
  std::vector<pe_sample> all;
  for (int pe = 0; pe < region_.pes(); ++pe) {
    pe_sample seen = sample(pe);
    std::uint64_t& before = progress_seen_[static_cast<std::size_t>(pe)];
    if (std::exchange(before, seen.progress) == seen.progress) seen.thread = thread_of(pe);
    all.push_back(seen);
  }
  return all;
}

pe_sample hang_watch::sample(int pe) {
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

thread_state hang_watch::thread_of(int pe) {
  const shm::pe_life& life = region_.block(pe).life;
  return state_of_thread(life.process, life.thread);
}

std::string hang_watch::who_waits() {
  const std::uint32_t question = question_ = region_.ask();
  const nanoseconds end = monotonic_now() + time_for_answers;
  while (!wait_for_answers(question) && monotonic_now() < end && !stopping_) {
  }
  std::vector<observe::pe_answer> answers;
  std::string silent;
  for (int pe = 0; pe < region_.pes(); ++pe) {
    if (has_answered(pe, question)) {
      answers.push_back(region_.answer(pe).read(pe));
    } else {
      silent += why_silent(pe);
    }
  }
  return observe::who_waits_text(answers) + silent;
}

bool hang_watch::wait_for_answers(std::uint32_t question) {
  for (int pe = 0; pe < region_.pes(); ++pe) {
    const bool is_there = region_.block(pe).life.phase != shm::pe_life::left;
    if (!is_there || has_answered(pe, question)) continue;
    const timespec pause{0, pause_between_looks_for_answers};
    nanosleep(&pause, nullptr);
    return false;
  }
  return true;
}

// On a machine that is so busy that a PE does not get to answer, it would have gone on as well.
bool hang_watch::silent_pe_runs() {
  for (int pe = 0; pe < region_.pes(); ++pe) {
    const bool is_there = region_.block(pe).life.phase != shm::pe_life::left;
    if (is_there && !has_answered(pe, question_) && thread_of(pe).is_runnable()) return true;
  }
  return false;
}

bool hang_watch::has_answered(int pe, std::uint32_t question) {
  return region_.block(pe).life.answered.load(std::memory_order_acquire) == question;
}

std::string hang_watch::why_silent(int pe) {
  const pe_sample seen = sample(pe);
  if (seen.what == pe_sample::activity::left) return fmt::format("  PE {} has ended\n", pe);
  if (seen.what == pe_sample::activity::starts) return fmt::format("  PE {} has not begun\n", pe);
  const site last = site_of_word(region_.block(pe).life.last_site);
  const std::string origin =
      last.known() ? "; the last task it started came from " + to_string(last) : "";
  const thread_state thread = thread_of(pe);
  const char* const state = thread.is_stopped()    ? "is stopped"
                            : thread.is_runnable() ? "computes"
                                                   : "is blocked in a system call";
  return fmt::format("  PE {} does not answer: it {}{}\n", pe, state, origin);
}

}  // namespace atl::transport
