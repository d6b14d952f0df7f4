// Tests global stacks and queues in all modes.

#include "container/combining_modes.hpp"
#include "support/run_on.hpp"

#include <algorithm>

using namespace atl;

namespace {

class ordered : public test::on_pes {};

TEST_P(ordered, pop_of_an_empty_structure_is_an_empty_optional) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const combining_options options(mode);
    const auto stack = co_await global_stack<std::uint64_t>::make(options);
    const auto queue = co_await global_queue<std::uint64_t>::make(options);
    const auto pop_both = [=]() -> task<> {
      const auto from_stack = co_await stack.pop();
      const auto from_queue = co_await queue.pop();
      EXPECT_FALSE(from_stack.has_value() || from_queue.has_value());
    };
    co_await on_all_pes(pop_both);
    EXPECT_EQ(co_await stack.size(), 0u);
    co_await stack.destroy();
    co_await queue.destroy();
  }));
}

TEST_P(ordered, one_task_sees_its_own_order) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const combining_options options(mode);
    const auto stack = co_await global_stack<std::uint64_t>::make(options);
    const auto queue = co_await global_queue<std::uint64_t>::make(options);
    for (std::uint64_t i = 0; i < 50; ++i) {
      co_await stack.push(i);
      co_await queue.push(i);
    }
    EXPECT_EQ(co_await queue.size(), 50u);
    for (std::uint64_t i = 0; i < 50; ++i) {
      const auto newest = co_await stack.pop();
      const auto oldest = co_await queue.pop();
      EXPECT_EQ(newest.value_or(~0u), 49 - i);
      EXPECT_EQ(oldest.value_or(~0u), i);
    }
    EXPECT_EQ(co_await stack.size(), 0u);
    co_await stack.destroy();
    co_await queue.destroy();
  }));
}

/// Lets every PE push `count` values of its own and then pop `count` values, at the same time as
/// the other PEs.
template <class Structure>
task<> push_and_pop(Structure structure, std::uint64_t count) {
  const auto tallies = co_await make_array<std::uint64_t>(count * static_cast<unsigned>(pes()));
  const auto of_pe = [=]() -> task<> {
    const std::uint64_t mine = count * static_cast<unsigned>(my_pe());
    const auto push = [=](std::uint64_t i) -> task<> { co_await structure.push(mine + i); };
    const auto pop = [=](std::uint64_t) -> task<> {
      const auto taken = co_await structure.pop();
      EXPECT_TRUE(taken.has_value());
      if (taken) async_fetch_add(tallies[*taken], 1);
    };
    co_await local_parallel_for(0, count, push);
    co_await local_parallel_for(0, count, pop);
  };
  co_await on_all_pes(of_pe);
  EXPECT_EQ(co_await structure.size(), 0u);
  std::vector<std::uint64_t> popped(tallies.size());
  co_await get(tallies, 0, popped);
  EXPECT_EQ(std::ranges::count(popped, 1u), static_cast<std::int64_t>(popped.size()));
  co_await tallies.destroy();
}

TEST_P(ordered, everything_pushed_is_popped_once) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const bool slow = mode == combining_mode::none || test::sanitized;
    const std::uint64_t count = slow ? 300 : 3000;
    const combining_options options(mode, 100);
    const auto stack = co_await global_stack<std::uint64_t>::make(options);
    const auto queue = co_await global_queue<std::uint64_t>::make(options);
    co_await push_and_pop(stack, count);
    co_await push_and_pop(queue, count);
    co_await stack.destroy();
    co_await queue.destroy();
  }));
}

TEST_P(ordered, a_queue_keeps_the_order_of_each_task) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const auto queue = co_await global_queue<std::uint64_t>::make(combining_options(mode, 7));
    constexpr std::uint64_t tasks = 20;
    const auto pushes = [=](std::uint64_t pusher) -> task<> {
      for (std::uint64_t i = 0; i < 30; ++i) co_await queue.push(pusher << 32 | i);
    };
    co_await parallel_for(tasks, pushes);
    std::vector<std::uint64_t> next(tasks);
    for (auto taken = co_await queue.pop(); taken; taken = co_await queue.pop())
      EXPECT_EQ(next[*taken >> 32]++, *taken & 0xffffffff);
    EXPECT_EQ(std::ranges::count(next, 30u), static_cast<std::int64_t>(tasks));
    co_await queue.destroy();
  }));
}

ATOLL_RUN_ON_ALL(ordered);

}  // namespace
