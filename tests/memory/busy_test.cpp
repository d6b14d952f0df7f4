// Tasks wait for remote operations, loops and transfers while collectives run.

#include "support/run_on.hpp"

#include <vector>

using namespace atl;

namespace {

constexpr auto add = [](const auto& a, const auto& b) { return a + b; };

class busy : public test::on_pes {};

using words = global_array<std::uint64_t>;

/// Runs random operations in one task. The task undoes every operation, so that all words are 0 in
/// the end.
task<> wander(words array, std::uint64_t seed, int steps) {
  for (int step = 0; step < steps; ++step) {
    seed = hash(seed);
    const auto at = array[seed % array.size()];
    co_await fetch_add(at, seed);
    if (seed % 4 == 0) co_await yield();
    if (seed % 16 == 0) co_await sleep_for(static_cast<std::int64_t>(seed % 20'000));
    if (seed % 3 == 0) {
      async_fetch_add(at, ~seed + 1);
    } else {
      co_await update(at, [seed](std::uint64_t& word) { word -= seed; });
    }
  }
}

task<> collectives_meanwhile(words array) {
  for (std::uint64_t round = 0; round < 30; ++round) {
    const auto sum = co_await all_reduce(round + 1, add);
    EXPECT_EQ(sum, (round + 1) * static_cast<std::uint64_t>(pes()));
    if (round % 5 == 0) {
      const auto values = co_await all_gather(std::uint64_t{round} + array.elements_of(0));
      EXPECT_EQ(values.size(), static_cast<std::size_t>(pes()));
    }
    if (round % 7 == 0) co_await all_barrier();
  }
}

task<> everything(words array, std::uint64_t tasks) {
  const auto start = [array, tasks]() -> task<> {
    for (std::uint64_t i = 0; i < tasks; ++i) {
      const auto seed = 1000 * i + static_cast<std::uint64_t>(my_pe());
      spawn([array, seed] { return wander(array, seed, 20); });
    }
    co_await collectives_meanwhile(array);
  };
  co_await finish(start);
  co_await all_barrier();
  for (const auto word : array.local()) EXPECT_EQ(word, 0u);
}

task<> everything_everywhere() {
  const auto array = co_await make_array<std::uint64_t>(200, 3);
  const std::uint64_t tasks = test::sanitized ? 30 : 100;
  co_await on_all_pes([array] { return everything(array, tasks); });
}

TEST_P(busy, jobs_come_out_right) {
  run([] { return everything_everywhere(); });
}

TEST_P(busy, jobs_with_little_room_come_out_right) {
  options.buffer_size = 1 << 10;
  options.buffers_per_pair = 2;
  run([] { return everything_everywhere(); });
}

TEST_P(busy, jobs_without_aggregation_come_out_right) {
  options.aggregation = false;
  options.flush_age = 0;
  run([] { return everything_everywhere(); });
}

TEST_P(busy, jobs_that_never_sleep_come_out_right) {
  options.idle_yields = 1'000'000;
  run([] { return everything_everywhere(); });
}

TEST_P(busy, jobs_that_sleep_at_once_come_out_right) {
  options.idle_yields = 0;
  run([] { return everything_everywhere(); });
}

ATOLL_RUN_ON_ALL(busy);

}  // namespace
