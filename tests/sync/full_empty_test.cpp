#include "atoll/synchronization.hpp"

#include "support/run_on.hpp"

#include <gmock/gmock.h>

namespace atl {
namespace {

using testing::ElementsAre;

TEST(full_empty, passes_values_on_in_order) {
  test::run_alone([]() -> task<> {
    full_empty<int> cell;
    std::vector<int> taken;
    const auto both = [&] {
      for (int i = 0; i < 5; ++i) {
        spawn([&, i]() -> task<> { co_await cell.put(i); });
      }
      for (int i = 0; i < 5; ++i) {
        spawn([&]() -> task<> { taken.push_back(co_await cell.take()); });
      }
    };
    co_await finish(both);
    EXPECT_THAT(taken, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_FALSE(cell.is_full());
  });
}

TEST(full_empty, serves_those_that_wait_for_a_value_in_order) {
  test::run_alone([]() -> task<> {
    full_empty<int> cell;
    std::vector<std::string> seen;
    const auto note = [&](const char* who, int value) {
      seen.push_back(fmt::format("{} {}", who, value));
    };
    const auto all = [&]() -> task<> {
      spawn([&]() -> task<> { note("reads", co_await cell.read_full()); });
      spawn([&]() -> task<> { note("takes", co_await cell.take()); });
      spawn([&]() -> task<> { note("reads", co_await cell.read_full()); });
      co_await yield();
      co_await cell.put(1);
      EXPECT_FALSE(cell.is_full());
      co_await cell.put(2);
      EXPECT_TRUE(cell.is_full());
    };
    co_await finish(all);
    EXPECT_THAT(seen, ElementsAre("reads 1", "takes 1", "reads 2"));
    EXPECT_EQ(co_await cell.read_full(), 2);
    EXPECT_EQ(co_await cell.take(), 2);
  });
}

TEST(full_empty, is_full_when_made_with_a_value) {
  test::run_alone([]() -> task<> {
    full_empty<int> cell(7);
    EXPECT_EQ(co_await cell.take(), 7);
    EXPECT_FALSE(cell.is_full());
  });
}

class global_full_empty : public test::on_pes {};

// Tasks of all PEs put and take values. Each value must arrive exactly once.
TEST_P(global_full_empty, loses_and_doubles_nothing) {
  run([]() -> task<> {
    constexpr std::uint64_t each = 10;
    const auto all = static_cast<std::uint64_t>(pes());
    const auto cells = co_await make_array<full_empty<std::uint64_t>>(all);
    const auto sums = co_await make_array<std::uint64_t>(all);
    const auto cell = cells[all - 1];
    const auto sum = sums[0];
    const auto put_and_take = [=](std::uint64_t i) -> task<> {
      if (i % 2 == 0) {
        co_await put(cell, i);
      } else {
        const auto value = co_await take(cell);
        async_fetch_add(sum, value);
      }
    };
    co_await parallel_for(2 * each * all, put_and_take);
    EXPECT_EQ(co_await read(sum), each * all * (each * all - 1));
    co_await put(cell, 5);
    EXPECT_EQ(co_await read_full(cell), 5U);
    EXPECT_EQ(co_await take(cell), 5U);
  });
}

ATOLL_RUN_ON_ALL(global_full_empty);

}  // namespace
}  // namespace atl
