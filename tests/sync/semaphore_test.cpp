#include "atoll/synchronization.hpp"

#include "support/run_on.hpp"

#include <gmock/gmock.h>

namespace atl {
namespace {

using testing::ElementsAre;

TEST(semaphore, lets_as_many_in_as_it_has_permits) {
  test::run_alone([]() -> task<> {
    semaphore places(3);
    int inside = 0, most = 0;
    std::vector<int> order;
    const auto all = [&] {
      for (int who = 0; who < 8; ++who) {
        spawn([&, who]() -> task<> {
          co_await places.acquire();
          order.push_back(who);
          most = std::max(most, ++inside);
          co_await yield();
          --inside;
          places.release();
        });
      }
    };
    co_await finish(all);
    EXPECT_EQ(most, 3);
    EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_EQ(places.permits(), 3U);
  });
}

TEST(semaphore, gives_permits_to_those_that_wait_first) {
  test::run_alone([]() -> task<> {
    semaphore places;
    int acquired = 0;
    const auto all = [&]() -> task<> {
      for (int i = 0; i < 3; ++i) {
        spawn([&]() -> task<> {
          co_await places.acquire();
          ++acquired;
        });
      }
      co_await yield();
      EXPECT_EQ(acquired, 0);
      places.release(2);
      EXPECT_FALSE(places.try_acquire());
      co_await yield();
      EXPECT_EQ(acquired, 2);
      places.release(3);
      EXPECT_EQ(places.permits(), 2U);
    };
    co_await finish(all);
    EXPECT_EQ(acquired, 3);
    EXPECT_TRUE(places.try_acquire());
  });
}

class global_semaphore : public test::on_pes {};

TEST_P(global_semaphore, bounds_the_tasks_of_all_pes) {
  run([]() -> task<> {
    const auto all = static_cast<std::uint64_t>(pes());
    const auto semaphores = co_await make_array<semaphore>(all);
    const auto words = co_await make_array<std::int64_t>(2 * all);
    const auto places = semaphores[all - 1];
    const auto inside = words[0];
    const auto most = words[1];
    co_await release(places, 2);
    const auto visit = [=](std::uint64_t) -> task<> {
      co_await acquire(places);
      const auto now = 1 + co_await fetch_add(inside, 1);
      const auto raise = [now](std::int64_t& word) { word = std::max(word, now); };
      co_await update(most, raise);
      co_await fetch_add(inside, -1);
      async_release(places);
    };
    co_await parallel_for(10 * all, visit);
    EXPECT_LE(co_await read(most), 2);
    EXPECT_TRUE(co_await try_acquire(places));
    EXPECT_TRUE(co_await try_acquire(places));
    EXPECT_FALSE(co_await try_acquire(places));
  });
}

ATOLL_RUN_ON_ALL(global_semaphore);

}  // namespace
}  // namespace atl
