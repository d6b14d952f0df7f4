// Tests the order in which the tasks of a PE run.

#include "support/run_on.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

using namespace atl;
using test::run_alone;

namespace {

// Number of tasks, which is larger than the number that a PE runs between two polls.
constexpr int k_tasks = 700;

TEST(yield, lets_all_other_ready_tasks_run_first) {
  run_alone([]() -> task<> {
    std::vector<int> order;
    const auto start = [&] {
      for (int i = 0; i < k_tasks; ++i) {
        spawn([&order, i]() -> task<> {
          for (int round = 0; round < 3; ++round) {
            order.push_back(round * k_tasks + i);
            co_await yield();
          }
        });
      }
    };
    co_await finish(start);
    EXPECT_EQ(order.size(), 3u * k_tasks);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  });
}

/// An awaitable that stores the frame of the awaiting coroutine, and does not suspend the
/// coroutine.
struct own_frame {
  tasks::frame* self = nullptr;

  bool await_ready() noexcept { return false; }
  template <tasks::task_promise Promise>
  bool await_suspend(std::coroutine_handle<Promise> suspended) {
    self = &suspended.promise();
    return false;
  }
  tasks::frame* await_resume() { return self; }
};

TEST(yield, notes_where_the_task_waits) {
  run_alone([]() -> task<> {
    tasks::frame* waiting = nullptr;
    unsigned line = 0;
    const auto start = [&] {
      spawn([&]() -> task<> {
        waiting = co_await own_frame();
        line = __LINE__ + 1;
        co_await yield();
      });
      spawn([&] {
        EXPECT_EQ(waiting->waiting_at.line(), line);
        EXPECT_TRUE(std::string_view(waiting->waiting_at.file()).ends_with("scheduling_test.cpp"));
      });
    };
    co_await finish(start);
    EXPECT_NE(line, 0u);
  });
}

TEST(yield, lets_tasks_that_never_stop_yielding_share_with_new_ones) {
  run_alone([]() -> task<> {
    bool stop = false;
    const auto start = [&]() -> task<> {
      spawn([&]() -> task<> {
        while (!stop) co_await yield();
      });
      co_await sleep_for(1'000'000);
      spawn([&] { stop = true; });
    };
    co_await finish(start);
    EXPECT_TRUE(stop);
  });
}

TEST(scheduling, starts_tasks_in_the_order_they_were_spawned) {
  run_alone([]() -> task<> {
    std::vector<int> order;
    const auto start = [&] {
      for (int i = 0; i < 3000; ++i) spawn([&order, i] { order.push_back(i); });
    };
    co_await finish(start);
    EXPECT_EQ(order.size(), 3000u);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  });
}

/// An awaitable that suspends the task until the time `deadline`. Several tasks can wait for the
/// same time.
struct until {
  transport::nanoseconds deadline;

  bool await_ready() noexcept { return false; }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    this_pe().tasks->ready_at(deadline, suspended.promise());
  }
  void await_resume() noexcept {}
};

TEST(sleep_for, wakes_in_the_order_of_the_deadlines) {
  run_alone([]() -> task<> {
    std::vector<std::int64_t> order;
    const auto start = [&] {
      const auto begin = this_pe().tasks->now();
      for (int i = 0; i < 20; ++i) {
        const std::int64_t deadline = begin + 5'000'000 + 100'000 * ((i * 7) % 20);
        spawn([&order, deadline]() -> task<> {
          until moment{deadline};
          co_await moment;
          EXPECT_GE(this_pe().tasks->now(), deadline);
          order.push_back(deadline);
        });
      }
    };
    co_await finish(start);
    EXPECT_EQ(order.size(), 20u);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  });
}

TEST(sleep_for, takes_at_least_its_time) {
  run_alone([]() -> task<> {
    for (const std::int64_t duration : {1, 1'000, 1'000'000}) {
      const auto begin = this_pe().tasks->now();
      co_await sleep_for(duration);
      EXPECT_GE(this_pe().tasks->now() - begin, duration);
    }
  });
}

TEST(sleep_for, wakes_those_of_one_deadline_in_the_order_they_went_to_sleep) {
  run_alone([]() -> task<> {
    std::vector<int> order;
    const auto deadline = this_pe().tasks->now() + 3'000'000;
    const auto start = [&] {
      for (int i = 0; i < 1000; ++i) {
        spawn([&order, i, deadline]() -> task<> {
          until moment{deadline};
          co_await moment;
          order.push_back(i);
        });
      }
    };
    co_await finish(start);
    EXPECT_EQ(order.size(), 1000u);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  });
}

TEST(sleep_for, of_a_time_beyond_the_clock_does_not_wake_at_once) {
  const settings options = test::simulated_job_of(1, 1);
  test::run_on(options, []() -> task<> {
    for (int again = 0; again < 3; ++again) {
      const auto begin = this_pe().tasks->now();
      co_await sleep_for(transport::forever);
      EXPECT_GE(this_pe().tasks->now() - begin, (transport::forever - begin) / 2);
      co_await sleep_for(1'000);
    }
  });
}

TEST(sleep_for, of_no_time_does_not_suspend) {
  run_alone([]() -> task<> {
    bool other_ran = false;
    spawn([&] { other_ran = true; });
    co_await sleep_for(0);
    co_await sleep_for(-5);
    EXPECT_FALSE(other_ran);
    co_await yield();
    EXPECT_TRUE(other_ran);
  });
}

TEST(sleep_for, wakes_also_beside_tasks_that_never_sleep) {
  run_alone([]() -> task<> {
    bool woken = false;
    const auto start = [&] {
      spawn([&]() -> task<> {
        while (!woken) co_await yield();
      });
      spawn([&]() -> task<> {
        co_await sleep_for(1'000'000);
        woken = true;
      });
    };
    co_await finish(start);
    EXPECT_TRUE(woken);
  });
}

TEST(room, is_there_at_once_while_nothing_waits_for_it) {
  run_alone([]() -> task<> {
    bool other_ran = false;
    spawn([&] { other_ran = true; });
    EXPECT_TRUE(has_room());
    co_await room();
    EXPECT_FALSE(other_ran);
    co_await yield();
    EXPECT_TRUE(other_ran);
  });
}

class idle_time : public test::on_pes {};

// The counter of idle time must grow on a PE that waits, and not on a PE that computes.
TEST_P(idle_time, is_counted_where_nothing_is_to_be_done) {
  run_spmd([]() -> task<> {
    co_await all_barrier();
    const auto before = this_pe().counters->idle_nanoseconds;
    for (int i = 0; i < 100 && this_pe().counters->idle_nanoseconds == before; ++i) {
      co_await sleep_for(1'000'000);
    }
    EXPECT_GT(this_pe().counters->idle_nanoseconds, before);
  });
}

ATOLL_RUN_ON(idle_time, 1, 3);

}  // namespace
