#pragma once
// Functions that all generators of random programs use.

#include "atoll/random.hpp"
#include "event/model/ends.hpp"

#include <utility>

namespace atl::test {

class program_maker {
 protected:
  program_maker(std::uint64_t seed, int pes) : random_(seed), pes_(pes) { program_.chance = seed; }

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.below(bound)); }
  bool one_in(std::size_t count) { return below(count) == 0; }
  int any_pe() { return static_cast<int>(below(static_cast<std::size_t>(pes_))); }
  std::size_t any_event() { return below(next()); }
  std::size_t next() const { return program_.events.size(); }
  const event_plan& at(std::size_t number) const { return program_.events[number]; }

  event_plan some(event_kind kind, std::vector<std::size_t> inputs = {}) {
    event_plan plan;
    plan.kind = kind;
    plan.inputs = std::move(inputs);
    plan.made_by = any_pe();
    plan.ended_by = any_pe();
    return plan;
  }

  /// Adds an event to the program, and returns the event's number. At most `most_waiting` tasks
  /// wait for the event.
  std::size_t add(event_plan plan, std::size_t most_waiting) {
    const std::size_t number = next();
    plan.chance = random_();
    event_model(program_).describe(plan, number);
    for (std::size_t i = below(most_waiting + 1); i > 0; --i) plan.awaited_by.push_back(any_pe());
    program_.events.push_back(std::move(plan));
    return number;
  }

  /// Adds a user event to the program. If `end` is not `never`, some PE ends the event after step
  /// `step` has been made.
  std::size_t add_user(ends end, std::size_t step, std::size_t most_waiting) {
    event_plan plan = some(event_kind::user);
    plan.own_end = end;
    move_plan move;
    move.pe = plan.ended_by;
    move.event = next();
    move.step = std::max(step, next());
    if (end != ends::never) program_.moves.push_back(move);
    return add(std::move(plan), most_waiting);
  }

  program_plan take() {
    std::ranges::stable_sort(program_.moves, {}, &move_plan::step);
    return std::move(program_);
  }

  random_stream random_;
  int pes_;
  program_plan program_;
};

}  // namespace atl::test
