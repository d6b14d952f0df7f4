#include "atoll/deferred.hpp"

#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <thread>

using namespace atl;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class outside_on : public test::on_pes {};

/// Calls `function`, and returns the text of the error that it throws, or "none".
template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const error& failed) {
    return failed.what();
  }
  return "none";
}

// A thread outside of the job triggers an event. The PE of the event has nothing else to do, so the
// PE is probably asleep.
TEST_P(outside_on, a_thread_triggers_what_a_task_waits_for) {
  run_spmd([]() -> task<> {
    for (int i = 0; i < 20; ++i) {
      const user_event heard = make_user_event();
      std::thread thread([outside = heard.outside()] { outside.trigger(); });
      co_await heard;
      thread.join();
    }
  });
}

TEST_P(outside_on, a_thread_waits_for_any_pe) {
  run_spmd([]() -> task<> {
    const auto make = [] { return make_user_event(); };
    const user_event there = co_await call((my_pe() + 1) % pes(), make);
    const user_event seen = make_user_event();
    const auto wait_and_tell = [awaited = event(there).outside(), told = seen.outside()] {
      awaited.external_wait();
      told.trigger();
    };
    std::thread thread(wait_and_tell);
    there.trigger();
    co_await seen;
    thread.join();
    // This PE knows that the event has ended, so the wait returns at once.
    event(there).outside().external_wait();
  });
}

TEST_P(outside_on, a_thread_ends_an_event_of_another_pe) {
  run_spmd([]() -> task<> {
    const auto make = [] { return make_user_event(); };
    const user_event there = co_await call((my_pe() + 1) % pes(), make);
    std::thread thread(
        [outside = there.outside()] { outside.poison(error(errc::input, "no tea")); });
    const auto fault = co_await there.settled();
    EXPECT_TRUE(fault.has_value());
    if (fault) {
      EXPECT_THAT(describe(fault->failure), HasSubstr("no tea"));
      EXPECT_EQ(carried_code(fault->failure), errc::input);
    }
    thread.join();
  });
}

TEST_P(outside_on, a_thread_gets_the_error) {
  run_spmd([]() -> task<> {
    const user_event fails = make_user_event();
    const user_event seen = make_user_event();
    std::string text;
    std::thread thread([awaited = event(fails).outside(), told = seen.outside(), &text] {
      text = error_of([&] { awaited.external_wait(); });
      told.trigger();
    });
    fails.poison(error(errc::input, "no milk"));
    co_await seen;
    thread.join();
    EXPECT_EQ(text, "no milk");
  });
}

TEST_P(outside_on, a_wait_has_an_end) {
  run_spmd([]() -> task<> {
    const user_event never = make_user_event();
    const outside_event outside = event(never).outside();
    EXPECT_FALSE(outside.external_wait_for(std::chrono::nanoseconds(1)));
    never.trigger();
    EXPECT_TRUE(outside.external_wait_for(std::chrono::hours(24)));
    co_return;
  });
}

TEST_P(outside_on, a_second_trigger_is_refused) {
  run_spmd([]() -> task<> {
    const user_event once = make_user_event();
    const outside_user_event outside = once.outside();
    const unsigned line = __LINE__ + 1;
    outside.trigger();
    const std::string text = error_of([&] { outside.trigger(); });
    const std::string place = "outside_test.cpp:";
    EXPECT_THAT(text, AllOf(HasSubstr("triggered at " + place + std::to_string(line) + " "),
                            HasSubstr("at " + place + std::to_string(line + 1) + " again")));
    co_await once;
  });
}

ATOLL_RUN_IN_PARALLEL_ON(outside_on, 1, 2, 3, 4, 7, 8);

// A thread that belongs to no PE outlives the job. The thread must get the error that the job has
// ended.
TEST(outside, the_end_of_the_job_is_told) {
  std::thread thread;
  std::string waited;
  std::string triggered;
  test::run_alone([&]() -> task<> {
    const user_event never = make_user_event();
    thread = std::thread([&, awaited = event(never).outside(), outside = never.outside()] {
      waited = error_of([&] { awaited.external_wait(); });
      triggered = error_of([&] { outside.trigger(); });
    });
    co_return;
  });
  thread.join();
  EXPECT_THAT(waited, HasSubstr("the job has ended"));
  EXPECT_THAT(triggered, HasSubstr("the job has ended"));
}

// Nothing happens in the job for longer than the time-out. The runtime must not report a hang,
// because a thread can still trigger an event.
TEST(outside, a_thread_that_may_trigger_is_no_hang) {
  settings options = test::job_of(1);
  options.hang_timeout = 1'000'000'000;
  test::run_on(options, []() -> task<> {
    const user_event late = make_user_event();
    std::thread thread([outside = late.outside()] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2500));
      outside.trigger();
    });
    co_await late;
    thread.join();
  });
}

TEST(outside, simulated_pes_have_no_threads_beside_them) {
  test::run_on(test::simulated_job_of(2, 1), []() -> task<> {
    const user_event any = make_user_event();
    const std::string text = error_of([&] { (void)any.outside(); });
    EXPECT_THAT(text, AllOf(HasSubstr("--transport sim"), HasSubstr("outside_test.cpp")));
    any.trigger();
    event(any).outside().external_wait();
    co_return;
  });
}

}  // namespace
