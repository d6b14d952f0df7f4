#pragma once
// Makes the events of a random program with the runtime. Also contains the functions that
// operations of the program run.

#include "atoll/deferred.hpp"
#include "atoll/event.hpp"
#include "atoll/phase_barrier.hpp"
#include "event/model/progress.hpp"
#include "support/run_on.hpp"

#include <fmt/format.h>

namespace atl::test {

using summing_barrier = reducing_barrier<std::int64_t, std::plus<>>;

inline constexpr std::uint64_t k_words_each = 3;

/// What the program has observed of an event so far.
struct event_record {
  int runs = 0;   ///< number of times that the event's operation has run
  int wakes = 0;  ///< number of wake-ups of tasks that awaited the event
  std::optional<std::size_t> error{};
};

/// A random program that runs. All PEs share a process and access this object directly.
struct running_program : program_plan {
  explicit running_program(program_plan plan)
      : program_plan(std::move(plan)),
        so_far(*this),
        records(events.size()),
        made(events.size()),
        merged_before(events.size()),
        doors(reservations),
        inside(reservations),
        first_phases(barriers.size(), summing_barrier({}, {})),
        handles(barrier_of.size()) {}

  running_program(const running_program&) = delete;
  running_program& operator=(const running_program&) = delete;

  progress so_far;
  std::vector<event_record> records;
  std::vector<event> made;
  /// For each promised event, a merge of its inputs. If another PE than the maker triggers a
  /// promised event, the other PE first waits for the merge.
  std::vector<event> merged_before;
  std::vector<reservation> doors;
  /// for each reservation, the acquisitions whose tasks hold it now
  std::vector<std::vector<std::size_t>> inside;
  std::vector<summing_barrier> first_phases;
  /// For each member of a barrier, the handles that the member has got. The member arrives at a
  /// phase with the last handle that is valid for the phase.
  std::vector<std::vector<summing_barrier>> handles;
  global_array<std::uint64_t> words;
  std::uint64_t tries = 0;  ///< number of calls of `try_acquire` that succeeded
  bool wrong = false;

