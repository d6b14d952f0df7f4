// If tasks wait for an event forever, the hang report names the tasks and the lines that made the
// event. The hang report also names the events that the event depends on.

#include "atoll/deferred.hpp"
#include "atoll/event.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

using namespace atl;

namespace {

class event_hang : public test::on_pes {
 protected:
  /// Runs a program that hangs, and returns the hang report.
  std::string report_of(const main_function& program) {
    options.hang_timeout = 3'600'000'000'000;
    const test::captured_stderr said;
    constexpr int k_hang = 3;
    EXPECT_EQ(test::status_of(options, program), k_hang);
    return said.text();
  }
};

TEST_P(event_hang, names_the_line_that_made_the_event) {
  unsigned made = 0;
  unsigned line = 0;
  const std::string text = report_of([&]() -> task<> {
    made = __LINE__ + 1;
    const auto make = [] { return make_user_event(); };
    const user_event never = co_await call(pes() - 1, make);
    line = __LINE__ + 1;
    const auto wait = [never]() -> task<> { co_await never; };
    co_await on_all_pes(wait);
  });
  const auto waiting = size() == 1 ? "1 task on PE 0 waits"
                                   : fmt::format("{0} tasks on PEs 0-{1} wait", size(), size() - 1);
  EXPECT_THAT(text, testing::HasSubstr(fmt::format(
                        "  what {} for at hang_test.cpp:{} is an event made at hang_test.cpp:{} on "
                        "PE {}, which nobody has triggered\n",
                        waiting, line, made, size() - 1)));
}

TEST_P(event_hang, names_what_the_event_waits_for) {
  unsigned made = 0;
  const std::string text = report_of([&]() -> task<> {
    made = __LINE__ + 1;
    const user_event never = make_user_event();
    const auto merge = [never] { return merge_events({never, never}); };
    const event merged = co_await call(pes() - 1, merge);
    const auto promise = [merged] {
      const user_event promised = make_user_event();
      trigger_when(promised, merged);
      return promised;
    };
    const event last = co_await call(pes() / 2, promise);
    co_await last.settled();
  });
  EXPECT_THAT(text, testing::HasSubstr(fmt::format(
                        "is an event made at hang_test.cpp:{} on PE {}\n"
                        "    which waits for an event made at hang_test.cpp:{} on PE {}\n"
                        "    which waits for an event made at hang_test.cpp:{} on PE",
                        made + 4, size() / 2, made + 1, size() - 1, made)));
}

TEST_P(event_hang, names_a_circle) {
  const std::string text = report_of([]() -> task<> {
    const user_event a = make_user_event();
    const auto follow = [a] {
      const user_event b = make_user_event();
      trigger_when(b, a);
      return b;
    };
    const event b = co_await call(pes() - 1, follow);
    trigger_when(a, b);
    co_await a;
  });
  EXPECT_THAT(text, testing::HasSubstr("which waits for itself: a circle\n"));
}

TEST_P(event_hang, names_a_deferred_operation) {
  unsigned line = 0;
  const std::string text = report_of([&]() -> task<> {
    const user_event never = make_user_event();
    line = __LINE__ + 1;
    (void)spawn_when(pes() - 1, never, [] {});
    co_return;
  });
  EXPECT_THAT(text, testing::HasSubstr(fmt::format(
                        "waits at hang_test.cpp:{0} (spawned at hang_test.cpp:{0})", line)));
  EXPECT_THAT(text, testing::HasSubstr(
                        fmt::format("waits for at hang_test.cpp:{} is an event made at", line)));
}

TEST_P(event_hang, names_who_holds_a_reservation) {
  unsigned made = 0;
  const std::string text = report_of([&]() -> task<> {
    made = __LINE__ + 1;
    const reservation door = make_reservation();
    const auto hold = [door]() -> task<> { co_await door.acquire(); };
    co_await call(pes() - 1, hold);
    co_await door.acquire();
  });
  EXPECT_THAT(
      text,
      testing::HasSubstr(fmt::format(
          "is an event made at hang_test.cpp:{} on PE 0\n"
          "    which waits for a reservation made at hang_test.cpp:{}, which PE {} holds since "
          "hang_test.cpp:{}, which nobody has released\n",
          made + 3, made, size() - 1, made + 1)));
}

TEST_P(event_hang, names_a_circle_of_reservations) {
  const std::string text = report_of([]() -> task<> {
    const reservation a = make_reservation();
    const auto make = [] { return make_reservation(); };
    const reservation b = co_await call(pes() - 1, make);
    co_await call(0, [a]() -> task<> { co_await a.acquire(); });
    co_await call(pes() - 1, [b]() -> task<> { co_await b.acquire(); });
    const auto take_also = [](reservation held, reservation wanted) -> task<> {
      const event both = wanted.acquire();
      wanted.release(both, both);
      held.release(both);
      co_await both;
    };
    async_call(0, [=] { return take_also(a, b); });
    async_call(pes() - 1, [=] { return take_also(b, a); });
  });
  EXPECT_THAT(text,
              testing::HasSubstr("and which is released with an event made at hang_test.cpp"));
  EXPECT_THAT(text, testing::HasSubstr("which waits for itself: a circle\n"));
}

ATOLL_RUN_ON(event_hang, 1, 2, 3);

}  // namespace
