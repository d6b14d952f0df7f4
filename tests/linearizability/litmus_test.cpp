// The operations of tasks on several structures must have one order, which agrees with the order of
// each task. The schedules are simulated.

#include "support/run_on.hpp"

#include <algorithm>
#include <array>

using namespace atl;

namespace {

using queue = global_queue<std::uint64_t>;

constexpr std::uint64_t k_litmus_seeds = test::sanitized ? 20 : 120;

constexpr combining_mode k_modes[] = {combining_mode::none, combining_mode::central,
                                      combining_mode::local, combining_mode::both};

task<> push_one(queue to) { co_await to.push(1); }

/// Returns true if `in` contains an element.
task<bool> sees(queue in) {
  const std::uint64_t elements = co_await in.size();
  co_return elements != 0;
}

/// Runs the coroutine `body(a, b, mode)` with two empty queues under many schedules.
template <class Body>
void under_all_schedules(int pes, Body body) {
  for (const std::uint64_t seed : test::seeds(k_litmus_seeds)) {
    const auto main = [&]() -> task<> {
      const combining_options options(k_modes[seed % 4]);
      const auto a = co_await queue::make(options);
      const auto b = co_await queue::make(options);
      co_await body(a, b);
      co_await a.destroy();
      co_await b.destroy();
    };
    test::run_on(test::simulated_job_of(pes, seed), main);
  }
}

/// Runs the coroutine `task_of(pe)` on every PE, and returns the bits that each PE has seen.
template <class TaskOf>
task<std::array<std::uint64_t, 4>> seen_by_all(TaskOf task_of) {
  const auto seen = co_await make_array<std::uint64_t>(4);
  const auto of_pe = [=]() -> task<> {
    const std::uint64_t mine = co_await task_of(my_pe());
    co_await write(seen[static_cast<unsigned>(my_pe())], mine);
  };
  co_await on_all_pes(of_pe);
  std::array<std::uint64_t, 4> found{};
  co_await get(seen, 0, found);
  co_await seen.destroy();
  co_return found;
}

// One PE pushes data, and then pushes a flag. A PE that sees the flag must see the data.
TEST(litmus, message_passing) {
  under_all_schedules(2, [](queue data, queue flag) -> task<> {
    const auto task_of = [=](int pe) -> task<std::uint64_t> {
      if (pe == 0) {
        co_await push_one(data);
        co_await push_one(flag);
        co_return 0;
      }
      const bool flag_seen = co_await sees(flag);
      const bool data_seen = co_await sees(data);
      co_return flag_seen && !data_seen ? 1 : 0;
    };
    const auto seen = co_await seen_by_all(task_of);
    EXPECT_EQ(seen[1], 0u);
  });
}

// Each PE pushes to one queue and then reads the other queue. At least one PE must see the push of
// the other PE.
TEST(litmus, store_buffering) {
  under_all_schedules(2, [](queue a, queue b) -> task<> {
    const auto task_of = [=](int pe) -> task<std::uint64_t> {
      co_await push_one(pe == 0 ? a : b);
      const bool seen = co_await sees(pe == 0 ? b : a);
      co_return seen ? 1 : 0;
    };
    const auto seen = co_await seen_by_all(task_of);
    EXPECT_NE(seen[0] + seen[1], 0u);
  });
}

// Two PEs push to different queues, and two PEs read the queues in opposite orders. The readers
// must agree on which push came first.
TEST(litmus, independent_reads_of_independent_writes) {
  under_all_schedules(4, [](queue a, queue b) -> task<> {
    const auto task_of = [=](int pe) -> task<std::uint64_t> {
      if (pe < 2) {
        co_await push_one(pe == 0 ? a : b);
        co_return 0;
      }
      const bool first = co_await sees(pe == 2 ? a : b);
      const bool second = co_await sees(pe == 2 ? b : a);
      co_return first && !second ? 1 : 0;
    };
    const auto seen = co_await seen_by_all(task_of);
    EXPECT_FALSE(seen[2] == 1 && seen[3] == 1);
  });
}

}  // namespace
