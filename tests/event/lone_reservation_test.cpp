// Tests reservations in jobs of one PE.

#include "atoll/event.hpp"

#include "support/run_on.hpp"

#include <gmock/gmock.h>

using namespace atl;
using testing::AllOf;
using testing::HasSubstr;

namespace {

std::string text_of_refusal(const event_fault& fault) {
  try {
    std::rethrow_exception(fault.failure);
  } catch (const error& refused) {
    return refused.what();
  }
}

TEST(reservations_alone, that_are_free_are_held_at_once) {
  test::run_alone([]() -> task<> {
    const reservation door = make_reservation();
    EXPECT_TRUE(door.acquire().has_triggered());
    EXPECT_FALSE(co_await door.try_acquire());
    const event second = door.acquire();
    EXPECT_FALSE(second.has_triggered());
    EXPECT_TRUE(door.release().has_triggered());
    co_await second;
    door.release();
    EXPECT_TRUE(co_await door.try_acquire());
    door.release();
    EXPECT_EQ(local_reservation_statistics().grants, 3U);
  });
}

TEST(reservations_alone, are_acquired_and_released_when_events_trigger) {
  test::run_alone([]() -> task<> {
    const reservation door = make_reservation();
    const user_event go = make_user_event();
    const user_event leave = make_user_event();
    const event held = door.acquire(go);
    EXPECT_TRUE(co_await door.try_acquire());
    go.trigger();
    EXPECT_FALSE(held.has_triggered());
    door.release();
    co_await held;
    const event left = door.release(leave);
    EXPECT_FALSE(co_await door.try_acquire());
    EXPECT_FALSE(left.has_triggered());
    leave.trigger();
    co_await left;
    EXPECT_TRUE(co_await door.try_acquire());
  });
}

TEST(reservations_alone, are_granted_in_the_order_of_requests) {
  test::run_alone([]() -> task<> {
    const reservation door = make_reservation();
    door.acquire();
    std::vector<int> order;
    const auto all = [&]() -> task<> {
      for (int i = 0; i < 50; ++i) {
        const reservation_mode mode =
            i % 7 == 0 ? exclusive : reservation_mode::shared(i % 3 == 0 ? 1 : 2);
        spawn([&order, held = door.acquire(event::none, mode), door, i]() -> task<> {
          co_await held;
          order.push_back(i);
          co_await yield();
          door.release();
        });
      }
      co_await yield();
      EXPECT_TRUE(order.empty());
      door.release();
    };
    co_await finish(all);
    EXPECT_TRUE(std::ranges::is_sorted(order));
    EXPECT_EQ(order.size(), 50U);
  });
}

TEST(reservations_alone, that_depend_on_what_fails_are_not_held) {
  test::run_alone([]() -> task<> {
    const reservation door = make_reservation();
    const user_event bad = make_user_event();
    const event held = door.acquire(bad);
    bad.poison(error(errc::input, "no key"));
    const auto fault = co_await held.settled();
    EXPECT_TRUE(fault.has_value());
    EXPECT_EQ(text_of_refusal(fault.value()), "no key");
    EXPECT_TRUE(door.acquire(bad).is_poisoned());
    EXPECT_TRUE(co_await door.try_acquire());
  });
}

TEST(reservations_alone, are_released_also_by_what_fails) {
  test::run_alone([]() -> task<> {
    const reservation door = make_reservation();
    const user_event bad = make_user_event();
    door.acquire();
    const event left = door.release(bad);
    bad.poison(error(errc::input, "stumbled"));
    EXPECT_TRUE((co_await left.settled()).has_value());
    EXPECT_TRUE(co_await door.try_acquire());
    EXPECT_TRUE(door.release(bad).is_poisoned());
    EXPECT_TRUE(co_await door.try_acquire());
  });
}

// If an acquisition fails, its release must not free the reservation, because another task holds
// the reservation.
TEST(reservations_alone, are_not_released_for_others_where_they_were_not_acquired) {
  test::run_alone([]() -> task<> {
    const reservation door = make_reservation();
    const user_event bad = make_user_event();
    const event held = door.acquire(bad);
    const event left = door.release(held, held);
    door.acquire();
    bad.poison(error(errc::input, "no key"));
    EXPECT_EQ(text_of_refusal((co_await left.settled()).value()), "no key");
    EXPECT_EQ(door.release(event::none, held), held);
    EXPECT_FALSE(co_await door.try_acquire());
    door.release();
    EXPECT_TRUE(co_await door.try_acquire());
  });
}

TEST(reservations_alone, that_are_not_held_cannot_be_released) {
  test::run_alone([]() -> task<> {
    const reservation door = make_reservation();
    const auto message = AllOf(HasSubstr("releases a reservation that PE 0 does not hold"),
                               HasSubstr("made at lone_reservation_test.cpp"));
    try {
      door.release();
      ADD_FAILURE();
    } catch (const error& refused) {
      EXPECT_THAT(refused.what(), message);
    }
    const user_event later = make_user_event();
    const event left = door.release(later);
    later.trigger();
    const auto fault = co_await left.settled();
    EXPECT_TRUE(fault.has_value());
    EXPECT_THAT(text_of_refusal(fault.value()), message);
  });
}

TEST(reservations_alone, that_were_destroyed_are_known_to_be) {
  test::run_alone([]() -> task<> {
    std::vector<reservation> old;
    for (int i = 0; i < 1000; ++i) {
      old.push_back(make_reservation());
      old.back().acquire();
      old.back().destroy();
      old.back().release();
    }
    for (const reservation& gone : old) EXPECT_THROW(gone.acquire(), error);
    // New reservations are stored in the slots of the destroyed reservations.
    for (int i = 0; i < 200; ++i) make_reservation();
    for (const reservation& gone : old) EXPECT_THROW(gone.acquire(), error);
    co_return;
  });
}

TEST(reservations_alone, that_are_destroyed_fail_requests_which_come_later) {
  test::run_alone([]() -> task<> {
    const reservation door = make_reservation();
    const user_event late = make_user_event();
    const event held = door.acquire(late);
    const event again = [&] {
      door.acquire();
      door.destroy();
      return door.acquire();
    }();
    door.release();
    co_await again;  // `again` was requested before the last release.
    door.release();
    // New reservations reuse the slot of `door`.
    for (int i = 0; i < 200; ++i) make_reservation().destroy();
    late.trigger();
    EXPECT_THAT(text_of_refusal((co_await held.settled()).value()),
                HasSubstr("destroyed meanwhile"));
  });
}

// Each event is stored in a slot, and later events reuse the slot. A failed release must not affect
// a later release in the same slot.
TEST(reservations_alone, are_released_whatever_a_failed_release_said_before) {
  test::run_alone([]() -> task<> {
    const reservation old = make_reservation();
    const reservation door = make_reservation();
    const user_event bad = make_user_event();
    const user_event late = make_user_event();
    bad.poison(error(errc::input, "no key"));
    const event left = old.release(late, bad);
    old.destroy();
    late.trigger();
    EXPECT_TRUE((co_await left.settled()).has_value());
    // One of 1,000 releases reuses the slot of the first release's event.
    for (int i = 0; i < 1000; ++i) {
      door.acquire();
      const user_event now = make_user_event();
      const event freed = door.release(now);
      now.trigger();
      EXPECT_FALSE((co_await freed.settled()).has_value());
    }
  });
}

TEST(reservations_alone, have_no_mode_of_a_number_that_is_none) {
  const unsigned line = __LINE__ + 2;
  try {
    (void)reservation_mode::shared(UINT32_MAX);
    FAIL() << "the mode is exclusive";
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.code(), errc::input);
    EXPECT_NE(std::string(refusal.what()).find("lone_reservation_test.cpp:" + std::to_string(line)),
              std::string::npos)
        << refusal.what();
  }
  EXPECT_FALSE(reservation_mode::shared(UINT32_MAX - 1).is_exclusive());
}

TEST(reservations_alone, without_a_name_are_none) {
  test::run_alone([]() -> task<> {
    EXPECT_THROW(reservation().acquire(), error);
    EXPECT_THROW(reservation().destroy(), error);
    co_return;
  });
}

}  // namespace
