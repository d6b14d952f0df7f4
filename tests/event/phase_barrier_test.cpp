#include "atoll/phase_barrier.hpp"

#include "support/run_on.hpp"

#include <functional>
#include <malloc.h>

using namespace atl;

namespace {

class phase_barriers : public test::on_pes {};

/// Makes a barrier on the last PE.
task<phase_barrier> make_on_last(std::uint64_t expected) {
  const auto make = [expected] { return make_phase_barrier(expected); };
  co_return co_await call(pes() - 1, make);
}

TEST(phase_barriers_alone, complete_with_the_last_arrival_that_they_expect) {
  test::run_alone([]() -> task<> {
    const phase_barrier first = make_phase_barrier(3);
    const event completion = first.completion();
    first.arrive(2);
    EXPECT_FALSE(completion.has_triggered());
    EXPECT_EQ(first.completion(), completion);
    first.arrive();
    EXPECT_TRUE(completion.has_triggered());
    EXPECT_TRUE(first.completion().has_triggered());
    EXPECT_FALSE(first.next().completion().has_triggered());
    co_await first;
  });
}

TEST(phase_barriers_alone, complete_in_order) {
  test::run_alone([]() -> task<> {
    const phase_barrier first = make_phase_barrier(2);
    const event third = first.advance(2).completion();
    first.advance(2).arrive(2);
    first.advance(1).arrive(2);
    first.arrive();
    EXPECT_FALSE(third.has_triggered());
    first.arrive();
    EXPECT_TRUE(third.has_triggered());
    EXPECT_EQ(first.advance(3).phase(), 3U);
    co_return;
  });
}

TEST(phase_barriers_alone, have_as_many_phases_as_one_likes) {
  test::run_alone([]() -> task<> {
    const auto pass = [](reducing_barrier<int, std::plus<>> from,
                         int phases) -> task<reducing_barrier<int, std::plus<>>> {
      for (int i = 0; i < phases; ++i, from = from.next()) {
        const event completion = from.completion();
        from.arrive(i);
        co_await completion;
      }
      co_return from;
    };
    auto present = make_reducing_barrier(1, 0, std::plus<>());
    present = co_await pass(present, 10'000);
    const auto bytes = mallinfo2().uordblks;
    present = co_await pass(present, 200'000);
    EXPECT_LT(mallinfo2().uordblks, bytes + 100'000);
  });
}

TEST(phase_barriers_alone, expect_more_or_fewer_from_a_phase_on) {
  test::run_alone([]() -> task<> {
    const phase_barrier first = make_phase_barrier(2);
    const phase_barrier second = first.next();
    second.alter_expected(1);
    first.arrive();
    first.alter_expected(-1);
    EXPECT_TRUE(first.completion().has_triggered());
    second.arrive();
    EXPECT_FALSE(second.completion().has_triggered());
    second.arrive();
    EXPECT_TRUE(second.completion().has_triggered());
    second.next().arrive();
    second.next().alter_expected(-1);
    EXPECT_TRUE(second.next().completion().has_triggered());
    second.advance(2).arrive();
    EXPECT_TRUE(second.advance(2).completion().has_triggered());
    co_return;
  });
}

TEST(phase_barriers_alone, stand_open_when_nothing_is_expected_any_more) {
  test::run_alone([]() -> task<> {
    const phase_barrier first = make_phase_barrier(1);
    first.advance(5).alter_expected(2);
    first.arrive();
    const event fourth = first.advance(3).completion();
    first.next().alter_expected(-1);
    EXPECT_TRUE(fourth.has_triggered());
    EXPECT_FALSE(first.advance(5).completion().has_triggered());
    first.advance(5).arrive(2);
    EXPECT_TRUE(first.advance(5).completion().has_triggered());
    EXPECT_FALSE(first.advance(6).completion().has_triggered());
    first.advance(6).alter_expected(-2);
    EXPECT_TRUE(first.advance(1'000'000'000'000).completion().has_triggered());
    co_return;
  });
}

// When a task has passed a phase, the task checks that all other tasks have arrived at the phase.
TEST_P(phase_barriers, hold_tasks_of_all_pes_together) {
  run([]() -> task<> {
    constexpr std::uint64_t k_tasks = 5;
    constexpr std::uint64_t k_phases = 12;
    const auto all = static_cast<std::uint64_t>(pes()) * k_tasks;
    const auto arrived = co_await make_array<std::uint64_t>(k_phases);
    const phase_barrier first = co_await make_on_last(all);
    const auto pass = [=]() -> task<> {
      phase_barrier present = first;
      for (std::uint64_t i = 0; i < k_phases; ++i, present = present.next()) {
        co_await fetch_add(arrived[i], 1);
        present.arrive();
        co_await present;
        EXPECT_EQ(co_await read(arrived[i]), all);
      }
    };
    const auto program = [=]() -> task<> {
      for (std::uint64_t i = 0; i < all; ++i) async_call(static_cast<int>(i) % pes(), pass);
      co_return;
    };
    co_await finish(program);
    const auto has_passed = [first] {
      return first.advance(k_phases - 1).completion().has_triggered();
    };
    EXPECT_TRUE(co_await call(first.pe(), has_passed));
    first.destroy();
  });
}

TEST_P(phase_barriers, are_awaited_before_a_phase_begins_and_long_after) {
  run([]() -> task<> {
    constexpr std::uint64_t k_phases = 40;
    const phase_barrier first = co_await make_on_last(1);
    const auto passed = co_await make_array<std::uint64_t>(1);
    const auto wait_for_all = [=]() -> task<> {
      for (std::uint64_t i = 0; i < 2 * k_phases; ++i) {
        spawn([=]() -> task<> {
          co_await first.advance(i % k_phases);
          co_await fetch_add(passed[0], 1);
        });
      }
      co_return;
    };
    const auto all_pass = [=]() -> task<> {
      for (int pe = 0; pe < pes(); ++pe) async_call(pe, wait_for_all);
      co_await sleep_for(300'000);
      EXPECT_EQ(co_await read(passed[0]), 0U);
      for (std::uint64_t i = 0; i < k_phases; ++i) first.advance(k_phases - 1 - i).arrive();
    };
    co_await finish(all_pass);
    const auto all_look_back = [=] {
      for (int pe = 0; pe < pes(); ++pe) async_call(pe, wait_for_all);
    };
    co_await finish(all_look_back);
    EXPECT_EQ(co_await read(passed[0]), 4 * k_phases * static_cast<std::uint64_t>(pes()));
  });
}

TEST_P(phase_barriers, become_known_to_a_pe_that_asks_again_and_again) {
  run([]() -> task<> {
    const phase_barrier first = co_await make_on_last(1);
    EXPECT_FALSE(first.completion().has_triggered());
    first.arrive();
    while (!first.completion().has_triggered()) co_await sleep_for(1000);
    EXPECT_FALSE(first.completion().is_poisoned());
  });
}

TEST_P(phase_barriers, gather_the_arrivals_of_ready_tasks) {
  run([]() -> task<> {
    const phase_barrier first = co_await make_on_last(1'000);
    const auto count = [first]() -> task<> {
      const std::uint64_t before = this_pe().messages->created();
      const auto arrive = [first]() -> task<> {
        for (int i = 0; i < 1'000; ++i) spawn([first] { first.arrive(); });
        co_return;
      };
      co_await finish(arrive);
      EXPECT_LE(this_pe().messages->created() - before, 3U);
    };
    co_await count();
    co_await first;
  });
}

// One message increases the number of expected arrivals, and other messages carry the added
// arrivals. An added arrival must count only after the number of expected arrivals has grown, even
// if the message with the arrival is faster.
TEST_P(phase_barriers, count_an_increase_before_what_it_makes_room_for) {
  run([]() -> task<> {
    const phase_barrier first = co_await make_on_last(2);
    first.arrive();
    const auto program = [first]() -> task<> {
      phase_barrier grown = first;
      for (int pe = 0; pe < pes(); ++pe) {
        grown = grown.alter_expected(2);
        async_call(pe, [grown] {
          const phase_barrier more = grown.alter_expected(1);
          async_call((my_pe() + 1) % pes(), [more] { more.arrive(3); });
        });
      }
      co_return;
    };
    co_await finish(program);
    const event completion = first.completion();
    co_await sleep_for(1'000'000);
    EXPECT_FALSE(completion.has_triggered());
    first.arrive();
    co_await completion;
  });
}

/// A value of a user-defined type.
struct tally {
  int count = 0;
  int most = 0;

  friend bool operator==(const tally&, const tally&) = default;
};

task<> arrive_with_values(auto sum, auto least, auto tallied) {
  for (std::uint64_t phase = 0; phase < 3; ++phase) {
    const int added = static_cast<int>(phase);
    for (int i = 0; i < 3; ++i) sum.advance(phase).arrive(my_pe() + added);
    least.advance(phase).arrive(10 * my_pe() - added);
    tallied.advance(phase).arrive({1, my_pe() + added});
  }
  for (std::uint64_t phase = 0; phase < 3; ++phase) {
    const int added = static_cast<int>(phase);
    EXPECT_EQ(co_await sum.advance(phase).result(), 3 * (pes() * (pes() - 1) / 2 + pes() * added));
    EXPECT_EQ(co_await least.advance(phase).result(), -added);
    EXPECT_EQ(co_await tallied.advance(phase).result(), (tally{pes(), pes() - 1 + added}));
  }
  const auto early = co_await sum.advance(3).try_result();
  EXPECT_FALSE(early.has_value());
}

TEST_P(phase_barriers, fold_values) {
  run([]() -> task<> {
    const auto all = static_cast<std::uint64_t>(pes());
    const auto make_sum = [all] { return make_reducing_barrier(3 * all, 0.0, std::plus<>()); };
    const auto make_least = [all] { return make_reducing_barrier(all, 1'000, minimum()); };
    const auto sum = co_await call(pes() - 1, make_sum);
    const auto least = co_await call(0, make_least);
    const auto tallied = make_reducing_barrier(all, tally(), [](const tally& a, const tally& b) {
      return tally{a.count + b.count, std::max(a.most, b.most)};
    });
    const auto arrive = [=] { return arrive_with_values(sum, least, tallied); };
    co_await on_all_pes(arrive);
  });
}

TEST_P(phase_barriers, fold_the_values_of_those_arrivals_that_have_one) {
  run([]() -> task<> {
    const auto make = [] { return make_reducing_barrier(6, 100, std::plus<>()); };
    const auto first = co_await call(pes() - 1, make);
    for (const bool with_value : {false, true, false, true, true}) {
      if (with_value)
        first.arrive(1);
      else
        first.phase_barrier::arrive();
    }
    EXPECT_FALSE((co_await first.try_result()).has_value());
    first.phase_barrier::arrive();
    EXPECT_EQ(co_await first.result(), 103);
  });
}

// A barrier must not be mistaken for a later barrier whose data are stored in the same slot.
TEST_P(phase_barriers, are_told_from_those_that_had_their_place) {
  run([]() -> task<> {
    for (int i = 0; i < 20; ++i) {
      const phase_barrier former = co_await make_on_last(1);
      const event completion = former.completion();
      former.destroy();
      const phase_barrier present = co_await make_on_last(1);
      const event next = present.completion();
      present.arrive();
      co_await next;
      EXPECT_TRUE((co_await completion.settled()).has_value());
      EXPECT_TRUE((co_await former.completion().settled()).has_value());
      EXPECT_FALSE((co_await present.completion().settled()).has_value());
      present.destroy();
    }
  });
}

// Each barrier is stored in a slot, and gets a name that no earlier barrier of the slot had. After
// 2^17 barriers, a slot has no more names for this job and must not be used any more.
TEST(many_phase_barriers, have_names_of_their_job) {
  constexpr int k_names_of_a_slot = 1 << 17;
  test::run_on(test::simulated_job_of(3, 1), []() -> task<> {
    for (int i = 0; i < k_names_of_a_slot; ++i) make_phase_barrier(1).destroy();
    for (int pe = 1; pe < pes(); ++pe) {
      const phase_barrier first = make_phase_barrier(1);
      const auto use = [first]() -> task<> {
        first.arrive();
        co_await first;
      };
      co_await call(pe, use);
      first.destroy();
    }
  });
}

// A PE collects arrivals and sends them in one message. If a task arrives and then destroys the
// barrier, the destruction must not overtake the message with the arrival.
TEST_P(phase_barriers, are_destroyed_behind_the_arrivals_of_the_same_task) {
  run([]() -> task<> {
    constexpr std::uint64_t k_arrivals = 3;
    const phase_barrier first = co_await make_on_last(k_arrivals);
    const auto complete = [first] { return first.completion(); };
    const event completion = co_await call(first.pe(), complete);
    const auto arrive_and_destroy = [first] {
      for (std::uint64_t i = 0; i < k_arrivals; ++i) first.arrive();
      first.destroy();
    };
    co_await finish(arrive_and_destroy);
    EXPECT_FALSE((co_await completion.settled()).has_value());
  });
}

ATOLL_RUN_ON(phase_barriers, 1, 2, 3, 4, 7);

}  // namespace