  void expect(bool holds, site where = site::current()) {
    if (holds) return;
    wrong = true;
    fmt::print(stderr, "not as the model says: {}\n", to_string(where));
  }
  std::uint64_t drawn(std::size_t number, std::uint64_t what, std::uint64_t bound) const {
    return hash(events[number].chance + what) % bound;
  }
  array_part<std::uint64_t> words_of(std::size_t number) const {
    return {words, number * k_words_each, k_words_each};
  }
};

inline reservation_mode mode_of(const event_plan& acquisition) {
  return acquisition.mode == 0 ? exclusive : reservation_mode::shared(acquisition.mode - 1);
}

inline error error_of(std::size_t number) {
  return {errc::input, "poison " + std::to_string(number)};
}

/// Checks that a new task may hold the reservation `door` in the mode `mode`, because all other
/// holders share `mode`. Tasks that hold the reservation by the acquisition `own` are not checked,
/// because the new task belongs to `own`.
inline void expect_admitted(running_program& in, std::size_t door, std::uint32_t mode,
                            std::optional<std::size_t> own) {
  for (const std::size_t other : in.inside[door])
    in.expect(other == own || (mode != 0 && in.events[other].mode == mode));
}

/// Records that the operation of event `number` holds the planned reservations. Checks that all
/// other holders have a compatible mode.
inline void enter(running_program& in, std::size_t number) {
  for (const std::size_t acquired : in.events[number].inside) {
    const event_plan& as = in.events[acquired];
    expect_admitted(in, as.of, as.mode, acquired);
    in.inside[as.of].push_back(acquired);
  }
}

inline void leave(running_program& in, std::size_t number) {
  for (const std::size_t acquired : in.events[number].inside) {
    std::vector<std::size_t>& all = in.inside[in.events[acquired].of];
    all.erase(std::ranges::find(all, acquired));
  }
}

inline task<> try_one(running_program& in, std::size_t number) {
  if (in.doors.empty() || in.drawn(number, 0, 4) != 0) co_return;
  const std::size_t door = in.drawn(number, 1, in.doors.size());
  const auto mode = static_cast<std::uint32_t>(in.drawn(number, 2, 3));
  const reservation_mode wanted = mode == 0 ? exclusive : reservation_mode::shared(mode - 1);
  if (!co_await in.doors[door].try_acquire(wanted)) co_return;
  ++in.tries;
  expect_admitted(in, door, mode, {});
  in.doors[door].release();
}

inline void begin_operation(running_program& in, std::size_t number) {
  const event_plan& plan = in.events[number];
  in.expect(in.events[plan.inputs[0]].end == ends::triggered);
  in.expect(in.so_far.may_have_ended(plan.inputs[0]));
  in.expect(my_pe() == plan.ended_by);
  ++in.records[number].runs;
  enter(in, number);
}

inline void end_operation(running_program& in, std::size_t number) {
  leave(in, number);
  in.so_far.end(number);
  if (in.events[number].own_end == ends::failed) throw error_of(number);
}

/// Runs an operation that sleeps for a while. After the sleep, the operation reads data that was
/// written before the operation began.
inline task<> operate_slowly(running_program* in, std::size_t number) {
  begin_operation(*in, number);
  co_await sleep_for(static_cast<transport::nanoseconds>(in->drawn(number, 3, 20'000)));
  if (const auto source = in->events[number].source) {
    const auto last = in->words[*source * k_words_each + k_words_each - 1];
    in->expect(co_await read(last) == in->events[*source].words);
  }
  co_await try_one(*in, number);
  end_operation(*in, number);
}

inline event spawn_planned(running_program* in, std::size_t number, event input) {
  const int pe = in->events[number].ended_by;
  if (in->drawn(number, 4, 3) != 0)
    return spawn_when(pe, input, [in, number] { return operate_slowly(in, number); });
  return spawn_when(pe, input, [in, number] {
    begin_operation(*in, number);
    end_operation(*in, number);
  });
}

inline event promise_planned(running_program* in, std::size_t number,
                             const std::vector<event>& inputs) {
  const user_event promised = make_user_event();
  const int pe = in->events[number].ended_by;
  if (pe == my_pe()) {
    trigger_when(promised, inputs);
  } else {
    const event merged = in->merged_before[number] = merge_events(inputs);
    async_call(pe, [promised, merged] { trigger_when(promised, merged); });
  }
  return promised;
}

/// Makes event `number` on the PE that the plan states.
inline event make_planned(running_program* in, std::size_t number) {
  const event_plan& plan = in->events[number];
  std::vector<event> inputs;
  for (const std::size_t i : plan.inputs) inputs.push_back(in->made[i]);
  switch (plan.kind) {
  case event_kind::user:
    return make_user_event();
  case event_kind::all:
    return merge_events(inputs);
  case event_kind::settled:
    return ignore_faults(inputs);
  case event_kind::any:
    return any_of_events(inputs);
  case event_kind::promised:
    return promise_planned(in, number, inputs);
  case event_kind::filled:
    return fill_when(inputs[0], in->words_of(number), number + 1);
  case event_kind::copied:
    // A copy without a source copies words that no task writes.
    return copy_when(inputs[0], in->words_of(number),
                     in->words_of(plan.source.value_or(in->events.size())));
  case event_kind::acquired:
    return in->doors[plan.of].acquire(inputs.empty() ? event::none : inputs[0], mode_of(plan));
  case event_kind::released:
    return in->doors[plan.of].release(inputs[0], inputs[1]);
  case event_kind::phase:
    return in->first_phases[plan.of].advance(plan.phase).completion();
  default:
    return spawn_planned(in, number, inputs[0]);
  }
}

}  // namespace atl::test
