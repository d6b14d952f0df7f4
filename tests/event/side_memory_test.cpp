// Tests that --memory-limit also limits data that events store outside of their slots, such as
// errors and contributions. A slot stores an event.

#include "atoll/deferred.hpp"
#include "atoll/event.hpp"
#include "atoll/phase_barrier.hpp"
#include "support/run_on.hpp"

#include <functional>
#include <gmock/gmock.h>

using namespace atl;

namespace {

/// Calls `take_some` until memory runs out, and returns the text of the error.
std::string refusal_of(const std::function<void()>& take_some) {
  try {
    for (int i = 0; i < 4'000'000; ++i) take_some();
  } catch (const error& refused) {
    EXPECT_EQ(refused.code(), errc::out_of_memory);
    return refused.what();
  }
  return "none";
}

settings with_little_memory() {
  settings options = test::job_of(1);
  options.memory_limit = 16 << 20;
  return options;
}

// Failed events leave their errors in memory, although their slots are reused.
TEST(side_memory, of_failed_events_is_limited) {
  test::run_on(with_little_memory(), []() -> task<> {
    const auto failure = std::make_exception_ptr(error(errc::input, "no"));
    EXPECT_THAT(refusal_of([&] { make_user_event().poison(failure); }),
                testing::HasSubstr("--memory-limit"));
    const user_event fine = make_user_event();
    fine.trigger();
    co_await fine;
  });
}

// A barrier stores the numbers of its failed phases, and the contributions to its open phases.
TEST(side_memory, of_the_phases_of_barriers_is_limited) {
  test::run_on(with_little_memory(), []() -> task<> {
    const user_event bad = make_user_event();
    bad.poison(error(errc::input, "no"));
    phase_barrier failing = make_phase_barrier(1);
    // The refused arrival must not have been counted, so the second arrival is refused too.
    for (int times = 0; times < 2; ++times)
      EXPECT_THAT(refusal_of([&] {
                    failing.arrive(1, bad);
                    failing = failing.next();
                  }),
                  testing::HasSubstr("--memory-limit"));
    failing.destroy();
    phase_barrier early = make_phase_barrier(2);
    EXPECT_THAT(refusal_of([&] {
                  early.arrive();
                  early = early.next();
                }),
                testing::HasSubstr("--memory-limit"));
    co_return;
  });
}

/// Takes the remaining memory of the account, and returns its size.
std::uint64_t take_all(memory_account& account) {
  std::uint64_t taken = 0;
  for (std::uint64_t step = 1 << 20; step > 0;) {
    try {
      account.charge(step);
      taken += step;
    } catch (const error&) {
      step /= 2;
    }
  }
  return taken;
}

// If memory is too short for a withdrawal, `withdraw` throws an error and the operation continues.
TEST(side_memory, is_wanted_before_anything_is_withdrawn) {
  test::run_on(with_little_memory(), []() -> task<> {
    const auto all = []() -> task<> {
      const reservation door = make_reservation();
      co_await door.acquire();
      const user_event go = make_user_event();
      // The first withdrawal makes the PE keep a list of its operations.
      EXPECT_TRUE(co_await withdraw(spawn_when(go, [] {})));
      const event request = door.acquire();
      const event operation = spawn_when(go, [] {});
      memory_account& account = *this_pe().account;
      const std::uint64_t taken = take_all(account);
      int refused = 0;
      for (const event each : {request, operation}) {
        // The error is caught here, because no memory is left for the task of a helper coroutine.
        try {
          co_await withdraw(each);
        } catch (const error& told) {
          EXPECT_EQ(told.code(), errc::out_of_memory);
          ++refused;
        }
      }
      account.release(taken);
      EXPECT_EQ(refused, 2);
      go.trigger();
      EXPECT_FALSE((co_await operation.settled()).has_value());
      door.release();
      EXPECT_FALSE((co_await request.settled()).has_value());
      door.release();
    };
    co_await finish(all);
  });
}

}  // namespace
