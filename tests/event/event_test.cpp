#include "atoll/event.hpp"

#include "atoll/deferred.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <numeric>

using namespace atl;

namespace {

class events_on : public test::on_pes {};

TEST(events_alone, none_has_always_triggered) {
  test::run_alone([]() -> task<> {
    EXPECT_TRUE(event::none.has_triggered());
    EXPECT_TRUE(event().has_triggered());
    EXPECT_FALSE(event::none.is_poisoned());
    co_await event::none;
    EXPECT_EQ(event(), event::none);
  });
}

TEST(events_alone, wakes_tasks_in_the_order_in_which_they_came) {
  test::run_alone([]() -> task<> {
    const user_event go = make_user_event();
    std::vector<int> order;
    const auto all = [&]() -> task<> {
      for (int i = 0; i < 100; ++i) {
        spawn([&order, go, i]() -> task<> {
          co_await go;
          order.push_back(i);
        });
      }
      co_await yield();
      EXPECT_FALSE(go.has_triggered());
      EXPECT_TRUE(order.empty());
      go.trigger();
      EXPECT_TRUE(go.has_triggered());
    };
    co_await finish(all);
    std::vector<int> expected(100);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(order, expected);
  });
}

// On each PE, several tasks wait for the event of each PE. Each event is triggered by the next PE.
TEST_P(events_on, are_awaited_and_triggered_anywhere) {
  run([]() -> task<> {
    const auto all = static_cast<std::uint64_t>(pes());
    const auto made = co_await make_array<user_event>(all);
    const auto passed = co_await make_array<std::uint64_t>(all);
    const auto make = [made]() -> task<> {
      const auto me = static_cast<std::uint64_t>(my_pe());
      const user_event own = make_user_event();
      EXPECT_EQ(own.pe(), my_pe());
      co_await write(made[me], own);
    };
    co_await on_all_pes(make);
    const auto wait_for_all = [made, passed]() -> task<> {
      for (std::uint64_t i = 0; i < 3 * made.size(); ++i) {
        spawn([made, passed, i]() -> task<> {
          const user_event awaited = co_await read(made[i % made.size()]);
          co_await awaited;
          EXPECT_TRUE(awaited.has_triggered());
          co_await awaited;
          co_await fetch_add(passed[0], 1);
        });
      }
      co_return;
    };
    const auto program = [=]() -> task<> {
      for (int pe = 0; pe < pes(); ++pe) async_call(pe, wait_for_all);
      co_await sleep_for(1'000'000);
      EXPECT_EQ(co_await read(passed[0]), 0U);
      const auto trigger = [made]() -> task<> {
        const auto next = (static_cast<std::uint64_t>(my_pe()) + 1) % made.size();
        const user_event mine = co_await read(made[next]);
        mine.trigger();
      };
      for (int pe = 0; pe < pes(); ++pe) async_call(pe, trigger);
    };
    co_await finish(program);
    EXPECT_EQ(co_await read(passed[0]), 3 * all * all);
  });
}

TEST_P(events_on, are_known_after_a_subscription) {
  run([]() -> task<> {
    const auto make = [] { return make_user_event(); };
    const user_event distant = co_await call(pes() - 1, make);
    distant.subscribe();
    EXPECT_FALSE(distant.has_triggered());
    distant.trigger();
    while (!distant.has_triggered()) co_await sleep_for(1000);
    const user_event later = co_await call(pes() - 1, make);
    EXPECT_NE(later, distant);
    const auto trigger = [later] { later.trigger(); };
    co_await call(pes() - 1, trigger);
    co_await later;
    EXPECT_TRUE(later.has_triggered());
    EXPECT_TRUE(distant.has_triggered());
  });
}

// A merged event triggers when its last input triggers, whichever PEs own the inputs.
TEST_P(events_on, are_merged) {
  run([]() -> task<> {
    const auto make = [] { return make_user_event(); };
    for (std::uint64_t width = 1; width <= 70; width = 2 * width + 1) {
      std::vector<user_event> inputs;
      for (std::uint64_t i = 0; i < width; ++i)
        inputs.push_back(co_await call(static_cast<int>(i) % pes(), make));
      const event merged = merge_events(inputs);
      const event any = any_of_events(inputs);
      EXPECT_EQ(merged == inputs[0], width == 1);
      for (std::uint64_t i = 0; i < width; ++i) {
        EXPECT_FALSE(merged.has_triggered());
        EXPECT_EQ(any.has_triggered(), i > 0);
        inputs[(i + 3) % width].trigger();
        co_await inputs[(i + 3) % width];
        co_await any;
      }
      co_await merged;
    }
  });
}

TEST(events_alone, merging_what_has_triggered_makes_nothing) {
  test::run_alone([]() -> task<> {
    const user_event first = make_user_event();
    const user_event second = make_user_event();
    EXPECT_EQ(merge_events({}), event::none);
    EXPECT_EQ(merge_events({event::none, event::none}), event::none);
    EXPECT_EQ(merge_events({event::none, first}), first);
    EXPECT_EQ(any_of_events({first, event::none, second}), event::none);
    EXPECT_EQ(any_of_events({first}), first);
    const event both = merge_events({first, second, first});
    const event settled = ignore_faults(first);
    EXPECT_NE(settled, first);
    first.trigger();
    EXPECT_TRUE(settled.has_triggered());
    EXPECT_FALSE(both.has_triggered());
    EXPECT_EQ(merge_events({first, second}), second);
    second.trigger();
    EXPECT_TRUE(both.has_triggered());
    co_return;
  });
}

// The chain of events is so long that a recursive implementation would overflow the stack.
TEST_P(events_on, trigger_many_that_depend_on_each_other) {
  run([]() -> task<> {
    const std::uint64_t length = pes() == 1 ? 1'000'000 : 300;
    const user_event first = make_user_event();
    event last = first;
    for (std::uint64_t i = 0; i < length; ++i) {
      const auto extend = [last] {
        const user_event next = make_user_event();
        trigger_when(next, last);
        return next;
      };
      last = pes() == 1 ? extend() : co_await call(static_cast<int>(i) % pes(), extend);
    }
    EXPECT_FALSE(last.has_triggered());
    first.trigger();
    co_await last;
  });
}

ATOLL_RUN_ON(events_on, 1, 2, 3, 4, 7);

}  // namespace
