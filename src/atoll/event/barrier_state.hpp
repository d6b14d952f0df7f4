#pragma once
// A phase barrier has any number of phases, numbered from 0. A phase completes when the number of
// arrivals reaches the number that the barrier expects. The home of a phase barrier is the PE that
// made the barrier. This file has the state of a phase barrier on its home. No function of this
// file sends messages or waits.
//
// A phase takes memory only if it has arrivals, waiting PEs, or a change of the number of arrivals
// that it expects. After a phase has completed, only its failure and, for a while, its value are
// kept. Because old phases take little memory, a barrier can have any number of phases.

#include "atoll/base/charged.hpp"
#include "atoll/event.hpp"
#include "atoll/event/barrier_step.hpp"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace atl::events {

/// Number of completed phases whose values a barrier keeps. Values of earlier phases are discarded.
inline constexpr std::size_t k_kept_values = 16;

/// The state of one phase that has not completed.
struct open_phase {
  explicit open_phase(memory_account& account) : value(account), asking(account) {}

  std::int64_t arrived = 0;
  /// Combined value of the arrivals so far; empty if no arrival had a value.
  charged_vector<std::byte> value;
  charged_vector<int> asking;  ///< PEs to notify when the phase completes
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

  /// Adds `count` arrivals to the arrivals at `phase`. The bytes `value` are the combined value of
  /// the arrivals, and are empty if the barrier has no values. Throws atl::error (input) if the
  /// phase has completed, or would have more arrivals than expected after the call. Throws
  /// atl::error (out_of_memory) if memory is exhausted. After an error, the number of arrivals is
  /// unchanged.
  void arrive(std::uint64_t phase, std::int64_t count, std::span<const std::byte> value,
              site where);

  /// Counts `count` arrivals at `phase` whose precondition has failed with `fault`. Throws the same
  /// errors as `arrive`.
  void arrive_failed(std::uint64_t phase, std::int64_t count, const event_fault& fault, site where);

  /// Adds `delta` to the number of arrivals that `phase` and all later phases expect. A negative
  /// `delta` lowers the number. Throws atl::error (input) if the phase has completed. Throws
  /// atl::error (input) if a phase would expect fewer arrivals than it already has.
  void alter(std::uint64_t phase, std::int64_t delta, site where);

  /// Makes `advance` notify PE `pe` when `phase` completes. The phase must not have completed yet.
  void ask(std::uint64_t phase, int pe) { at(phase).asking.push_back(pe); }

  bool has_completed(std::uint64_t phase) const { return phase < current_; }

  /// Returns the first fault of the arrivals at `phase`, or null if no arrival has failed so far.
  const event_fault* fault_of(std::uint64_t phase) const {
    const auto found = failed_.find(phase);
    return found != failed_.end() ? &found->second : nullptr;
  }

  /// Returns the combined value of `phase`, which must have completed. Throws atl::error (input) if
  /// the barrier no longer keeps the value of the phase.
  std::span<const std::byte> value_of(std::uint64_t phase, site where) const;

  /// Completes, in order, the phases that have all their arrivals. Calls `tell(pe, phase, fault)`
  /// for each PE that waits for a completed phase. If the phase has not failed, the argument
  /// `fault` is null.
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

  /// Number of the current phase. All earlier phases have completed.
  std::uint64_t current_ = 0;
  /// Number of arrivals that the current phase expects.
  std::int64_t expected_;
  /// Changes of the expected number of arrivals that have not taken effect yet. The key is the
  /// first phase to which a change applies.
  charged_ordered_map<std::uint64_t, std::int64_t> alterations_;
  /// State of each phase that has not completed, by number of the phase.
  charged_ordered_map<std::uint64_t, open_phase> open_;
  /// First fault of each failed phase.
  charged_ordered_map<std::uint64_t, event_fault> failed_;
  /// Values of the last completed phases, the oldest first. The memory for all values is allocated
  /// when the first value comes. Early allocation lets phases complete even if memory is exhausted
  /// later.
  charged_vector<kept_value> kept_;
  value_folding folding_;
  site made_;
};

}  // namespace atl::events
