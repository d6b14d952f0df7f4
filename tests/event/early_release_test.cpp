// Tests releases of a reservation that become due before the reservation is acquired. Also tests
// the withdrawal of a queued request for a reservation, while other requests wait behind it in the
// queue.

#include "atoll/event.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

using namespace atl;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class early_releases_on : public test::on_pes {};

/// Holds the reservation until `leave` triggers.
struct present_holder {
  user_event leave = make_user_event();
  event freed;

  explicit present_holder(const reservation& door) { freed = door.release(leave, door.acquire()); }
};

// An operation between an acquisition and a release fails while the acquisition still waits. The
// release must not free the reservation, because another task of the PE holds the reservation.
TEST_P(early_releases_on, keep_what_others_hold) {
  run([]() -> task<> {
    const reservation door = make_reservation();
    const auto elsewhere = [door]() -> task<> {
      const present_holder holder(door);
      const user_event data = make_user_event();
      const event held = door.acquire();
      const event done = spawn_when(merge_events({held, data}), [] { ADD_FAILURE(); });
      const event freed = door.release(done, held);
      const event after = door.release(event::none, door.acquire());
      data.poison(error(errc::input, "no data"));
      EXPECT_TRUE((co_await done.settled()).has_value());
      EXPECT_FALSE(co_await door.try_acquire());
      EXPECT_FALSE(held.has_triggered() || freed.has_triggered() || after.has_triggered());
      holder.leave.trigger();
      const auto fault = co_await freed.settled();
      EXPECT_TRUE(fault && describe(fault->failure).find("no data") != std::string::npos);
      EXPECT_FALSE(held.is_poisoned());
      co_await after;
    };
    co_await call(pes() - 1, elsewhere);
    co_await door.acquire();
    door.release();
  });
}

// An operation between an acquisition and a release is withdrawn while the acquisition still waits.
// The reservation must be released as soon as it is granted.
TEST_P(early_releases_on, give_back_what_is_granted_later) {
  run([]() -> task<> {
    const reservation door = make_reservation();
    const present_holder holder(door);
    const auto elsewhere = [door]() -> task<> {
      const event held = door.acquire();
      const event done = spawn_when(held, [] { ADD_FAILURE(); });
      const event freed = door.release(done, held);
      EXPECT_TRUE(co_await withdraw(done));
      co_await sleep_for(1'000'000);
      EXPECT_FALSE(freed.has_triggered());
      const event at_once = door.release(event::none, door.acquire());
      spawn([=]() -> task<> {
        const auto fault = co_await freed.settled();
        EXPECT_TRUE(fault && carried_code(fault->failure) == errc::withdrawn);
        EXPECT_FALSE(held.is_poisoned());
        co_await at_once;
      });
    };
    co_await call(pes() - 1, elsewhere);
    holder.leave.trigger();
    co_await door.acquire();
    door.release();
  });
}

TEST_P(early_releases_on, fail_where_the_hold_fails_later) {
  run([]() -> task<> {
    const reservation door = make_reservation();
    const present_holder holder(door);
    const user_event ready = make_user_event();
    const user_event done = make_user_event();
    const event held = door.acquire(ready);
    const event freed = door.release(done, held);
    const event withdrawn = door.release(done, held);
    done.poison(error(errc::input, "the operation"));
    EXPECT_TRUE(co_await withdraw(withdrawn));
    EXPECT_FALSE(freed.has_triggered());
    ready.poison(error(errc::input, "the acquisition"));
    const auto fault = co_await freed.settled();
    EXPECT_TRUE(fault && describe(fault->failure).find("the acquisition") != std::string::npos);
    EXPECT_FALSE(co_await door.try_acquire());
    holder.leave.trigger();
    co_await holder.freed;
    EXPECT_TRUE(co_await door.try_acquire());
    door.release();
  });
}

TEST_P(early_releases_on, of_what_another_pe_has_acquired_are_refused) {
  run([]() -> task<> {
    if (pes() == 1) co_return;
    const reservation door = make_reservation();
    const user_event go = make_user_event();
    const event held = door.acquire(go);
    const auto elsewhere = [door, held] {
      std::string text;
      try {
        (void)door.release(event::none, held);
      } catch (const error& refused) {
        text = refused.what();
      }
      EXPECT_THAT(text, AllOf(HasSubstr("early_release_test.cpp"), HasSubstr("PE 0 has acquired")));
    };
    co_await call(pes() - 1, elsewhere);
    go.trigger();
    co_await held;
    door.release(event::none, held);
  });
}

// Some readers hold the reservation, and a writer on another PE waits for it. When the writer
// withdraws its request, the readers that wait behind the writer must be admitted.
TEST_P(early_releases_on, are_not_needed_behind_a_withdrawn_request) {
  run([]() -> task<> {
    const reservation_mode together = reservation_mode::shared();
    const reservation door = make_reservation();
    co_await door.acquire(event::none, together);
    const auto write = [door]() -> task<event> {
      const event asked = door.acquire();
      co_await sleep_for(1'000'000);
      co_return asked;
    };
    const event writer = co_await call(pes() / 2, write);
    const user_event met = make_user_event();
    const auto read = [door, together, met] {
      spawn([=]() -> task<> {
        co_await door.acquire(event::none, together);
        met.trigger();
        door.release();
      });
    };
    co_await call(pes() - 1, read);
    co_await sleep_for(1'000'000);
    EXPECT_TRUE(co_await withdraw(writer));
    co_await met;
    door.release();
    co_await door.acquire();
    door.release();
  });
}

// On one PE, a reader holds the reservation, a writer waits, and a second reader waits behind the
// writer. With an `unfairness` of 0, no reader may overtake the writer before the writer withdraws
// its request.
TEST_P(early_releases_on, are_not_needed_behind_a_withdrawn_request_of_a_reader) {
  options.unfairness = 0;
  run([]() -> task<> {
    const reservation_mode together = reservation_mode::shared();
    const reservation door = make_reservation();
    co_await door.acquire(event::none, together);
    const auto elsewhere = [door, together]() -> task<> {
      co_await door.acquire(event::none, together);
      const event writer = door.acquire();
      const event second = door.acquire(event::none, together);
      co_await sleep_for(1'000'000);
      EXPECT_TRUE(co_await withdraw(writer));
      co_await second;
      door.release();
      door.release();
    };
    co_await call(pes() - 1, elsewhere);
    door.release();
    co_await door.acquire();
    door.release();
  });
}

ATOLL_RUN_ON(early_releases_on, 1, 2, 3, 7);

}  // namespace
