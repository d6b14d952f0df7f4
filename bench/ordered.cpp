#include "bench/ordered.hpp"

#include "atoll/atoll.hpp"
#include "bench/ordered_workers.hpp"

namespace atl::bench::ordered {
namespace {

constexpr int k_lone_pushes = 200;

std::uint64_t all_workers() { return job_settings().workers * static_cast<std::uint64_t>(pes()); }

/// Returns the number of operations of worker `me`. The shares of all workers add up to
/// `operations`.
std::uint64_t share(std::uint64_t operations, const worker& me) {
  return operations / all_workers() + (me.number < operations % all_workers() ? 1 : 0);
}

template <class Structure>
task<> fill(Structure structure, per_pe<team> teams, std::uint64_t elements) {
  const auto push = [structure, elements](worker& me) -> task<> {
    const std::uint64_t mine = share(elements, me);
    for (std::uint64_t i = 0; i < mine; ++i) co_await structure.push(me.next_value());
  };
  co_await on_all_workers(teams, push);
}

/// Pushes and pops as many elements as the measured part pushes, so that the memory of the
/// structure is touched. Page faults would take longer than the operations.
template <class Structure>
task<> touch_memory(Structure structure, per_pe<team> teams, std::uint64_t elements) {
  const auto push = [structure, elements](worker& me) -> task<> {
    const std::uint64_t mine = share(elements, me);
    for (std::uint64_t i = 0; i < mine; ++i) co_await structure.push(0);
  };
  const auto pop = [structure](worker&) -> task<> {
    for (auto taken = co_await structure.pop(); taken;) taken = co_await structure.pop();
  };
  co_await on_all_workers(teams, push);
  co_await on_all_workers(teams, pop);
}

/// Performs random operations: each operation is a push with the probability `mix`, and otherwise a
/// pop.
template <class Structure>
task<> mixed_operations(Structure structure, worker& me, double mix, std::uint64_t operations) {
  const auto pushes = static_cast<std::uint64_t>(mix * 0x1p32);
  const std::uint64_t key = random_key(job_settings().seed, me.number);
  for (std::uint64_t i = 0; i < operations; ++i) {
    if (random_at(key, i) >> 32 < pushes) {
      co_await structure.push(me.next_value());
      continue;
    }
    const auto taken = co_await structure.pop();
    if (taken) {
      me.note_popped(*taken);
    } else {
      ++me.empty_pops;
    }
  }
}

/// Measures pushes by the last PE while the job is otherwise idle. The last PE is farthest from the
/// structure's owner. The structure is empty before and after the measurement.
template <class Structure>
task<double> time_lone_pushes(Structure structure, per_pe<team> teams) {
  const auto on_last = [structure, teams]() -> task<double> {
    worker& me = teams->workers.front();
    const auto begin = now();
    for (int i = 0; i < k_lone_pushes; ++i) co_await structure.push(me.next_value());
    const auto taken = static_cast<double>(now() - begin);
    for (int i = 0; i < k_lone_pushes; ++i) {
      const auto popped = co_await structure.pop();
      if (popped) me.note_popped(*popped);
    }
    co_return taken / k_lone_pushes;
  };
  co_return co_await call(pes() - 1, on_last);
}

template <class Structure>
task<outcome> measure_on(Structure structure, parameters chosen) {
  outcome found;
  const auto teams = co_await make_teams(ceil_divide(chosen.operations, all_workers()), chosen.mix);
  const auto pushed = static_cast<std::uint64_t>(chosen.mix * double(chosen.operations));
  const bool new_pages_cost = job_settings().transport != transport_kind::sim;
  if (new_pages_cost) co_await touch_memory(structure, teams, pushed + chosen.prefill);
  found.lone_nanoseconds = co_await time_lone_pushes(structure, teams);
  co_await fill(structure, teams, chosen.prefill);
  const tally untimed = co_await count(teams);
  const auto before = co_await structure.statistics();
  const auto work = [structure, operations = chosen.operations, mix = chosen.mix](worker& me) {
    return mixed_operations(structure, me, mix, share(operations, me));
  };
  const auto begin = now();
  co_await on_all_workers(teams, work);
  found.seconds = seconds_since(begin);
  found.operations = chosen.operations;
  found.combined = co_await structure.statistics();
  found.combined.subtract(before);
  const tally after = co_await count(teams);
  found.pops = after.popped - untimed.popped + after.empty_pops;
  found.empty_pops = after.empty_pops;
  found.sizes_agree = co_await structure.size() == after.pushed - after.popped;
  co_await drain(structure, teams);
  found.sizes_agree = found.sizes_agree && co_await structure.size() == 0;
  const bool is_queue = chosen.structure == kind::queue;
  const tally checked = co_await check(teams, is_queue ? order::as_pushed : order::reversed);
  found.lost = checked.lost;
  found.made_up = checked.made_up;
  found.out_of_order = checked.out_of_order;
  co_await teams.destroy();
  co_return found;
}

template <class Structure>
task<outcome> measure_one(parameters chosen) {
  const combining_options options(chosen.mode);
  const auto structure = co_await Structure::make(options);
  const outcome found = co_await measure_on(structure, chosen);
  co_await structure.destroy();
  co_return found;
}

}  // namespace

task<outcome> measure(parameters chosen) {
  if (chosen.structure == kind::stack)
    co_return co_await measure_one<global_stack<std::uint64_t>>(chosen);
  co_return co_await measure_one<global_queue<std::uint64_t>>(chosen);
}

}  // namespace atl::bench::ordered
