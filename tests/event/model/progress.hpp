#pragma once
// Records the operations of a running program and the actions of its PEs (moves). From the
// operations and moves so far, computes which events have possibly ended. The set of possibly ended
// events only grows.

#include "event/model/plan.hpp"

#include <algorithm>

namespace atl::test {

class progress {
 public:
  explicit progress(const program_plan& program)
      : program_(program),
        done_(program.events.size()),
        may_have_ended_(program.events.size()),
        missing_(program.events.size()) {
    for (const move_plan& move : program.moves)
      if (is_awaited(move)) ++missing_[move.event];
  }

  /// Records that a user event or an operation is about to end.
  void end(std::size_t number) { done_[number] = true; }

  /// Records that a PE is about to perform the action `move`.
  void make(const move_plan& move) {
    if (is_awaited(move)) --missing_[move.event];
  }

  /// Returns true if event `number` may have ended with the outcome of the model.
  bool may_have_ended(std::size_t number) {
    if (!may_have_ended_[number])
      for (std::size_t i = 0; i <= number; ++i)
        if (!may_have_ended_[i]) may_have_ended_[i] = may(i);
    return may_have_ended_[number];
  }

 private:
  /// Returns true if a phase of a barrier waits for the action `move`, because a member arrives or
  /// leaves.
  static bool is_awaited(const move_plan& move) {
    return move.kind == move_kind::arrive || move.kind == move_kind::leave;
  }

  bool may(std::size_t number) const {
    const event_plan& plan = program_.events[number];
    if (plan.end == ends::never) return false;
    switch (plan.kind) {
    case event_kind::user:
      return done_[number];
    case event_kind::all:
    case event_kind::promised:
      return plan.end == ends::triggered ? every(plan) : one(plan);
    case event_kind::any:
      return plan.end == ends::triggered ? one(plan) : every(plan);
    case event_kind::spawned:
      return done_[number] || (runs_never(plan) && every(plan));
    case event_kind::phase:
      return missing_[number] == 0 && every(plan);
    default:
      return every(plan);
    }
  }

  bool runs_never(const event_plan& plan) const {
    return program_.events[plan.inputs[0]].end == ends::failed;
  }
  bool every(const event_plan& plan) const {
    return std::ranges::all_of(plan.inputs, [this](auto i) { return may_have_ended_[i]; });
  }
  /// Returns true if at least one input may have ended with the outcome `plan.end`.
  bool one(const event_plan& plan) const {
    return std::ranges::any_of(plan.inputs, [&](auto i) {
      return program_.events[i].end == plan.end && may_have_ended_[i];
    });
  }

  const program_plan& program_;
  std::vector<bool> done_;
  std::vector<bool> may_have_ended_;
  std::vector<int> missing_;  ///< for each phase, the number of missing arrivals and leaves
};

}  // namespace atl::test
