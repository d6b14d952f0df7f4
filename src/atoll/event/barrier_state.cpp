#include "atoll/event/barrier_state.hpp"

#include "atoll/base/mutants.hpp"

#include <algorithm>

namespace atl::events {

void barrier_state::arrive(std::uint64_t phase, std::int64_t count,
                           std::span<const std::byte> value, site where) {
  check_arrival(phase, count, where);
  open_phase& here = at(phase);
  if (!value.empty()) kept_.reserve(k_kept_values);
  if (!value.empty() && here.value.empty())
    here.value.assign(folding_.identity.begin(), folding_.identity.end());
  if (!value.empty()) folding_.fold(here.value.data(), value.data());
  here.arrived += count;
}

void barrier_state::arrive_failed(std::uint64_t phase, std::int64_t count, const event_fault& fault,
                                  site where) {
  check_arrival(phase, count, where);
  open_phase& here = at(phase);
  failed_.try_emplace(phase, fault);
  here.arrived += count;
}

void barrier_state::check_arrival(std::uint64_t phase, std::int64_t count, site where) const {
  if (has_completed(phase))
    fail(errc::input,
         "phase {} of the barrier made at {} has completed, and is arrived at again at {}", phase,
         to_string(made_), to_string(where));
  const std::int64_t missing = expected_at(phase) - arrived_at(phase);
  if (count > missing)
    fail(errc::input,
         "phase {} of the barrier made at {} expects {} more of {} arrivals, and gets {} at {}",
         phase, to_string(made_), missing, expected_at(phase), count, to_string(where));
}

void barrier_state::alter(std::uint64_t phase, std::int64_t delta, site where) {
  if (has_completed(phase))
    fail(errc::input,
         "phase {} of the barrier made at {} has completed, and what it expects is altered at {}",
         phase, to_string(made_), to_string(where));
  if (delta < 0 && least_missing_from(phase) + delta < 0)
    fail(errc::input,
         "{} arrivals fewer are to be expected, at {}, from phase {} of the barrier made at {} on, "
         "where a phase waits for {}",
         0 - static_cast<std::uint64_t>(delta), to_string(where), phase, to_string(made_),
         least_missing_from(phase));
  if (delta > 0 && most_expected_from(phase) > INT64_MAX - delta)
    fail(errc::input,
         "{} arrivals more are to be expected, at {}, from phase {} of the barrier made at {} on, "
         "where a phase expects {}: {} are the most",
         delta, to_string(where), phase, to_string(made_), most_expected_from(phase), INT64_MAX);
  if (phase == current_) {
    expected_ += delta;
  } else {
    alterations_[phase] += delta;
  }
}

std::span<const std::byte> barrier_state::value_of(std::uint64_t phase, site where) const {
  const auto found = std::ranges::find(kept_, phase, &kept_value::phase);
  if (found != kept_.end()) return found->value;
  if (kept_.size() == k_kept_values && phase < kept_.front().phase)
    fail(errc::input,
         "the value of phase {} of the barrier made at {} is asked for at {}, and only the last {} "
         "are kept",
         phase, to_string(made_), to_string(where), k_kept_values);
  return folding_.identity;
}

std::int64_t barrier_state::expected_at(std::uint64_t phase) const {
  std::int64_t expected = expected_;
  for (const auto& [from, delta] : alterations_) {
    if (from > phase) break;
    expected += delta;
  }
  return expected;
}

std::int64_t barrier_state::arrived_at(std::uint64_t phase) const {
  const auto found = open_.find(phase);
  return found != open_.end() ? found->second.arrived : 0;
}

// Returns the smallest number of missing arrivals among `phase` and all later phases.
// The function examines `phase`, later phases with arrivals, and later phases at which the expected
// number changes. A phase that is not examined has at least as many missing arrivals as one of the
// examined phases.
std::int64_t barrier_state::least_missing_from(std::uint64_t phase) const {
  std::int64_t least = expected_at(phase) - arrived_at(phase);
  const auto look = [&](std::uint64_t later) {
    least = std::min(least, expected_at(later) - arrived_at(later));
  };
  for (auto each = alterations_.upper_bound(phase); each != alterations_.end(); ++each)
    look(each->first);
  for (auto each = open_.upper_bound(phase); each != open_.end(); ++each) look(each->first);
  return least;
}

std::int64_t barrier_state::most_expected_from(std::uint64_t phase) const {
  std::int64_t most = expected_at(phase);
  for (auto each = alterations_.upper_bound(phase); each != alterations_.end(); ++each)
    most = std::max(most, expected_at(each->first));
  return most;
}

bool barrier_state::current_completes() const {
  using mutants::fault;
  if (current_ == k_no_phase) return false;
  const std::int64_t missing = expected_ - arrived_at(current_);
  return missing == 0 || (missing == 1 && expected_ > 1 && mutants::has(fault::early_phase));
}

// Completes the current phase and returns the PEs that wait for it. The function needs no new
// memory, because the memory was allocated when the arrivals and the waiting PEs were recorded. A
// phase that has all its arrivals can therefore complete even if memory is exhausted.
charged_vector<int> barrier_state::complete_current() noexcept {
  charged_vector<int> asking(open_.get_allocator());
  if (const auto found = open_.find(current_); found != open_.end()) {
    keep_value(found->second.value);
    asking.swap(found->second.asking);
    open_.erase(found);
  }
  current_ = next_phase();
  if (const auto altered = alterations_.find(current_); altered != alterations_.end()) {
    expected_ += altered->second;
    alterations_.erase(altered);
  }
  return asking;
}

void barrier_state::keep_value(charged_vector<std::byte>& value) noexcept {
  if (value.empty()) return;
  if (kept_.size() == k_kept_values) kept_.erase(kept_.begin());
  kept_.push_back({current_, std::move(value)});
}

// Returns the phase after the current one. While the barrier expects 0 arrivals, each phase
// completes at once. If the barrier expects 0 arrivals, the function skips each phase that has no
// arrivals, no waiting PEs and no change of the expected number. If all later phases are skipped,
// the result is `k_no_phase`, which means that all phases have completed.
std::uint64_t barrier_state::next_phase() const {
  if (expected_ != 0) return current_ + 1;
  const std::uint64_t open = open_.empty() ? k_no_phase : open_.begin()->first;
  const std::uint64_t altered = alterations_.empty() ? k_no_phase : alterations_.begin()->first;
  return std::min(open, altered);
}

}  // namespace atl::events
