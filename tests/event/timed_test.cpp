#include "atoll/deferred.hpp"

#include "support/run_on.hpp"

using namespace atl;

namespace {

class timed_on : public test::on_pes {};

constexpr transport::nanoseconds k_wait = 200'000;

/// For each PE, the times that operations have reported on this PE.
using reports = per_pe<std::vector<operation_times>>;

bool are_in_order(const operation_times& of) {
  return of.asked <= of.ready && of.ready <= of.begun && of.begun <= of.ended;
}

TEST_P(timed_on, tell_when_they_waited_and_worked) {
  run([]() -> task<> {
    const auto told = co_await reports::make();
    const user_event go = make_user_event();
    const int last = pes() - 1;
    const auto work = []() -> task<> { co_await sleep_for(k_wait); };
    const auto report = [told](const operation_times& of) { told->push_back(of); };
    const event done = spawn_when(last, go, timed(work, report));
    co_await call(last, [] {});  // After this call, the operation has arrived at the last PE.
    co_await sleep_for(2 * k_wait);
    go.trigger();
    co_await done;
    const auto look = [told] {
      ASSERT_EQ(told->size(), 1U);
      const operation_times& of = told->front();
      EXPECT_TRUE(are_in_order(of));
      EXPECT_GT(of.ready - of.asked, k_wait / 2);
      EXPECT_GE(of.ended - of.begun, k_wait);
      EXPECT_EQ(std::string(to_string(of.where)).substr(0, 14), "timed_test.cpp");
    };
    co_await call(last, look);
  });
}

TEST_P(timed_on, copies_and_fills_tell_it_too) {
  run([]() -> task<> {
    const auto a = co_await make_array<int>(1000);
    const auto b = co_await make_array<int>(1000);
    std::vector<operation_times> told;
    const auto report = [&told](const operation_times& of) { told.push_back(of); };
    const user_event go = make_user_event();
    const event filled = fill_when(go, a, 7, report);
    const event copied = copy_when(filled, b, a, report);
    go.trigger();
    co_await copied;
    EXPECT_EQ(co_await read(b[999]), 7);
    EXPECT_EQ(told.size(), 2U);
    EXPECT_TRUE(are_in_order(told[0]) && are_in_order(told[1]));
    EXPECT_LE(told[0].ended, told[1].ready);
  });
}

TEST_P(timed_on, tell_nothing_where_they_are_cancelled_and_all_where_they_fail) {
  run([]() -> task<> {
    int told = 0;
    const auto report = [&told](const operation_times&) { ++told; };
    const user_event bad = make_user_event();
    const event cancelled = spawn_when(bad, timed([] {}, report));
    bad.poison(error(errc::input, "no"));
    EXPECT_TRUE((co_await cancelled.settled()).has_value());
    EXPECT_EQ(told, 0);
    const event failed = spawn_when(event::none, timed([] { fail(errc::input, "yes"); }, report));
    EXPECT_TRUE((co_await failed.settled()).has_value());
    EXPECT_EQ(told, 1);
  });
}

ATOLL_RUN_ON(timed_on, 1, 2, 3);

}  // namespace
