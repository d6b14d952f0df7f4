#include "atoll/event.hpp"

#include "support/run_on.hpp"

#include <array>
#include <gmock/gmock.h>

using namespace atl;

namespace {

class reservations_on : public test::on_pes {};

// The data that all PEs share in a test.
struct shared_state {
  reservation door;
  global_array<std::uint64_t> counts;
};

task<shared_state> make_shared_state() {
  shared_state made;
  made.door = make_reservation();
  made.counts = co_await make_array<std::uint64_t>(4);
  co_return made;
}

/// Counts the calling task, which holds the reservation, and then releases the reservation.
task<> count_inside(shared_state all) {
  const std::uint64_t seen = co_await read(all.counts[0]);
  co_await yield();
  co_await write(all.counts[0], seen + 1);
  all.door.release();
}

task<> count_slowly(shared_state all) {
  co_await all.door.acquire();
  co_await count_inside(all);
}

task<reservation_statistics> statistics_of_all() {
  reservation_statistics sum;
  const auto read_own = [] { return local_reservation_statistics(); };
  for (int pe = 0; pe < pes(); ++pe) {
    const reservation_statistics own = co_await call(pe, read_own);
    sum.add(own);
  }
  co_return sum;
}

TEST_P(reservations_on, exclude_each_other) {
  for (const std::uint64_t unfairness :
       {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 63, UINT64_MAX}) {
    options.unfairness = unfairness;
    run([unfairness]() -> task<> {
      constexpr std::uint64_t k_tasks = 40;
      const shared_state all = co_await make_shared_state();
      co_await on_all_pes([all] {
        for (std::uint64_t i = 0; i < k_tasks; ++i) spawn([all] { return count_slowly(all); });
      });
      EXPECT_EQ(co_await read(all.counts[0]), k_tasks * static_cast<std::uint64_t>(pes()));
      const reservation_statistics sum = co_await statistics_of_all();
      EXPECT_EQ(sum.grants, k_tasks * static_cast<std::uint64_t>(pes()));
      EXPECT_LE(sum.most_overtaken, unfairness);
    });
  }
}

// All PEs hold the reservation in a shared mode at the same time. While a PE holds the reservation,
// it waits until all other PEs hold the reservation too.
TEST_P(reservations_on, are_shared_across_pes) {
  run([]() -> task<> {
    const shared_state all = co_await make_shared_state();
    const auto visit = [all]() -> task<> {
      co_await all.door.acquire(event::none, reservation_mode::shared(5));
      co_await fetch_add(all.counts[0], 1);
      while (co_await read(all.counts[0]) < static_cast<std::uint64_t>(pes()))
        co_await sleep_for(1000);
      all.door.release();
    };
    co_await on_all_pes(visit);
    co_await on_all_pes([all] { return count_slowly(all); });
    EXPECT_EQ(co_await read(all.counts[0]), 2 * static_cast<std::uint64_t>(pes()));
  });
}

// Acquires the reservation in the mode `number`, and counts the tasks that hold it in each mode.
// While a task holds the reservation, no other task may hold the reservation in another mode.
task<> visit_in_mode(shared_state all, std::uint32_t number) {
  const reservation_mode mode = number == 0 ? exclusive : reservation_mode::shared(number);
  co_await all.door.acquire(event::none, mode);
  co_await fetch_add(all.counts[number], 1);
  for (std::uint32_t other = 0; other < 3; ++other) {
    const std::uint64_t seen = co_await read(all.counts[other]);
    EXPECT_TRUE(other == number || seen == 0) << number << other;
  }
  const std::uint64_t same = co_await read(all.counts[number]);
  EXPECT_TRUE(number != 0 || same == 1) << same;
  co_await fetch_add(all.counts[number], ~std::uint64_t{0});
  co_await all.door.release();
}

TEST_P(reservations_on, admit_one_mode_at_a_time) {
  options.unfairness = 2;
  run([]() -> task<> {
    const shared_state all = co_await make_shared_state();
    const auto visits = [all] {
      random_stream random(hash(static_cast<std::uint64_t>(my_pe()) + job_settings().sim_seed));
      for (int i = 0; i < 60; ++i)
        spawn([all, number = static_cast<std::uint32_t>(random.below(3))] {
          return visit_in_mode(all, number);
        });
    };
    co_await on_all_pes(visits);
    const reservation_statistics sum = co_await statistics_of_all();
    // No waiting request may be overtaken more often than `unfairness` allows.
    EXPECT_LE(sum.most_overtaken, 2U);
    all.door.destroy();
  });
}

TEST_P(reservations_on, are_tried_from_any_pe) {
  run([]() -> task<> {
    const reservation door = make_reservation();
    const auto held_by_another = [door]() -> task<> {
      EXPECT_FALSE(co_await door.try_acquire());
      EXPECT_FALSE(co_await door.try_acquire(reservation_mode::shared()));
    };
    for (int pe = 0; pe < pes(); ++pe)
      co_await call(pe, [door, held_by_another]() -> task<> {
        EXPECT_TRUE(co_await door.try_acquire());
        EXPECT_FALSE(co_await door.try_acquire());
        co_await on_all_pes(held_by_another);
        door.release();
      });
    door.destroy();
  });
}

TEST_P(reservations_on, are_tried_together_in_a_shared_mode) {
  run([]() -> task<> {
    const reservation door = make_reservation();
    for (const auto mode : {reservation_mode::shared(0), reservation_mode::shared(7)}) {
      co_await on_all_pes(
          [door, mode]() -> task<> { EXPECT_TRUE(co_await door.try_acquire(mode)); });
      co_await on_all_pes([door, mode]() -> task<> {
        EXPECT_FALSE(co_await door.try_acquire());
        EXPECT_FALSE(co_await door.try_acquire(reservation_mode::shared(3)));
        EXPECT_TRUE(co_await door.try_acquire(mode));
        door.release();
      });
      co_await on_all_pes([door] { door.release(); });
      // The acquisition waits until the releases of other PEs have arrived.
      co_await door.acquire();
      door.release();
    }
    EXPECT_TRUE(co_await door.try_acquire());
    door.release();
    door.destroy();
  });
}

// While a PE tries to acquire the reservation, its other tasks and other PEs make requests too.
TEST_P(reservations_on, are_tried_and_acquired_by_many_at_a_time) {
  run([]() -> task<> {
    const shared_state all = co_await make_shared_state();
    const auto try_often = [all] {
      for (int i = 0; i < 20; ++i) {
        spawn([all]() -> task<> {
          if (!co_await all.door.try_acquire()) co_return;
          co_await fetch_add(all.counts[1], 1);
          co_await count_inside(all);
        });
        spawn([all] { return count_slowly(all); });
      }
    };
    co_await on_all_pes(try_often);
    const auto acquired = 20 * static_cast<std::uint64_t>(pes());
    EXPECT_EQ(co_await read(all.counts[0]), acquired + co_await read(all.counts[1]));
    EXPECT_TRUE(co_await all.door.try_acquire());
    all.door.release();
    all.door.destroy();
  });
}

// On each PE, at most 1,023 calls of `try_acquire` can wait for an answer from another PE. In this
// test, each PE calls `try_acquire` 3,000 times at once.
TEST_P(reservations_on, are_tried_by_thousands_of_tasks) {
  run([]() -> task<> {
    constexpr std::uint64_t k_tries = 3000;
    const shared_state all = co_await make_shared_state();
    const reservation_mode together = reservation_mode::shared();
    EXPECT_TRUE(co_await all.door.try_acquire(together));
    const auto try_and_count = [all, together]() -> task<> {
      if (co_await all.door.try_acquire(together)) co_await fetch_add(all.counts[0], 1);
    };
    co_await on_all_pes([try_and_count] {
      for (std::uint64_t i = 0; i < k_tries; ++i) spawn(try_and_count);
    });
    EXPECT_EQ(co_await read(all.counts[0]), k_tries * static_cast<std::uint64_t>(pes()));
  });
}

// A task requests exclusive access while other tasks hold the reservation in shared mode. As long
// as a request for exclusive access waits, `try_acquire` in shared mode must fail on every PE.
TEST_P(reservations_on, are_not_tried_past_those_who_wait) {
  options.unfairness = 0;
  run([]() -> task<> {
    const reservation_mode together = reservation_mode::shared();
    for (int pe = 0; pe < pes(); ++pe) {
      const reservation door = make_reservation();
      EXPECT_TRUE(co_await door.try_acquire(together));
      co_await call(pe, [door] { door.release(door.acquire()); });
      while (co_await door.try_acquire(together)) {
        door.release();
        co_await sleep_for(1000);
      }
      co_await on_all_pes(
          [door, together]() -> task<> { EXPECT_FALSE(co_await door.try_acquire(together)); });
      door.release();
      co_await door.acquire();
      door.release();
      door.destroy();
    }
  });
}

TEST_P(reservations_on, are_not_tried_when_they_were_destroyed) {
  run([]() -> task<> {
    const reservation door = make_reservation();
    door.destroy();
    co_await on_all_pes([door]() -> task<> {
      try {
        co_await door.try_acquire();
        ADD_FAILURE() << "it was destroyed";
      } catch (const error& refused) {
        EXPECT_EQ(refused.code(), errc::input);
        EXPECT_THAT(refused.what(), testing::HasSubstr("destroyed"));
      }
    });
  });
}

// All tasks hold the reservation at the same time. The test has more tasks than `unfairness`, which
// is the number of requests that may overtake a waiting request.
TEST_P(reservations_on, are_shared_by_many_tasks_that_wait_for_each_other) {
  for (const std::uint64_t unfairness : {0, 3}) {
    options.unfairness = unfairness;
    run([]() -> task<> {
      constexpr std::uint64_t k_readers = 20;
      const shared_state all = co_await make_shared_state();
      const auto read_together = [all]() -> task<> {
        co_await all.door.acquire(event::none, reservation_mode::shared());
        co_await fetch_add(all.counts[0], 1);
        while (co_await read(all.counts[0]) < k_readers * static_cast<std::uint64_t>(pes()))
          co_await sleep_for(10'000);
        all.door.release();
      };
      co_await all.door.acquire(event::none, reservation_mode::shared());
      const auto on_all = [read_together] {
        for (std::uint64_t i = 0; i < k_readers; ++i) spawn(read_together);
      };
      co_await on_all_pes(on_all);
      all.door.release();
    });
  }
}

// Requests that were made before the destruction must still be granted.
TEST_P(reservations_on, are_destroyed_when_nobody_waits_any_more) {
  run([]() -> task<> {
    const shared_state all = co_await make_shared_state();
    const auto asked = 5 * static_cast<std::uint64_t>(pes());
    co_await all.door.acquire();
    const auto ask_and_count = [all]() -> task<> {
      const event held = all.door.acquire();
      co_await fetch_add(all.counts[1], 1);
      co_await held;
      co_await fetch_add(all.counts[0], 1);
      all.door.release();
    };
    const auto count = [&] {
      for (int pe = 0; pe < pes(); ++pe)
        for (int i = 0; i < 5; ++i) async_call(pe, ask_and_count);
      spawn([all, asked]() -> task<> {
        while (co_await read(all.counts[1]) < asked) co_await sleep_for(10'000);
        co_await sleep_for(5'000'000);  // Requests arrive at the owner.
        all.door.destroy();
        all.door.release();
      });
    };
    co_await finish(count);
    EXPECT_EQ(co_await read(all.counts[0]), asked);
  });
}

// Each reservation is stored in a slot, and gets a name that no earlier reservation of the slot
// had. After 2^17 reservations, a slot has no more names for this job and must not be used any
// more.
TEST(many_reservations, have_names_of_their_job) {
  if (test::sanitized) GTEST_SKIP() << "it makes millions";
  constexpr int k_names_of_a_place = 1 << 17;
  // A PE reuses a slot only after it has freed 65 other slots, so the test uses 66 slots in turn.
  constexpr int k_places = 66;
  test::run_on(test::simulated_job_of(3, 1), []() -> task<> {
    for (int i = 0; i < k_places * k_names_of_a_place; ++i) make_reservation().destroy();
    for (int i = 0; i < 2 * k_places; ++i) {
      const reservation door = make_reservation();
      const auto use = [door]() -> task<> {
        co_await door.acquire();
        door.release();
      };
      co_await call(1 + i % 2, use);
    }
  });
}

// The queue of waiting PEs is too long for one message.
TEST(many_pes, wait_for_one_reservation) {
  if (test::only_threads) GTEST_SKIP() << "it is one thread, which takes much address space";
  settings options = test::simulated_job_of(120, 1);
  options.buffer_size = 1024;
  test::run_on(options, []() -> task<> {
    const shared_state all = co_await make_shared_state();
    co_await all.door.acquire();
    const auto count = [all] {
      for (int pe = 0; pe < pes(); ++pe) async_call(pe, [all] { return count_slowly(all); });
      spawn([all]() -> task<> {
        co_await sleep_for(10'000'000);
        all.door.release();
      });
    };
    co_await finish(count);
    EXPECT_EQ(co_await read(all.counts[0]), static_cast<std::uint64_t>(pes()));
  });
}

// A chain is made of acquisitions, operations and releases that wait for each other's events. No
// task waits between the operations of a chain.
TEST_P(reservations_on, are_passed_along_chains) {
  options.unfairness = 1;
  run([]() -> task<> {
    constexpr std::uint64_t k_locks = 3;
    const auto locks =
        co_await make_array<reservation>(k_locks * static_cast<std::uint64_t>(pes()));
    const auto make_locks = [locks]() -> task<> {
      for (std::uint64_t i = 0; i < k_locks; ++i)
        co_await write(locks[static_cast<std::uint64_t>(my_pe()) * k_locks + i],
                       make_reservation());
    };
    co_await on_all_pes(make_locks);
    const user_event go = make_user_event();
    const auto build = [locks, go]() -> task<> {
      std::vector<reservation> known(locks.size());
      co_await get(locks, 0, known);
      random_stream random(hash(static_cast<std::uint64_t>(my_pe())));
      std::vector<event> ends;
      for (int chain = 0; chain < 8; ++chain) {
        event last = go;
        for (int i = 0; i < 100; ++i) {
          const reservation& next = known[random.below(known.size())];
          last = next.release(next.acquire(last));
        }
        ends.push_back(last);
      }
      if (my_pe() == 0) go.trigger();
      co_await merge_events(ends);
      EXPECT_EQ(local_reservation_statistics().grants, 800U);
    };
    co_await on_all_pes(build);
  });
}

ATOLL_RUN_ON_ALL(reservations_on);

}  // namespace
