#include "atoll/synchronization.hpp"

#include "support/run_on.hpp"

namespace atl {
namespace {

TEST(latch, opens_at_zero) {
  test::run_alone([]() -> task<> {
    latch closed(3);
    int passed = 0;
    const auto all = [&]() -> task<> {
      for (int i = 0; i < 4; ++i) {
        spawn([&]() -> task<> {
          co_await closed.wait();
          ++passed;
        });
      }
      co_await yield();  // The call lets all tasks begin to wait.
      closed.count_down(2);
      co_await yield();
      EXPECT_EQ(passed, 0);
      EXPECT_EQ(closed.count(), 1U);
      closed.count_down();
    };
    co_await finish(all);
    EXPECT_EQ(passed, 4);
    EXPECT_TRUE(closed.is_open());
    co_await closed.wait();
  });
}

TEST(latch_death, is_not_counted_below_zero) {
  latch closed(1);
  EXPECT_DEATH(closed.count_down(2), "counted down as often as it was told");
}

class global_latch : public test::on_pes {};

TEST_P(global_latch, waits_for_all_pes) {
  run([]() -> task<> {
    const auto all = static_cast<std::uint64_t>(pes());
    const auto latches = co_await make_array<latch>(all);
    const auto counts = co_await make_array<std::uint64_t>(all);
    const auto closed = latches[all - 1];
    const auto count = counts[0];
    co_await write(closed, latch(2 * all));
    const auto on_each = [=]() -> task<> {
      co_await fetch_add(count, 1);
      async_count_down(closed);
      co_await count_down(closed);
      co_await wait(closed);
      EXPECT_EQ(co_await read(count), all);
    };
    co_await on_all_pes(on_each);
  });
}

ATOLL_RUN_ON_ALL(global_latch);

}  // namespace
}  // namespace atl
