#include "bench/stealing.hpp"

#include "atoll/atoll.hpp"
#include "atoll/collectives.hpp"

#include <algorithm>
#include <chrono>

namespace atl::bench::stealing {
namespace {

// Performs `times` multiplications, each of which needs the result of the previous multiplication.
// The function is not inlined, because the compiler would otherwise remove multiplications whose
// result is unused.
[[gnu::noinline]] std::uint64_t multiply(std::uint64_t start, std::uint64_t times) {
  std::uint64_t x = start | 1;
  for (std::uint64_t i = 0; i < times; ++i) {
    x *= 0x9e3779b97f4a7c15u;
    asm volatile("" : "+r"(x));
  }
  return x;
}

/// Number of tasks that one PE has run, and the sum of their products.
struct tally {
  std::uint64_t executed = 0;
  std::uint64_t product = 0;
};

struct one_task {
  per_pe<tally> tallies;
  std::uint64_t number;
  std::uint64_t multiplications;

  void operator()() const {
    tally& mine = tallies.local();
    mine.product += multiply(number, multiplications);
    ++mine.executed;
  }
};

struct sums {
  std::uint64_t stolen = 0;
  std::uint64_t steals = 0;
};

task<sums> read_steals() {
  sums all;
  for (const auto& pe : co_await read_counters()) {
    all.stolen += pe.tasks_stolen;
    all.steals += pe.steals;
  }
  co_return all;
}

task<> spawn_all(parameters chosen, per_pe<tally> tallies) {
  constexpr std::uint64_t spawned_a_turn = 1024;
  for (std::uint64_t i = 0; i < chosen.tasks; ++i) {
    spawn_stealable(one_task{tallies, i, chosen.multiplications});
    if (i % spawned_a_turn == 0) co_await yield();  // polls, so that other PEs can request tasks
  }
}

}  // namespace

std::uint64_t multiplications_in(std::uint64_t nanoseconds) {
  using clock = std::chrono::steady_clock;
  constexpr std::uint64_t times = 1'000'000;
  std::chrono::nanoseconds best = std::chrono::nanoseconds::max();
  std::uint64_t product = 1;
  for (int i = 0; i < 10; ++i) {
    const auto begin = clock::now();
    product = multiply(product, times);
    best = std::min<std::chrono::nanoseconds>(best, clock::now() - begin);
  }
  const double each = static_cast<double>(best.count()) / times;
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(static_cast<double>(nanoseconds) / each));
}

task<outcome> measure(parameters chosen) {
  const auto tallies = co_await per_pe<tally>::make();
  const auto begin = now();
  const auto all = [&] { return spawn_all(chosen, tallies); };
  co_await finish(all);
  outcome result;
  result.seconds = seconds_since(begin);
  result.least_executed = chosen.tasks;
  for (int pe = 0; pe < pes(); ++pe) {
    const auto executed = co_await call(pe, [tallies] { return tallies->executed; });
    result.executed += executed;
    result.least_executed = std::min(result.least_executed, executed);
  }
  const sums counted = co_await read_steals();
  result.stolen = counted.stolen;
  result.steals = counted.steals;
  co_await tallies.destroy();
  co_return result;
}

}  // namespace atl::bench::stealing
