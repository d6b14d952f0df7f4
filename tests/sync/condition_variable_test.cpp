#include "atoll/synchronization.hpp"

#include "support/run_on.hpp"

#include <gmock/gmock.h>

namespace atl {
namespace {

using testing::ElementsAre;

TEST(condition_variable, wakes_in_the_order_of_coming) {
  test::run_alone([]() -> task<> {
    mutex held;
    condition_variable changed;
    std::vector<int> woken;
    const auto wait_as = [&](int who) {
      spawn([&, who]() -> task<> {
        co_await held.lock();
        co_await changed.wait(held);
        EXPECT_TRUE(held.is_locked());
        woken.push_back(who);
        held.unlock();
      });
    };
    const auto all = [&]() -> task<> {
      for (int who = 0; who < 4; ++who) wait_as(who);
      for (int i = 0; i < 10; ++i) co_await yield();
      EXPECT_FALSE(held.is_locked());
      changed.notify_one();
      for (int i = 0; i < 10; ++i) co_await yield();
      EXPECT_THAT(woken, ElementsAre(0));
      changed.notify_all();
    };
    co_await finish(all);
    EXPECT_THAT(woken, ElementsAre(0, 1, 2, 3));
    changed.notify_one();
  });
}

TEST(condition_variable, waits_until_the_condition_holds) {
  test::run_alone([]() -> task<> {
    mutex held;
    condition_variable changed;
    int value = 0, seen = 0;
    const auto both = [&]() -> task<> {
      spawn([&]() -> task<> {
        const auto guard = co_await held.guarded();
        const auto reached = [&] { return value == 3; };
        co_await changed.wait(held, reached);
        seen = value;
      });
      for (int i = 0; i < 5; ++i) {
        co_await held.lock();
        if (value < 3) ++value;
        changed.notify_all();
        held.unlock();
        co_await yield();
      }
    };
    co_await finish(both);
    EXPECT_EQ(seen, 3);
  });
}

class global_condition_variable : public test::on_pes {};

// A task on every PE waits for its turn. After a task has had its turn, it notifies all other
// tasks, and the next task goes on.
TEST_P(global_condition_variable, passes_a_turn_over_all_pes) {
  run([]() -> task<> {
    const auto all = static_cast<std::uint64_t>(pes());
    const auto helds = co_await make_array<mutex>(all);
    const auto changeds = co_await make_array<condition_variable>(all);
    const auto turns = co_await make_array<std::uint64_t>(all);
    const auto held = helds[all - 1];
    const auto changed = changeds[all - 1];
    const auto turn = turns[0];
    const auto take_turn = [=]() -> task<> {
      const auto mine = static_cast<std::uint64_t>(pes() - 1 - my_pe());
      co_await lock(held);
      while (co_await read(turn) != mine) co_await wait(changed, held);
      co_await write(turn, mine + 1);
      co_await notify_all(changed);
      co_await unlock(held);
    };
    co_await on_all_pes(take_turn);
    EXPECT_EQ(co_await read(turn), all);
  });
}

ATOLL_RUN_ON_ALL(global_condition_variable);

}  // namespace
}  // namespace atl
