#include "atoll/event.hpp"

#include "atoll/deferred.hpp"
#include "atoll/event/operations.hpp"
#include "atoll/event/table.hpp"
#include "support/run_on.hpp"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <memory>
#include <vector>

using namespace atl;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

class withdrawals_on : public test::on_pes {};

std::string place_of(unsigned line) { return "withdraw_test.cpp:" + std::to_string(line); }

task<std::string> text_of(event failed) {
  const auto fault = co_await failed.settled();
  EXPECT_TRUE(fault.has_value());
  co_return fault ? describe(fault->failure) : std::string();
}

// PE 0 asks the last PE for an operation that waits for an event. PE pes() / 2 withdraws the
// operation, which must then never begin.
TEST_P(withdrawals_on, an_operation_never_begins) {
  run([]() -> task<> {
    const auto all = []() -> task<> {
      const user_event never = make_user_event();
      const unsigned asked = __LINE__ + 1;
      const event result = spawn_when(pes() - 1, never, [] { ADD_FAILURE() << "it has begun"; });
      const event after = spawn_when(0, result, [] { ADD_FAILURE() << "and what depends on it"; });
      const unsigned withdrawn = __LINE__ + 2;
      const auto stop = [result]() -> task<bool> {
        const bool done = co_await withdraw(result);
        const bool again = co_await withdraw(result);
        EXPECT_FALSE(again);
        co_return done;
      };
      const bool done = co_await call(pes() / 2, stop);
      EXPECT_TRUE(done);
      const std::string text = co_await text_of(after);
      EXPECT_THAT(text, HasSubstr("asked for at " + place_of(asked)));
      EXPECT_THAT(text, EndsWith("withdrawn at " + place_of(withdrawn)));
    };
    co_await finish(all);  // finish() also waits for operations that have not begun.
  });
}

// The object that stores the times of an operation must be freed together with the operation.
// Triggering the precondition later must not write to the freed object.
TEST_P(withdrawals_on, a_timed_operation_leaves_nothing_behind) {
  run([]() -> task<> {
    const auto all = []() -> task<> {
      const user_event late = make_user_event();
      for (int i = 0; i < 50; ++i) {
        const event result = spawn_when(
            my_pe(), late,
            timed([] { ADD_FAILURE() << "it has begun"; }, [](const operation_times&) {}));
        EXPECT_TRUE(co_await withdraw(result));
      }
      const event runs = spawn_when(my_pe(), late, timed([] {}, [](const operation_times&) {}));
      late.trigger();
      co_await runs;
    };
    co_await finish(all);
  });
}

using block = std::array<std::byte, sizeof(operation_times)>;
constexpr auto k_mark = std::byte{0x5a};

// The memory for the times of a withdrawn operation is freed and reused. After an operation is
// withdrawn, the runtime must not write times to the operation's memory.
TEST(withdrawals, end_the_clock_of_a_timed_operation) {
  test::run_alone([]() -> task<> {
    const user_event late = make_user_event();
    const auto report = [](const operation_times&) { ADD_FAILURE() << "it has run"; };
    std::vector<event> all;
    for (int i = 0; i < 20; ++i) all.push_back(spawn_when(late, timed([] {}, report)));
    for (const event each : all) EXPECT_TRUE(co_await withdraw(each));
    std::vector<std::unique_ptr<block>> used;
    for (int i = 0; i < 200; ++i) {
      used.push_back(std::make_unique<block>());
      used.back()->fill(k_mark);
    }
    late.trigger();
    for (const auto& each : used)
      EXPECT_TRUE(std::ranges::all_of(*each, [](std::byte b) { return b == k_mark; }));
  });
}

// A PE can ask to withdraw an operation that has already ended. A request to withdraw an ended
// operation must not withdraw a later operation whose event occupies the same slot.
TEST_P(withdrawals_on, an_operation_that_has_ended_is_not_mistaken_for_one_in_its_slot) {
  run([]() -> task<> {
    const auto all = []() -> task<> {
      const int holder = pes() - 1;
      const user_event late = make_user_event();
      EXPECT_TRUE(
          // The first withdrawal makes the holder keep a list of its operations.
          co_await withdraw(spawn_when(holder, late, [] {})));
      constexpr int many = 1000;  // number of freed slots, of which the oldest are reused first
      std::vector<user_event> before;
      for (int i = 0; i < many; ++i) before.push_back(make_user_event());
      for (const user_event each : before) each.trigger();
      const event old = spawn_when(holder, event::none, [] {});
      co_await old;
      for (int i = 0; i < many / 2; ++i) make_user_event().trigger();
      std::vector<event> later;
      for (int i = 0; i < many; ++i) later.push_back(spawn_when(holder, late, [] {}));
      EXPECT_TRUE(std::ranges::any_of(
          later, [&](event each) { return each.name().slot() == old.name().slot(); }));
      const auto ask = [name = old.name()] {
        return events::table::here().held_operations().withdraw(name, site::current());
      };
      // After this call, the operations have arrived at the holder.
      co_await call(holder, [] {});
      EXPECT_EQ(co_await call(holder, ask), events::withdrawal::not_here);
      late.trigger();
      for (const event each : later) co_await each;
    };
    co_await finish(all);
  });
}

