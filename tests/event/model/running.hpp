#pragma once
// Runs a random program, and compares what happens with the model.

#include "event/model/making.hpp"

namespace atl::test {

/// Checks that event `number` has the outcome that the model computes, and that the event may have
/// ended by now. A failed event must throw the same error on every PE and at any time.
inline void expect_end(running_program& in, std::size_t number,
                       const std::optional<event_fault>& fault) {
  const event_plan& plan = in.events[number];
  in.expect(plan.end == (fault ? ends::failed : ends::triggered));
  in.expect(in.so_far.may_have_ended(number));
  if (!fault) return;
  try {
    std::rethrow_exception(fault->failure);
  } catch (const error& failure) {
    const std::string text = failure.what();
    const std::size_t first = std::stoul(text.substr(text.rfind(' ') + 1));
    in.expect(plan.errors.contains(first));
    in.expect(in.records[number].error.value_or(first) == first);
    in.records[number].error = first;
    in.expect(fault->where.known() && fault->pe == in.events[first].ended_by);
  }
}

inline task<> look_at_phase(running_program* in, std::size_t number) {
  const event_plan& plan = in->events[number];
  const summing_barrier phase = in->first_phases[plan.of].advance(plan.phase);
  const auto fault = co_await phase.completion().settled();
  expect_end(*in, number, fault);
  if (!fault) in->expect(co_await phase.result() == in->barriers[plan.of].sums[plan.phase]);
}

inline task<> await_planned(running_program* in, std::size_t number) {
  if (in->events[number].kind == event_kind::phase) co_await look_at_phase(in, number);
  const auto fault = co_await in->made[number].settled();
  in->expect(in->made[number].has_triggered());
  in->expect(in->made[number].is_poisoned() == fault.has_value());
  expect_end(*in, number, fault);
  ++in->records[number].wakes;
}

/// Returns the handle with which a member arrives at a phase, or changes the number of arrivals.
inline summing_barrier handle_of(const running_program& in, std::size_t member,
                                 std::uint64_t phase) {
  const auto& all = in.handles[member];
  const auto last = std::find_if(
      all.rbegin(), all.rend(), [&](const summing_barrier& each) { return each.phase() <= phase; });
  return last->advance(phase - last->phase());
}

inline void arrive_planned(running_program& in, const move_plan& move) {
  const summing_barrier at = handle_of(in, move.member, in.events[move.event].phase);
  const event when = move.precondition ? in.made[*move.precondition] : event::none;
  const auto amount = static_cast<std::uint64_t>(move.amount);
  if (amount == 1) return at.arrive(move.value, when);
  static_cast<const phase_barrier&>(at).arrive(amount, when);
}

inline void invite_planned(running_program& in, const move_plan& move) {
  const std::uint64_t from = in.events[move.event].phase + move.ahead;
  const summing_barrier grown = handle_of(in, move.member, from).alter_expected(move.amount);
  in.handles[move.member].push_back(grown);
  for (const std::size_t each : move.invited) in.handles[each] = {grown};
}

inline void end_planned(running_program& in, std::size_t number) {
  const user_event ended(in.made[number].name());
  in.so_far.end(number);
  if (in.events[number].own_end == ends::failed) return ended.poison(error_of(number));
  ended.trigger();
}

inline void make_move(running_program& in, std::size_t index) {
  const move_plan& move = in.moves[index];
  in.so_far.make(move);
  switch (move.kind) {
  case move_kind::end:
    return end_planned(in, move.event);
  case move_kind::arrive:
    return arrive_planned(in, move);
  case move_kind::invite:
    return invite_planned(in, move);
  case move_kind::leave:
    handle_of(in, move.member, in.events[move.event].phase).alter_expected(-move.amount);
    return;
  case move_kind::look:
    return;
  }
}

/// Sends a move, such as the trigger of an event, to the PE that makes the move. The caller waits
/// only if the move adds members, because the new members need the handle that the move makes.
inline task<> ask_for_move(running_program* in, std::size_t index) {
  const move_plan& move = in->moves[index];
  const auto make = [in, index] { make_move(*in, index); };
  if (move.kind == move_kind::invite)
    co_await call(move.pe, make);
  else if (move.kind == move_kind::look)
    async_call(move.pe, [in, number = move.event] { return look_at_phase(in, number); });
  else
    async_call(move.pe, make);
}

inline task<> run_planned(running_program* in) {
  std::size_t moved = 0;
  random_stream random(in->chance);
  for (std::size_t number = 0; number < in->events.size(); ++number) {
    const event_plan& plan = in->events[number];
    const auto make = [in, number] { in->made[number] = make_planned(in, number); };
    co_await call(plan.made_by, make);
    if (plan.end != ends::never)
      for (const int pe : plan.awaited_by)
        async_call(pe, [in, number]() -> task<> { return await_planned(in, number); });
    for (; moved < in->moves.size() && in->moves[moved].step <= number; ++moved)
      co_await ask_for_move(in, moved);
    if (random.below(8) == 0) co_await sleep_for(random.below(20'000));
  }
  for (; moved < in->moves.size(); ++moved) co_await ask_for_move(in, moved);
}

inline task<> prepare(running_program* in) {
  const auto any_pe = [in](std::size_t i) {
    return static_cast<int>(hash(in->chance + i) % static_cast<std::uint64_t>(pes()));
  };
  in->words = co_await make_array<std::uint64_t>((in->events.size() + 1) * k_words_each,
                                                 {1 + in->chance % 7});
  const auto make_door = [] { return make_reservation(); };
  for (std::size_t i = 0; i < in->doors.size(); ++i)
    in->doors[i] = co_await call(any_pe(i), make_door);
  for (std::size_t i = 0; i < in->barriers.size(); ++i) {
    const auto expected = static_cast<std::uint64_t>(in->barriers[i].expected);
    const auto make = [expected] {
      return make_reducing_barrier(expected, std::int64_t{0}, std::plus<>());
    };
    in->first_phases[i] = co_await call(in->barriers[i].home, make);
  }
  for (std::size_t i = 0; i < in->handles.size(); ++i)
    in->handles[i] = {in->first_phases[in->barrier_of[i]]};
}

}  // namespace atl::test
