#include "bench/context_switch.hpp"

#include "atoll/atoll.hpp"
#include "atoll/local_memory.hpp"
#include "bench/support/held_memory.hpp"

#include <vector>

namespace atl::bench::context_switch {
namespace {

/// A counter that one task increments. The counter has a cache line of its own. The line also has a
/// pointer to the flag that ends the task, so the frame of the task needs no second pointer.
struct alignas(64) line {
  std::uint64_t value;
  const bool* stopped;
};

constexpr std::uint64_t k_warm_up_rounds = 2;

task<> add_and_yield(line& mine) {
  while (!*mine.stopped) {
    ++mine.value;
    co_await yield();
  }
}

std::uint64_t tasks_without(std::uint64_t turns, std::span<const line> lines,
                            const std::vector<std::uint64_t>& before) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) wrong += lines[i].value - before[i] != turns;
  return wrong;
}

/// Measures the time of `rounds` rounds. In a round, every other task of this PE runs once. Every
/// PE calls this function.
task<outcome> all_time_rounds(std::span<line> lines, std::uint64_t rounds) {
  for (std::uint64_t round = 0; round < k_warm_up_rounds; ++round) co_await yield();
  co_await all_barrier();
  const held_memory held(lines.size() * sizeof(std::uint64_t), "the counts before (--tasks)");
  std::vector<std::uint64_t> before;
  before.reserve(lines.size());
  for (const line& l : lines) before.push_back(l.value);
  const auto begin = now();
  for (std::uint64_t round = 0; round < rounds; ++round) co_await yield();
  const auto end = now();
  outcome mine;
  mine.seconds = static_cast<double>(end - begin) * 1e-9;
  // The added 1 stands for the measuring task, which yields too.
  mine.switches = rounds * (lines.size() + 1);
  mine.wrong_tasks = tasks_without(rounds, lines, before);
  co_await all_barrier();
  co_return mine;
}

/// Starts a task for each cache line, and measures the switches between these tasks. The tasks end
/// even if an exception is thrown.
task<outcome> all_measure(std::span<line> lines, std::uint64_t rounds) {
  struct at_end {
    bool& flag;
    ~at_end() { flag = true; }
  };
  outcome mine;
  bool stopped = false;
  const auto with_tasks = [&]() -> task<> {
    const at_end stop{stopped};
    for (line& l : lines) {
      l.stopped = &stopped;
      spawn([&l] { return add_and_yield(l); });
    }
    mine = co_await all_time_rounds(lines, rounds);
  };
  co_await finish(with_tasks);
  co_return mine;
}

outcome combined(const outcome& a, const outcome& b) {
  outcome all = a;
  all.seconds = std::max(a.seconds, b.seconds);
  all.switches += b.switches;
  all.wrong_tasks += b.wrong_tasks;
  return all;
}

}  // namespace

task<outcome> measure(parameters chosen) {
  const auto lines = co_await make_array<line>(chosen.tasks * static_cast<std::uint64_t>(pes()));
  const std::uint64_t rounds = ceil_divide(chosen.switches, chosen.tasks + 1);
  outcome result;
  const auto on_each = [lines, rounds, to_pe_0 = &result]() -> task<> {
    const outcome mine = co_await all_measure(lines.local(), rounds);
    const outcome all = co_await all_reduce(mine, &combined);
    if (my_pe() == 0) *to_pe_0 = all;
  };
  co_await on_all_pes(on_each);
  co_await lines.destroy();
  co_return result;
}

}  // namespace atl::bench::context_switch