TEST_P(withdrawals_on, what_has_begun_goes_on) {
  run([]() -> task<> {
    const auto done = co_await make_array<std::uint64_t>(1);
    const auto all = [done]() -> task<> {
      const user_event leave = make_user_event();
      const user_event entered = make_user_event();
      const auto work = [leave, entered, done]() -> task<> {
        entered.trigger();
        co_await leave;
        co_await write(done[0], 1);
      };
      const event result = spawn_when(pes() - 1, event::none, work);
      co_await entered;
      const bool withdrawn = co_await withdraw(result);
      EXPECT_FALSE(withdrawn);
      leave.trigger();
      co_await result;
      const bool late = co_await withdraw(result);
      EXPECT_FALSE(late);
      const bool of_none = co_await withdraw(event::none);
      EXPECT_FALSE(of_none);
    };
    co_await finish(all);
    const std::uint64_t written = co_await read(done[0]);
    EXPECT_EQ(written, 1U);
  });
}

// A trigger and a withdrawal are in flight at the same time. Only the faster of the trigger and the
// withdrawal takes effect.
task<> race(global_array<std::uint64_t> runs, int round) {
  const int holder = round % pes();
  const int trigger = round / 2 % pes();
  const user_event go = make_user_event();
  const auto work = [runs] { async_update(runs[0], [](std::uint64_t& n) { ++n; }); };
  const event result = spawn_when(holder, go, work);
  bool withdrawn = false;
  const auto both = [&]() -> task<> {
    spawn([&withdrawn, result]() -> task<> { withdrawn = co_await withdraw(result); });
    if (round % 3 == 0) co_await yield();
    async_call(trigger, [go] { go.trigger(); });
  };
  co_await finish(both);
  const auto fault = co_await result.settled();
  EXPECT_EQ(fault.has_value(), withdrawn);
  if (fault) {
    EXPECT_EQ(carried_code(fault->failure), errc::withdrawn);
  }
  if (withdrawn) co_await fetch_add(runs[1], 1);
}

TEST_P(withdrawals_on, meet_triggers) {
  run([]() -> task<> {
    constexpr int k_rounds = 60;
    const auto runs = co_await make_array<std::uint64_t>(2);
    const auto all = [runs] {
      for (int round = 0; round < k_rounds; ++round)
        spawn([runs, round] { return race(runs, round); });
    };
    co_await on_all_pes(all);
    const std::uint64_t run = co_await read(runs[0]);
    const std::uint64_t withdrawn = co_await read(runs[1]);
    EXPECT_EQ(run + withdrawn, static_cast<std::uint64_t>(k_rounds * pes()));
  });
}

// If two tasks withdraw the same operation, exactly one withdrawal must return true.
TEST_P(withdrawals_on, of_two_one_is_true) {
  run([]() -> task<> {
    for (int round = 0; round < 20; ++round) {
      const user_event never = make_user_event();
      const event result = spawn_when(pes() - 1, never, [] { ADD_FAILURE(); });
      int withdrawn = 0;
      const auto both = [&] {
        for (int i = 0; i < 2; ++i)
          spawn([&withdrawn, result]() -> task<> {
            const bool done = co_await withdraw(result);
            withdrawn += done ? 1 : 0;
          });
      };
      co_await finish(both);
      EXPECT_EQ(withdrawn, 1);
    }
  });
}

TEST_P(withdrawals_on, a_promise_is_withdrawn) {
  run([]() -> task<> {
    const user_event never = make_user_event();
    const auto make = [] { return make_user_event(); };
    const user_event promised = co_await call(pes() - 1, make);
    const auto promise = [=] { trigger_when(promised, never); };
    co_await finish(promise);
    const bool done = co_await withdraw(promised);
    EXPECT_TRUE(done);
    const std::string text = co_await text_of(promised);
    EXPECT_THAT(text, HasSubstr("was withdrawn at withdraw_test.cpp"));
    never.trigger();
  });
}

