#pragma once
// The model of a random program. For each event, the model computes the outcome, the possible
// errors, and the events that end before this event. The time at which an event ends is random, but
// the outcome of the event is not random.

#include "event/model/plan.hpp"

#include <algorithm>

namespace atl::test {

class event_model {
 public:
  explicit event_model(const program_plan& of) : all_(of.events) {}

  /// Computes the outcome of the next event, and stores the outcome in `plan`.
  void describe(event_plan& plan, std::size_t number) const {
    plan.end = end_of(plan);
    if (plan.end == ends::failed) plan.errors = errors_of(plan, number);
    plan.before = before(plan);
    plan.before.set(number);
    if (plan.end == ends::triggered && plan.kind == event_kind::filled) plan.words = number + 1;
    if (plan.end == ends::triggered && plan.kind == event_kind::copied && plan.source)
      plan.words = all_[*plan.source].words;
  }

 private:
  std::ptrdiff_t count(const event_plan& plan, ends wanted) const {
    return std::ranges::count_if(plan.inputs, [&](std::size_t i) { return all_[i].end == wanted; });
  }

  ends end_of(const event_plan& plan) const {
    const auto triggered = count(plan, ends::triggered);
    const auto failed = count(plan, ends::failed);
    const auto all = std::ssize(plan.inputs);
    switch (plan.kind) {
    case event_kind::user:
      return plan.own_end;
    case event_kind::settled:
      return triggered + failed == all ? ends::triggered : ends::never;
    case event_kind::any:
      if (triggered > 0) return ends::triggered;
      return failed == all ? ends::failed : ends::never;
    case event_kind::released:
      return all_[plan.inputs[1]].end == ends::failed ? ends::failed : all_[plan.inputs[0]].end;
    case event_kind::phase:
      if (plan.own_end == ends::never || triggered + failed != all) return ends::never;
      return failed - (phase_before_failed(plan) ? 1 : 0) > 0 ? ends::failed : ends::triggered;
    default:
      if (failed > 0) return ends::failed;
      if (triggered != all) return ends::never;
      return plan.kind == event_kind::spawned ? plan.own_end : ends::triggered;
    }
  }

  bool phase_before_failed(const event_plan& plan) const {
    return plan.phase > 0 && all_[plan.inputs[0]].end == ends::failed;
  }

  std::set<std::size_t> errors_of(const event_plan& plan, std::size_t number) const {
    if (plan.kind == event_kind::user) return {number};
    if (plan.kind == event_kind::spawned && all_[plan.inputs[0]].end == ends::triggered)
      return {number};
    if (plan.kind == event_kind::released && all_[plan.inputs[1]].end == ends::failed)
      return all_[plan.inputs[1]].errors;
    std::set<std::size_t> errors;
    const std::size_t first = plan.kind == event_kind::phase && plan.phase > 0 ? 1 : 0;
    for (std::size_t i = first; i < plan.inputs.size(); ++i)
      errors.insert(all_[plan.inputs[i]].errors.begin(), all_[plan.inputs[i]].errors.end());
    return errors;
  }

  /// Returns the events that certainly end before the event of `plan`. If one of several inputs
  /// suffices to end the event, the result has only the events that end before each of the inputs.
  event_set before(const event_plan& plan) const {
    const bool one_is_enough = plan.kind == event_kind::any ? plan.end == ends::triggered
                                                            : (plan.kind == event_kind::all ||
                                                               plan.kind == event_kind::promised) &&
                                                                  plan.end == ends::failed;
    event_set found;
    if (plan.end == ends::never || plan.inputs.empty()) return found;
    if (one_is_enough) found.set();
    for (const std::size_t i : plan.inputs) {
      if (!one_is_enough) found |= all_[i].before;
      if (one_is_enough && all_[i].end == plan.end) found &= all_[i].before;
    }
    return found;
  }

  const std::vector<event_plan>& all_;
};

}  // namespace atl::test
