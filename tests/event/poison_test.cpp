// A failed event poisons all events that depend on it, except those that ignore faults.

#include "atoll/deferred.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

using namespace atl;

namespace {

class poison : public test::on_pes {};

const error k_reason(errc::out_of_memory, "no tea");

/// Returns the text of the error that awaiting `failed` throws.
task<std::string> text_of_failure(event failed) {
  std::string text = "nothing";
  try {
    co_await failed;
  } catch (const std::exception& failure) {
    text = failure.what();
  }
  co_return text;
}

/// Makes `count` user events, on all PEs in turn.
task<std::vector<user_event>> make_on_all(std::size_t count) {
  std::vector<user_event> made;
  for (std::size_t i = 0; i < count; ++i) {
    const auto make = [] { return make_user_event(); };
    made.push_back(co_await call(static_cast<int>(i) % pes(), make));
  }
  co_return made;
}

TEST_P(poison, is_what_an_await_throws) {
  run([]() -> task<> {
    for (const user_event& failing : co_await make_on_all(5)) {
      EXPECT_FALSE(failing.is_poisoned());
      const auto wait = [failing]() -> task<> {
        EXPECT_THAT(co_await text_of_failure(failing), testing::EndsWith("no tea"));
        EXPECT_TRUE(failing.is_poisoned());
        EXPECT_TRUE(failing.has_triggered());
      };
      const auto all = [&]() -> task<> {
        for (int pe = 0; pe < pes(); ++pe) async_call(pe, wait);
        co_await sleep_for(100'000);
        failing.poison(k_reason);
      };
      co_await finish(all);
      co_await on_all_pes(wait);
    }
  });
}

TEST_P(poison, keeps_its_kind_and_the_place_where_it_arose) {
  run([]() -> task<> {
    const unsigned line = __LINE__ + 2;
    for (const user_event& failing : co_await make_on_all(3)) {
      failing.poison(k_reason);
      const auto look = [failing, line, here = my_pe()]() -> task<> {
        const auto fault = co_await failing.settled();
        EXPECT_TRUE(fault.has_value());
        if (!fault) co_return;
        EXPECT_EQ(fault->where.line(), line);
        EXPECT_EQ(fault->pe, here);
        EXPECT_EQ(carried_code(fault->failure), errc::out_of_memory);
        const bool travelled = my_pe() != here || failing.pe() != here;
        EXPECT_EQ(describe(fault->failure), travelled ? "PE 0: no tea" : "no tea");
      };
      co_await on_all_pes(look);
    }
  });
}

// The chain consists of a thousand merges, promises and operations on all PEs in turn.
TEST_P(poison, goes_down_a_chain) {
  run([]() -> task<> {
    const std::uint64_t runs_expected = 0;
    const auto runs = co_await make_array<std::uint64_t>(1);
    const auto chain = [&]() -> task<> {
      const user_event first = make_user_event();
      event last = first;
      for (int i = 0; i < 1000; ++i) {
        const auto extend = [last, i, runs]() -> event {
          if (i % 3 == 0) return merge_events({last, make_user_event()});
          if (i % 3 == 1)
            return spawn_when((my_pe() + i) % pes(), last, [runs] { async_fetch_add(runs[0], 1); });
          const user_event promised = make_user_event();
          trigger_when(promised, last);
          return promised;
        };
        last = co_await call(i % pes(), extend);
      }
      first.poison(k_reason);
      EXPECT_THAT(co_await text_of_failure(last), testing::EndsWith("no tea"));
    };
    co_await finish(chain);
    EXPECT_EQ(co_await read(runs[0]), runs_expected);
  });
}

TEST_P(poison, goes_through_a_wide_merge_at_once) {
  run([]() -> task<> {
    const auto inputs = co_await make_on_all(1000);
    const event merged = merge_events(inputs);
    const event settled = ignore_faults(inputs);
    const event any = any_of_events(inputs);
    for (std::size_t i = 0; i < 500; ++i)
      if (i != 123) inputs[i].poison(error(errc::input, "later"));
    inputs[123].poison(k_reason);
    const std::string first = co_await text_of_failure(merged);
    EXPECT_EQ(co_await text_of_failure(merged), first);
    EXPECT_FALSE(settled.has_triggered());
    EXPECT_FALSE(any.has_triggered());
    EXPECT_FALSE(any.is_poisoned());
    for (std::size_t i = 500; i < 1000; ++i) inputs[i].trigger();
    co_await any;
    co_await settled;
  });
}

TEST(poison_alone, the_first_of_all_is_kept) {
  test::run_alone([]() -> task<> {
    const user_event a = make_user_event();
    const user_event b = make_user_event();
    const event any = any_of_events({a, b});
    const event both = merge_events({a, b});
    b.poison(error(errc::input, "first"));
    EXPECT_FALSE(any.has_triggered());
    a.poison(error(errc::input, "second"));
    EXPECT_EQ(co_await text_of_failure(any), "first");
    EXPECT_EQ(co_await text_of_failure(both), "first");
    EXPECT_EQ(merge_events({event::none, a, b}), a);
    EXPECT_EQ(any_of_events({a, event::none}), event::none);
    EXPECT_EQ(any_of_events({b, a}), b);
    const event settled = ignore_faults({a, b});
    co_await settled;
  });
}

// The error of a failed event must be kept, even when other events reuse the slot that stored the
// event.
TEST(poison_alone, is_remembered_when_the_slot_is_used_again) {
  test::run_alone([]() -> task<> {
    const user_event failed = make_user_event();
    failed.poison(k_reason);
    for (int i = 0; i < 5000; ++i) {
      const user_event other = make_user_event();
      other.trigger();
      EXPECT_FALSE(other.is_poisoned());
    }
    EXPECT_TRUE(failed.is_poisoned());
    EXPECT_EQ(co_await text_of_failure(failed), "no tea");
  });
}

ATOLL_RUN_ON(poison, 1, 2, 3, 4, 7);

}  // namespace
