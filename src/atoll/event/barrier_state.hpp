#pragma once
// This file has the state of a phase barrier on its home, the PE that made it. No function here
// sends messages or waits.
//
// Memory is used only for phases that have arrivals, alterations of the expected number, or PEs
// that wait for them. Of completed phases, only failures and the last values are kept. The number
// of phases is therefore unlimited.

#include "atoll/base/charged.hpp"
#include "atoll/event.hpp"
#include "atoll/event/barrier_step.hpp"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace atl::events {

/// A barrier keeps the values of this many phases: the latest that have completed and have values.
inline constexpr std::size_t k_kept_values = 16;

/// One phase that has not completed.
struct open_phase {
  explicit open_phase(memory_account& account) : value(account), asking(account) {}

  std::int64_t arrived = 0;
  charged_vector<std::byte> value;  ///< folded value; empty if no arrival has brought one
  charged_vector<int> asking;       ///< PEs to notify of the completion
};

class barrier_state {
 public:
  barrier_state(std::int64_t expected, value_folding folding, site made, memory_account& account)
      : expected_(expected),
        alterations_(account),
        open_(account),
        failed_(account),
        kept_(account),
        folding_(std::move(folding)),
        made_(made) {}

  /// Counts `count` arrivals at `phase`, whose folded value is `value`. Throws atl::error (input)
  /// if there are more arrivals than expected, or (out_of_memory). After an exception, nothing has
  /// been counted.
  void arrive(std::uint64_t phase, std::int64_t count, std::span<const std::byte> value,
              site where);

  /// Counts `count` arrivals at `phase` whose precondition failed with `fault`. Throws the errors
  /// of `arrive`.
  void arrive_failed(std::uint64_t phase, std::int64_t count, const event_fault& fault, site where);

  /// Adds `delta`, which may be negative, to the number of arrivals that `phase` and all later
  /// phases expect. Throws atl::error (input) if the phase has completed, or if fewer arrivals
  /// would be expected than have come.
  void alter(std::uint64_t phase, std::int64_t delta, site where);

  /// Requests that PE `pe` is notified when `phase` completes. The phase must not have completed.
  void ask(std::uint64_t phase, int pe) { at(phase).asking.push_back(pe); }

  bool has_completed(std::uint64_t phase) const { return phase < current_; }

  /// Returns the first fault of the arrivals at `phase`, or null if no arrival has failed so far.
  const event_fault* fault_of(std::uint64_t phase) const {
    const auto found = failed_.find(phase);
    return found != failed_.end() ? &found->second : nullptr;
  }

  /// Returns the value of `phase`, which must have completed. Throws atl::error (input) if the
  /// value is no longer kept.
  std::span<const std::byte> value_of(std::uint64_t phase, site where) const;

  /// Completes phases, in order, as far as possible. Calls `tell(pe, phase, fault)` for each PE
  /// that asked for a phase. If the phase has not failed, `fault` is null.
  template <class Tell>
  void advance(const Tell& tell) {
    while (current_completes()) {
      const std::uint64_t phase = current_;
      const charged_vector<int> asking = complete_current();
      for (const int pe : asking) tell(pe, phase, fault_of(phase));
    }
  }

  /// Calls `tell(pe, phase)` for each PE that waits for a phase.
  template <class Tell>
  void for_each_asking(const Tell& tell) const {
    for (const auto& [phase, open] : open_)
      for (const int pe : open.asking) tell(pe, phase);
  }

  site made() const { return made_; }

 private:
  static constexpr std::uint64_t k_no_phase = std::numeric_limits<std::uint64_t>::max();

  struct kept_value {
    std::uint64_t phase;
    charged_vector<std::byte> value;
  };

  open_phase& at(std::uint64_t phase) {
    return open_.try_emplace(phase, open_.get_allocator().account()).first->second;
  }
  void check_arrival(std::uint64_t phase, std::int64_t count, site where) const;
  std::int64_t expected_at(std::uint64_t phase) const;
  std::int64_t arrived_at(std::uint64_t phase) const;
  std::int64_t least_missing_from(std::uint64_t phase) const;
  std::int64_t most_expected_from(std::uint64_t phase) const;
  bool current_completes() const;
  charged_vector<int> complete_current() noexcept;
  void keep_value(charged_vector<std::byte>& value) noexcept;
  std::uint64_t next_phase() const;

  /// The current phase. All earlier phases have completed.
  std::uint64_t current_ = 0;
  /// Number of arrivals that the current phase expects.
  std::int64_t expected_;
  /// Changes of the expected number, each from a later phase on.
  charged_ordered_map<std::uint64_t, std::int64_t> alterations_;
  charged_ordered_map<std::uint64_t, open_phase> open_;     ///< phases that have not completed
  charged_ordered_map<std::uint64_t, event_fault> failed_;  ///< first fault of each failed phase
  /// Values of the latest phases. The first value reserves the memory for all values.
  charged_vector<kept_value> kept_;
  value_folding folding_;
  site made_;
};

}  // namespace atl::events
