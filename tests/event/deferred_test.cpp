#include "atoll/deferred.hpp"
#include "support/refusal.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <memory>
#include <numeric>

using namespace atl;

namespace {

class deferred_on : public test::on_pes {};

// Each operation reads data that the previous operation has written, on any PE.
TEST_P(deferred_on, operations_run_one_after_the_other) {
  run([]() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    const auto chain = [words]() -> task<> {
      const user_event first = make_user_event();
      event last = first;
      for (std::uint64_t i = 0; i < 200; ++i) {
        const auto step = [words, i]() -> task<> {
          const auto word = words[i % words.size()];
          EXPECT_EQ(co_await fetch_add(word, 1), i / words.size());
        };
        last = spawn_when(static_cast<int>(i * 5 % words.size()), last, step);
      }
      co_await sleep_for(100'000);
      EXPECT_EQ(co_await read(words[0]), 0U);
      first.trigger();
      co_await last;
    };
    co_await finish(chain);
  });
}

TEST_P(deferred_on, operations_hold_their_scope) {
  run([]() -> task<> {
    const auto done = co_await make_array<std::uint64_t>(1);
    event ended;
    const auto all = [&, done]() -> task<> {
      const user_event go = make_user_event();
      const auto slow = [done]() -> task<> {
        co_await sleep_for(100'000);
        co_await write(done[0], 1);
      };
      ended = spawn_when(pes() - 1, go, slow);
      spawn([go]() -> task<> {
        co_await sleep_for(100'000);
        go.trigger();
      });
      co_return;
    };
    co_await finish(all);
    EXPECT_EQ(co_await read(done[0]), 1U);
    EXPECT_TRUE(ended.has_triggered());
  });
}

TEST_P(deferred_on, an_exception_goes_to_the_event_alone) {
  run([]() -> task<> {
    const auto fails = []() { throw error(errc::input, "no sugar"); };
    const auto all = [&]() -> task<> {
      const unsigned line = __LINE__ + 1;
      const event failed = spawn_when(pes() - 1, event::none, fails);
      const event after = spawn_when(0, failed, [] { ADD_FAILURE() << "is to be cancelled"; });
      bool cleaned = false;
      co_await spawn_when(ignore_faults(after), [&cleaned] { cleaned = true; });
      EXPECT_TRUE(cleaned);
      const auto fault = co_await after.settled();
      EXPECT_TRUE(fault.has_value());
      if (!fault) co_return;
      EXPECT_THAT(describe(fault->failure), testing::EndsWith("no sugar"));
      EXPECT_EQ(fault->where.line(), line);
      EXPECT_EQ(fault->pe, pes() - 1);
    };
    co_await finish(all);
  });
}

TEST(deferred_alone, what_a_cancelled_operation_holds_is_released) {
  test::run_alone([]() -> task<> {
    const auto held = std::make_shared<int>(1);
    const auto all = [&]() -> task<> {
      const user_event go = make_user_event();
      const event first = spawn_when(go, [held] { ADD_FAILURE(); });
      const event second = spawn_when(first, [held]() -> task<> {
        ADD_FAILURE();
        co_return;
      });
      EXPECT_EQ(held.use_count(), 3);
      go.poison(error(errc::input, "no"));
      EXPECT_TRUE(co_await second.settled());
    };
    co_await finish(all);
    EXPECT_EQ(held.use_count(), 1);
  });
}

TEST(deferred_alone, a_million_need_no_task_that_waits) {
  test::run_alone([]() -> task<> {
    std::uint64_t count = 0;
    const std::uint64_t length = test::sanitized ? 20'000 : 1'000'000;
    const auto all = [&]() -> task<> {
      const user_event first = make_user_event();
      event last = first;
      for (std::uint64_t i = 0; i < length; ++i)
        last = spawn_when(last, [&count, i] { count += count == i ? 1 : 0; });
      first.trigger();
      co_await last;
    };
    co_await finish(all);
    EXPECT_EQ(count, length);
  });
}

TEST_P(deferred_on, copies_and_fills_wait_for_each_other) {
  run([]() -> task<> {
    constexpr std::uint64_t k_size = 3000;
    const auto blocks = co_await make_array<std::uint64_t>(k_size);
    const auto cyclic = co_await make_array<std::uint64_t>(k_size, array_options(7));
    const auto all = [=]() -> task<> {
      const user_event go = make_user_event();
      const event filled = fill_when(go, cyclic, 5);
      const event middle = fill_when(filled, array_part(cyclic, 1000, 500), 7);
      const event copied =
          copy_when(middle, array_part(blocks, 500, 2000), array_part(cyclic, 400, 2000));
      const event back = copy_when(copied, array_part(cyclic, 0, 600), array_part(blocks, 0, 600));
      co_await sleep_for(10'000);
      EXPECT_FALSE(filled.has_triggered());
      go.trigger();
      co_await back;
    };
    co_await finish(all);
    for (std::uint64_t i = 0; i < k_size; ++i) {
      const std::uint64_t in_blocks = i < 500 || i >= 2500 ? 0 : i >= 1100 && i < 1600 ? 7 : 5;
      const std::uint64_t in_cyclic = i < 500 ? 0 : i < 1000 || i >= 1500 ? 5 : 7;
      EXPECT_EQ(co_await read(blocks[i]), in_blocks) << i;
      EXPECT_EQ(co_await read(cyclic[i]), in_cyclic) << i;
    }
  });
}

TEST(deferred_alone, parts_that_are_not_there_are_refused) {
  test::run_alone([]() -> task<> {
    const auto array = co_await make_array<int>(10);
    EXPECT_THROW(array_part(array, 5, 6), error);
    EXPECT_THROW(array_part(array, 11, 0), error);
    EXPECT_THROW((void)copy_when(event::none, array_part(array, 0, 5), array_part(array, 5, 4)),
                 error);
  });
}

TEST(deferred_alone, triggering_twice_names_both_places) {
  test::run_alone([]() -> task<> {
    const user_event once = make_user_event();
    const unsigned line = __LINE__ + 1;
    once.trigger();
    const auto trigger = [&] { once.trigger(); };
    EXPECT_EQ(test::refusal_of(trigger),
              fmt::format("the event triggered at deferred_test.cpp:{} is triggered at "
                          "deferred_test.cpp:{} again",
                          line, line + 1));
    EXPECT_THAT(test::refusal_of([&] { once.poison(error(errc::input, "no")); }),
                testing::HasSubstr("again"));
    const unsigned made = __LINE__ + 1;
    const user_event promised = make_user_event();
    const user_event go = make_user_event();
    trigger_when(promised, go);
    const unsigned second = __LINE__ + 1;
    const auto again = [&] { promised.trigger(); };
    EXPECT_THAT(
        test::refusal_of(again),
        testing::AllOf(testing::HasSubstr(fmt::format("made at deferred_test.cpp:{} ", made)),
                       testing::HasSubstr("trigger_when"),
                       testing::HasSubstr(fmt::format("deferred_test.cpp:{} ", second))));
    EXPECT_THAT(test::refusal_of([&] { trigger_when(promised, go); }),
                testing::HasSubstr("trigger_when"));
    go.trigger();
    EXPECT_TRUE(promised.has_triggered());
    EXPECT_THAT(test::refusal_of([&] { promised.trigger(); }), testing::HasSubstr("has triggered"));
    for (int i = 0; i < 5000; ++i) make_user_event().trigger();
    EXPECT_THAT(test::refusal_of([&] { once.trigger(); }), testing::HasSubstr("long ago"));
    co_return;
  });
}

// Triggering an event of another PE for the second time is an error that the scope throws at its
// end.
TEST_P(deferred_on, triggering_twice_is_told_to_the_scope) {
  run([]() -> task<> {
    const auto make = [] { return make_user_event(); };
    const user_event once = co_await call(pes() - 1, make);
    const auto trigger = [once] { once.trigger(); };
    co_await finish(trigger);
    std::string text;
    try {
      co_await finish(trigger);
    } catch (const error& failure) {
      text = failure.what();
    }
    EXPECT_THAT(text, testing::HasSubstr("is triggered at deferred_test.cpp"));
  });
}

TEST(deferred_alone, events_that_were_never_made_are_refused) {
  test::run_alone([]() -> task<> {
    const user_event made = make_user_event();
    const auto index = made.name().slot();
    const auto generation = made.name().generation();
    EXPECT_THAT(
        test::refusal_of([&] { event(events::name(0, index, generation + 1)).has_triggered(); }),
        testing::HasSubstr("has not made"));
    EXPECT_THAT(
        test::refusal_of([&] { event(events::name(0, 1 << 20, generation)).has_triggered(); }),
        testing::HasSubstr("has not made"));
    EXPECT_THAT(
        test::refusal_of([&] { user_event(events::name(0, 1 << 20, generation)).trigger(); }),
        testing::HasSubstr("has not made"));
    co_return;
  });
}

ATOLL_RUN_ON(deferred_on, 1, 2, 3, 4, 7);

}  // namespace
