#pragma once
// Checks the state after a random program. After the program, every event that must end has ended,
// and no event or waiter is left in memory.

#include "event/event_counts.hpp"
#include "event/model/generator.hpp"
#include "event/model/long_programs.hpp"
#include "event/model/running.hpp"
#include "support/ended_well.hpp"

#include <array>

namespace atl::test {

/// Waits for all events of this PE that will end according to the model.
inline task<> await_own(running_program* in) {
  for (std::size_t i = 0; i < in->events.size(); ++i)
    if (in->events[i].end != ends::never && in->made[i].pe() == my_pe())
      expect_end(*in, i, co_await in->made[i].settled());
}

/// Checks that the outcomes of this PE's events are final.
inline task<> check_own(running_program* in) {
  for (std::size_t i = 0; i < in->events.size(); ++i) {
    const event_plan& plan = in->events[i];
    const bool ends_at_all = plan.end != ends::never;
    if (in->made[i].pe() == my_pe()) in->expect(in->made[i].has_triggered() == ends_at_all);
    if (plan.made_by != my_pe()) continue;
    const bool runs =
        plan.kind == event_kind::spawned && in->events[plan.inputs[0]].end == ends::triggered;
    in->expect(in->records[i].runs == (runs ? 1 : 0));
    in->expect(in->records[i].wakes == (ends_at_all ? std::ssize(plan.awaited_by) : 0));
    if (plan.kind != event_kind::filled && plan.kind != event_kind::copied) continue;
    for (std::uint64_t word = 0; word < k_words_each; ++word)
      in->expect(co_await read(in->words[i * k_words_each + word]) == plan.words);
  }
}

/// Checks that every PE can acquire each reservation, and that each reservation can then be
/// destroyed.
inline task<> check_all_free(running_program* in) {
  for (const reservation door : in->doors) {
    const auto hold = [door]() -> task<> {
      co_await door.acquire();
      door.release();
    };
    for (int pe = 0; pe < pes(); ++pe) co_await call(pe, hold);
    door.destroy();
  }
}

inline void destroy_barriers(running_program& in) {
  for (std::size_t i = 0; i < in.barriers.size(); ++i) {
    const std::vector<std::size_t>& phases = in.barriers[i].phases;
    if (phases.empty() || in.events[phases.back()].end != ends::never) in.first_phases[i].destroy();
  }
}

inline std::size_t count_open(const running_program& in) {
  std::set<std::uint64_t> open;
  for (std::size_t i = 0; i < in.events.size(); ++i)
    for (const event each : {in.made[i], in.merged_before[i]})
      if (in.events[i].end == ends::never && each != event::none) open.insert(each.name().word());
  return open.size();
}

inline void check_counts(running_program& in, const event_counts& counts) {
  const std::size_t open = count_open(in);
  in.expect(counts.slots == open);
  in.expect(counts.made - counts.ended == open);
  in.expect(open != 0 || counts.added == counts.woken);
  in.expect(counts.reserved.most_overtaken <= job_settings().unfairness);
  std::uint64_t grants = in.tries + in.doors.size() * static_cast<std::uint64_t>(pes());
  for (const event_plan& plan : in.events)
    grants += plan.kind == event_kind::acquired && plan.end == ends::triggered ? 1 : 0;
  in.expect(counts.reserved.grants == grants);
}

inline task<> run_and_check(running_program* in) {
  co_await prepare(in);
  const auto run = [in] { return run_planned(in); };
  co_await finish(run);
  const auto await_here = [in]() -> task<> { return await_own(in); };
  co_await on_all_pes(await_here);
  co_await check_all_free(in);
  co_await sleep_for(10'000'000);  // Messages arrive for which no task waits.
  const auto check_here = [in]() -> task<> { return check_own(in); };
  co_await on_all_pes(check_here);
  const auto destroy = [in] { destroy_barriers(*in); };
  co_await finish(destroy);
  for (const auto& within : in->inside) in->expect(within.empty());
  check_counts(*in, co_await count_events());
}

/// Returns the settings of a job whose schedule depends on `seed`.
inline settings program_settings(std::uint64_t seed, int pes) {
  constexpr std::array<std::uint64_t, 5> k_unfairness = {0, 1, 3, 16, UINT64_MAX};
  settings options = simulated_job_of(pes, seed);
  options.aggregation = hash(seed + 1) % 4 != 0;
  options.unfairness = k_unfairness[hash(seed + 2) % k_unfairness.size()];
  options.hang_timeout = 3'600'000'000'000;
  return options;
}

/// Runs the program `plan`. Returns true if every event has ended as the model says.
inline bool program_is_right(std::uint64_t seed, int pes, program_plan plan) {
  running_program program(std::move(plan));
  const int status =
      run_job(program_settings(seed, pes), [&]() -> task<> { return run_and_check(&program); });
  return ended_well(status) && !program.wrong;
}

inline int pes_of(std::uint64_t seed) { return 1 + static_cast<int>(hash(seed) % 8); }

inline bool random_program_is_right(std::uint64_t seed) {
  const int pes = pes_of(seed);
  return program_is_right(seed, pes, program_generator(seed, pes).make());
}

/// Runs a long chain of events in which a link fails, or merges of many events of which random ones
/// are poisoned.
inline bool poisoned_program_is_right(std::uint64_t seed) {
  const int pes = pes_of(seed);
  return program_is_right(seed, pes,
                          seed % 2 == 0 ? chain_generator(seed, pes).make()
                                        : merge_generator(seed, pes).make());
}

}  // namespace atl::test
