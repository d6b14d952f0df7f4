#include "atoll/job/hang_judge.hpp"

#include <algorithm>
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

// What PEs that have left still do is to end; that is no concern of a watch over tasks.
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

// No PE has woken between the two samples, so all were waiting at the time of the later sample, and
// what they sent before they waited is seen.
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

}  // namespace atl::job