/// PE pes() / 2 calls `act` with an event of the last PE. After the call, this PE withdraws the
/// event. Returns true if the withdrawal succeeded.
template <class Act>
task<bool> withdraw_after(const Act& act) {
  const auto make = [] { return make_user_event(); };
  const user_event user = co_await call(pes() - 1, make);
  const auto elsewhere = [act, user] { act(user); };
  co_await call(pes() / 2, elsewhere);
  co_return co_await withdraw(user);
}

// An earlier request of another PE must take effect before the withdrawal, even if the request
// arrives later.
task<> withdraw_after_requests_of_other_pes() {
  const user_event never = make_user_event();
  const auto promise = [never](user_event user) { trigger_when(user, never); };
  const auto trigger = [](user_event user) { user.trigger(); };
  const auto poison = [](user_event user) { user.poison(error(errc::input, "as planned")); };
  const bool promised = co_await withdraw_after(promise);
  const bool triggered = co_await withdraw_after(trigger);
  const bool poisoned = co_await withdraw_after(poison);
  EXPECT_TRUE(promised);
  EXPECT_FALSE(triggered);
  EXPECT_FALSE(poisoned);
  never.trigger();
}

TEST_P(withdrawals_on, come_after_what_other_pes_have_asked_before) {
  run(withdraw_after_requests_of_other_pes);
}

TEST(withdrawals, come_after_what_other_pes_have_asked_before_under_any_schedule) {
  for (const int pes : {3, 4, 7})
    for (const std::uint64_t seed : test::seeds(test::sanitized ? 20 : 100))
      test::run_on(test::simulated_job_of(pes, seed), withdraw_after_requests_of_other_pes);
}

TEST_P(withdrawals_on, a_request_is_withdrawn) {
  run([]() -> task<> {
    const reservation door = make_reservation();
    co_await door.acquire();
    const auto elsewhere = [door]() -> task<> {
      const event queued = door.acquire();
      const user_event never = make_user_event();
      const event deferred = door.acquire(never);
      const event last = door.acquire();
      const bool first = co_await withdraw(queued);
      const bool second = co_await withdraw(deferred);
      EXPECT_TRUE(first && second);
      const std::string text = co_await text_of(queued);
      EXPECT_THAT(text, HasSubstr("reservation asked for at withdraw_test.cpp"));
      never.trigger();
      spawn([door, last]() -> task<> {
        co_await last;
        door.release();
      });
    };
    co_await call(pes() - 1, elsewhere);
    door.release();
    co_await door.acquire();
    door.release();
  });
}

TEST_P(withdrawals_on, what_is_no_operation_is_refused) {
  run([]() -> task<> {
    const auto make = [] { return make_user_event(); };
    const user_event plain = co_await call(pes() - 1, make);
    std::string text;
    try {
      (void)co_await withdraw(plain);
    } catch (const error& refused) {
      text = refused.what();
    }
    EXPECT_THAT(text, AllOf(HasSubstr("not that of an operation"), HasSubstr("withdraw_test.cpp")));
  });
}

// The withdrawal of an operation ends this PE's subscription to the event that the operation waits
// for. The PE can subscribe to the event again before the event's owner learns that the first
// subscription has ended. A subscription that follows a withdrawal must not be lost.
TEST_P(withdrawals_on, leave_the_subscriptions_of_others) {
  run([]() -> task<> {
    const auto elsewhere = [] { return make_user_event(); };
    for (int i = 0; i < 10; ++i) {
      const user_event late = co_await call(pes() - 1, elsewhere);
      const bool done = co_await withdraw(spawn_when(late, [] { ADD_FAILURE(); }));
      EXPECT_TRUE(done);
      late.subscribe();
      // After this call, the answer to the first subscription has arrived.
      co_await call(pes() - 1, [] {});
      late.trigger();
      while (!late.has_triggered()) co_await sleep_for(1000);
    }
  });
}

// Each round makes an operation that waits for an event of another PE, and withdraws the operation.
// The memory of all operations must be freed.
TEST_P(withdrawals_on, give_memory_back) {
  run([]() -> task<> {
    const auto elsewhere = [] { return make_user_event(); };
    const user_event never = co_await call(pes() - 1, elsewhere);
    const auto held = std::make_shared<int>(0);
    const int times = test::sanitized ? 200 : 2000;
    for (int i = 0; i < times; ++i) {
      const event result = spawn_when(never, [held] { ADD_FAILURE(); });
      const bool done = co_await withdraw(result);
      EXPECT_TRUE(done);
    }
    EXPECT_EQ(held.use_count(), 1);
    bool has_run = false;
    const event last = spawn_when(never, [&has_run] { has_run = true; });
    never.trigger();
    co_await last;
    EXPECT_TRUE(has_run);
  });
}

ATOLL_RUN_ON_ALL(withdrawals_on);

}  // namespace
