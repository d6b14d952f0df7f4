#include "atoll/job/hang_protocol.hpp"

#include "atoll/error.hpp"
#include "atoll/job/wire.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace atl::job {
namespace {

constexpr int looks_a_timeout = 10;
constexpr nanoseconds time_of_an_echo = 500'000'000;

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

// A machine that was suspended, or a job that was stopped as a whole, must not look as if it had
// made no progress meanwhile: what a look took longer than its period does not count.
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
    say_lines(fmt::format(
        "atoll: no progress for {}: a task on PE {} sleeps for {} more; the job waits for it\n",
        time, judge_.pe(), seconds_text(std::max<nanoseconds>(0, deadline - monotonic_now()))));
  }
  return false;
}

bool hang_protocol::hangs(const std::vector<pe_sample>& seen, seeming kind, std::string_view why) {
  if (!carrier_.hangs_for_certain(seen, kind)) return false;
  say_hang(why, carrier_.who_waits());
  return true;
}

// Some launchers signal all processes of a rank, and its keeper hands on what it gets: the same
// question once more.
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
