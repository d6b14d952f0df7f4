#include "atoll/synchronization.hpp"

#include "support/run_on.hpp"

#include <gmock/gmock.h>

namespace atl {
namespace {

using testing::ElementsAre;

TEST(mutex, lets_tasks_in_one_by_one_in_the_order_of_coming) {
  test::run_alone([]() -> task<> {
    mutex door;
    std::vector<int> order;
    int inside = 0;
    const auto visit = [&](int who) {
      spawn([&, who]() -> task<> {
        co_await door.lock();
        EXPECT_EQ(inside++, 0);
        co_await yield();
        order.push_back(who);
        --inside;
        door.unlock();
      });
    };
    const auto all = [&] {
      for (int who = 0; who < 5; ++who) visit(who);
    };
    co_await finish(all);
    EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_FALSE(door.is_locked());
  });
}

// A later task must not pass tasks that already wait, even if the mutex has just been unlocked.
TEST(mutex, is_handed_to_the_first_that_waits) {
  test::run_alone([]() -> task<> {
    mutex door;
    bool served = false;
    co_await door.lock();
    const auto both = [&]() -> task<> {
      spawn([&]() -> task<> {
        co_await door.lock();
        served = true;
        door.unlock();
      });
      co_await yield();
      door.unlock();
      EXPECT_FALSE(door.try_lock());
      co_await door.lock();
      EXPECT_TRUE(served);
      door.unlock();
    };
    co_await finish(both);
  });
}

TEST(mutex, is_unlocked_by_its_guard_whatever_happens) {
  test::run_alone([]() -> task<> {
    mutex door;
    const auto fails = [&]() -> task<> {
      const auto guard = co_await door.guarded();
      EXPECT_TRUE(door.is_locked());
      fail(errc::input, "on purpose");
    };
    try {
      co_await fails();
      ADD_FAILURE() << "no exception";
    } catch (const error&) {
    }
    EXPECT_FALSE(door.is_locked());
  });
}

TEST(mutex, tells_where_it_is_held) {
  test::run_alone([]() -> task<> {
    mutex door;
    const site first = site::current(), second = site::current();
    co_await door.lock(first);
    EXPECT_EQ(door.held_by().since().word(), first.word());
    const auto wait = [&] { spawn([&]() -> task<> { co_await door.lock(second); }); };
    const auto both = [&]() -> task<> {
      wait();
      co_await yield();
      door.unlock();
      EXPECT_EQ(door.held_by().since().word(), second.word());
    };
    co_await finish(both);
    door.unlock();
  });
}

// A waiting task must free its worker, because the task that unlocks the mutex may need this
// worker.
TEST(mutex, does_not_take_up_a_workers_place_while_it_is_waited_for) {
  settings options = test::job_of(1);
  options.workers = 1;
  test::run_on(options, []() -> task<> {
    mutex door;
    std::uint64_t passed = 0;
    co_await door.lock();
    const auto tasks = [&] {
      auto* const to = &passed;
      auto* const at = &door;
      spawn_stealable([at] { at->unlock(); });  // begins first, because it is the newest task
      for (int i = 0; i < 3; ++i) {
        spawn_stealable([at, to]() -> task<> {
          co_await at->lock();
          ++*to;
          at->unlock();
        });
      }
    };
    co_await finish(tasks);
    EXPECT_EQ(passed, 3U);
  });
}

TEST(mutex_death, is_not_unlocked_by_who_has_not_locked_it) {
  mutex door;
  EXPECT_DEATH(door.unlock(), "a mutex is unlocked by the task that has locked it");
}

class global_mutex : public test::on_pes {};

TEST_P(global_mutex, keeps_tasks_of_all_pes_apart) {
  run([]() -> task<> {
    constexpr std::uint64_t visits = 20;
    const auto doors = co_await make_array<mutex>(static_cast<std::uint64_t>(pes()));
    const auto words = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    const auto door = doors[doors.size() - 1];
    const auto word = words[0];
    const auto visit = [=](std::uint64_t) -> task<> {
      co_await lock(door);
      const auto before = co_await read(word);
      co_await yield();
      co_await write(word, before + 1);
      co_await unlock(door);
    };
    co_await parallel_for(visits * static_cast<std::uint64_t>(pes()), visit);
    EXPECT_EQ(co_await read(word), visits * static_cast<std::uint64_t>(pes()));
    EXPECT_TRUE(co_await try_lock(door));
    EXPECT_FALSE(co_await try_lock(door));
    const auto give_back = [=] { async_unlock(door); };
    co_await finish(give_back);
    EXPECT_TRUE(co_await try_lock(door));
  });
}

ATOLL_RUN_ON_ALL(global_mutex);

}  // namespace
}  // namespace atl
