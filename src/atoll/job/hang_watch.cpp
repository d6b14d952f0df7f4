#include "atoll/job/hang_watch.hpp"

#include "atoll/error.hpp"
#include "atoll/job/wire.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace atl::job {

using activity = pe_sample::activity;
using verdict = hang_judge::verdict;

verdict hang_judge::judge(std::vector<pe_sample> samples, nanoseconds elapsed) {
  if (before_.empty() || any_progressed(samples)) {
    without_progress_ = counted_ = 0;
    before_ = std::move(samples);
    return verdict::goes_on;
  }
  if (rule_.is_quiescence_alone) {
    const bool hangs = suspended_by(samples) == verdict::goes_on && all_wait_for_ever(samples);
    before_ = std::move(samples);
    return hangs ? verdict::quiescent : verdict::goes_on;
  }
  without_progress_ += elapsed;
  verdict found = suspended_by(samples);
  if (found == verdict::goes_on) {
    counted_ += elapsed;
    if (all_wait_for_ever(samples))
      found = verdict::quiescent;
    else if (counted_ >= rule_.timeout)
      found = verdict::no_progress;
  } else {
    const bool is_news =
        without_progress_ >= rule_.timeout && std::ranges::find(told_, found) == told_.end();
    if (is_news)
      told_.push_back(found);
    else
      found = verdict::goes_on;
  }
  before_ = std::move(samples);
  return found;
}

// If all PEs have left the job, the function also returns true, because a job without PEs cannot
// hang.
bool hang_judge::any_progressed(const std::vector<pe_sample>& samples) const noexcept {
  if (std::ranges::all_of(samples, [](const auto& of) { return of.what == activity::left; }))
    return true;
  for (std::size_t pe = 0; pe < samples.size(); ++pe)
    if (progressed(before_[pe], samples[pe])) return true;
  return false;
}

bool hang_judge::progressed(const pe_sample& before, const pe_sample& now) noexcept {
  if (now.progress != before.progress) return true;
  switch (now.what) {
  case activity::starts:
    return true;
  case activity::works:
    return now.thread.is_runnable() || now.thread.helpers_run ||
           now.thread.processor_ticks != before.thread.processor_ticks;
  case activity::waits:
    return now.something_arrived && now.thread.is_runnable();
  case activity::left:
    return before.what != activity::left;
  }
  return false;
}

// If each PE waits in the same phase in both samples, there was a time at which all PEs waited. The
// later sample shows everything that a PE had sent before it began to wait.
bool hang_judge::all_wait_for_ever(const std::vector<pe_sample>& samples) const noexcept {
  bool one_waits = false;
  for (std::size_t pe = 0; pe < samples.size(); ++pe) {
    const pe_sample& now = samples[pe];
    if (now.what == activity::left) continue;
    if (now.what != activity::waits || now.phase != before_[pe].phase) return false;
    if (now.something_arrived || now.deadline != forever) return false;
    one_waits = true;
  }
  return one_waits;
}

verdict hang_judge::suspended_by(const std::vector<pe_sample>& samples) noexcept {
  const auto find = [&](auto matches) {
    const auto found = std::ranges::find_if(samples, matches);
    if (found == samples.end()) return false;
    pe_ = static_cast<int>(found - samples.begin());
    return true;
  };
  if (find([](const pe_sample& of) { return of.what != activity::left && of.thread.is_stopped(); }))
    return verdict::stopped;
  if (find([](const pe_sample& of) { return of.what == activity::works && of.thread.writes; }))
    return verdict::writes;
  if (find(
          [](const pe_sample& of) { return of.what == activity::waits && of.deadline != forever; }))
    return verdict::sleeps;
  return verdict::goes_on;
}

namespace {

constexpr int looks_a_timeout = 10;
constexpr nanoseconds time_of_an_echo = 500'000'000;
// A PE that waits for a thread outside of the job, such as a server that waits for a client, counts
// as sleeping for an hour (task/scheduler.cpp). Nothing is wrong with such a job, so nothing is
// said.
constexpr nanoseconds longest_told_sleep = 1'800'000'000'000;

std::string seconds_text(nanoseconds time) {
  return fmt::format("{:.3g} s", static_cast<double>(time) / 1e9);
}

}  // namespace

hang_protocol::hang_protocol(hang_carrier& carrier, hang_rule rule, pace looks)
    : carrier_(carrier),
      timeout_(rule.timeout),
      period_(std::clamp(rule.timeout / looks_a_timeout, looks.shortest, looks.longest)),
      judge_(rule),
      last_look_(monotonic_now()),
      next_look_(rule.timeout == 0 ? forever : last_look_ + period_) {}

// The time between two samples counts as at most two sampling periods, so that a job that was
// stopped or suspended is not reported as a hang.
bool hang_protocol::look(nanoseconds time) {
  if (time < next_look_) return false;
  next_look_ = time + period_;
  auto samples = carrier_.samples();
  if (!samples) return false;
  const nanoseconds elapsed = std::min(time - std::exchange(last_look_, time), 2 * period_);
  return judge(*std::move(samples), elapsed);
}

bool hang_protocol::judge(std::vector<pe_sample> samples, nanoseconds elapsed) {
  using verdict = hang_judge::verdict;
  const verdict found = judge_.judge(samples, elapsed);
  const std::string time = seconds_text(timeout_);
  if (found == verdict::quiescent)
    return hangs(samples, seeming::quiescent,
                 "nothing is under way, and the program has not ended");
  if (found == verdict::no_progress)
    return hangs(samples, seeming::no_progress,
                 fmt::format("no progress for {} (--hang-timeout)", time));
  if (found == verdict::stopped)
    say_lines(fmt::format("atoll: no progress for {}: PE {} is stopped; the job waits for it\n",
                          time, judge_.pe()));
  if (found == verdict::writes)
    say_lines(
        fmt::format("atoll: no progress for {}: nobody reads what PE {} writes; the job waits "
                    "for it\n",
                    time, judge_.pe()));
  if (found == verdict::sleeps) {
    const nanoseconds deadline = samples[static_cast<std::size_t>(judge_.pe())].deadline;
    const auto left = std::max<nanoseconds>(0, deadline - monotonic_now());
    if (left < longest_told_sleep)
      say_lines(fmt::format(
          "atoll: no progress for {}: a task on PE {} sleeps for {} more; the job waits for it\n",
          time, judge_.pe(), seconds_text(left)));
  }
  return false;
}

bool hang_protocol::hangs(const std::vector<pe_sample>& seen, seeming kind, std::string_view why) {
  if (!carrier_.hangs_for_certain(seen, kind)) return false;
  say_hang(why, carrier_.who_waits());
  return true;
}

// If SIGUSR1 arrives soon after an answer, the signal is ignored, because the same signal may
// arrive twice. Some launchers signal all processes of a rank, and the keeper process of the rank
// forwards each signal to the PE once more.
void hang_protocol::answer_question() {
  if (monotonic_now() < next_answer_) return;
  say_answer(carrier_.who_waits());
  next_answer_ = monotonic_now() + time_of_an_echo;
}

void say_answer(std::string_view report) {
  say_lines(fmt::format("atoll: who waits where (SIGUSR1)\n{}", report));
}

void say_hang(std::string_view why, std::string_view report) {
  say_lines(
      fmt::format("atoll: hang: {}\n{}atoll: ended with status {}\n", why, report, k_status_hang));
}

}  // namespace atl::job
