// The closure of a spawned task must live as long as the task, and the enclosing scope must wait
// for the task.

#include "support/run_on.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace atl;
using test::run_alone;

namespace {

/// `alive` counts the existing objects, and `destroyed` counts the destroyed objects. Objects that
/// were moved from do not count.
struct probe {
  explicit probe(int& alive, int& destroyed) : alive(&alive), destroyed(&destroyed) { ++alive; }
  probe(probe&& other) noexcept
      : alive(std::exchange(other.alive, nullptr)), destroyed(other.destroyed) {}
  probe(const probe&) = delete;
  probe& operator=(probe&&) = delete;
  ~probe() {
    if (alive == nullptr) return;
    --*alive;
    ++*destroyed;
  }

  int* alive;
  int* destroyed;
};

TEST(spawn, keeps_the_closure_alive_until_the_task_has_ended) {
  run_alone([]() -> task<> {
    int alive = 0;
    int destroyed = 0;
    const auto start = [&] {
      for (int i = 0; i < 10; ++i) {
        spawn([&, held = probe(alive, destroyed)]() -> task<> {
          for (int k = 0; k < 5; ++k) {
            co_await yield();
            EXPECT_EQ(held.alive, &alive);
            EXPECT_GT(alive, 0);
          }
        });
      }
      EXPECT_EQ(alive, 10);
    };
    co_await finish(start);
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(destroyed, 10);
  });
}

TEST(spawn, keeps_the_closure_of_a_plain_function_alive) {
  run_alone([]() -> task<> {
    int alive = 0;
    int destroyed = 0;
    int ran = 0;
    const auto start = [&] { spawn([&, held = probe(alive, destroyed)] { ran += *held.alive; }); };
    co_await finish(start);
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(destroyed, 1);
  });
}

TEST(spawn, destroys_the_closure_once_when_the_task_throws) {
  run_alone([]() -> task<> {
    int alive = 0;
    int destroyed = 0;
    int caught = 0;
    for (int rounds = 0; rounds < 3; ++rounds) {
      const auto start = [&] {
        spawn([&, held = probe(alive, destroyed)]() -> task<> {
          if (rounds > 0) co_await yield();
          throw std::runtime_error("thrown beside " + std::to_string(*held.alive));
        });
        spawn([held = probe(alive, destroyed)] { throw std::runtime_error("at once"); });
      };
      try {
        co_await finish(start);
      } catch (const std::runtime_error&) {
        ++caught;
      }
    }
    EXPECT_EQ(caught, 3);
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(destroyed, 6);
  });
}

TEST(spawn, moves_what_can_only_be_moved) {
  run_alone([]() -> task<> {
    auto box = std::make_unique<std::string>("a string that is too long to be stored in place");
    std::string seen;
    const auto start = [&] {
      spawn([&seen, box = std::move(box)]() -> task<> {
        co_await yield();
        seen = *box;
      });
    };
    co_await finish(start);
    EXPECT_EQ(seen.size(), 47u);
    EXPECT_EQ(box, nullptr);
  });
}

TEST(spawn, returns_before_the_task_runs) {
  run_alone([]() -> task<> {
    bool ran = false;
    spawn([&] { ran = true; });
    EXPECT_FALSE(ran);
    co_await yield();
    EXPECT_TRUE(ran);
  });
}

task<> tree(int depth, int& leaves) {
  if (depth == 0) {
    ++leaves;
    co_return;
  }
  for (int i = 0; i < 3; ++i) {
    spawn([depth, &leaves] { return tree(depth - 1, leaves); });
  }
  co_await yield();
}

TEST(finish, waits_for_tasks_of_tasks) {
  run_alone([]() -> task<> {
    int leaves = 0;
    const auto all = [&] { return tree(6, leaves); };
    co_await finish(all);
    EXPECT_EQ(leaves, 729);
  });
}

TEST(finish, waits_for_sleepers) {
  run_alone([]() -> task<> {
    bool woken = false;
    const auto start = [&] {
      spawn([&]() -> task<> {
        co_await sleep_for(2'000'000);
        woken = true;
      });
    };
    co_await finish(start);
    EXPECT_TRUE(woken);
  });
}

TEST(finish, inside_another_waits_only_for_its_own) {
  run_alone([]() -> task<> {
    bool release = false;
    bool outer_ended = false;
    const auto outer = [&]() -> task<> {
      spawn([&]() -> task<> {
        while (!release) co_await yield();
        outer_ended = true;
      });
      int inner_ended = 0;
      for (int round = 0; round < 3; ++round) {
        const auto inner = [&] {
          for (int i = 0; i < 5; ++i) spawn([&] { ++inner_ended; });
        };
        co_await finish(inner);
        EXPECT_EQ(inner_ended, 5 * (round + 1));
        EXPECT_FALSE(outer_ended);
      }
      release = true;
    };
    co_await finish(outer);
    EXPECT_TRUE(outer_ended);
  });
}

TEST(finish, gives_what_is_spawned_after_it_to_the_outer_one) {
  run_alone([]() -> task<> {
    int ended = 0;
    const auto outer = [&]() -> task<> {
      const auto nothing = [] {};
      co_await finish(nothing);
      spawn([&]() -> task<> {
        co_await yield();
        ++ended;
      });
      bool caught = false;
      const auto throwing = [] { throw 1; };
      try {
        co_await finish(throwing);
      } catch (int) {
        caught = true;
      }
      EXPECT_TRUE(caught);
      spawn([&]() -> task<> {
        co_await yield();
        co_await yield();
        ++ended;
      });
    };
    co_await finish(outer);
    EXPECT_EQ(ended, 2);
  });
}

TEST(finish, ends_everything_before_it_throws_the_first_exception) {
  run_alone([]() -> task<> {
    int ended = 0;
    std::string text;
    const auto start = [&]() -> task<> {
      for (int i = 0; i < 20; ++i) {
        spawn([&, i]() -> task<> {
          for (int k = 0; k < i; ++k) co_await yield();
          ++ended;
          if (i % 5 == 3) throw std::runtime_error("task " + std::to_string(i));
        });
      }
      co_return;
    };
    try {
      co_await finish(start);
    } catch (const std::runtime_error& first) {
      text = first.what();
      EXPECT_EQ(ended, 20);
    }
    EXPECT_EQ(text, "task 3");
  });
}

TEST(finish, throws_what_left_its_body_and_begins_no_task_then) {
  run_alone([]() -> task<> {
    std::string text;
    bool begun = false;
    const auto start = [&] {
      spawn([&] {
        begun = true;
        throw std::runtime_error("the task");
      });
      throw std::runtime_error("the body");
    };
    try {
      co_await finish(start);
    } catch (const std::runtime_error& failure) {
      text = failure.what();
    }
    EXPECT_EQ(text, "the body");
    EXPECT_FALSE(begun);
  });
}

TEST(scope, is_waited_for_as_often_as_one_likes) {
  run_alone([]() -> task<> {
    scope tasks;
    int ended = 0;
    co_await tasks.wait();
    for (int round = 1; round <= 3; ++round) {
      for (int i = 0; i < 4; ++i) {
        tasks.spawn([&]() -> task<> {
          co_await yield();
          spawn([&] { ++ended; });
        });
      }
      co_await tasks.wait();
      EXPECT_EQ(ended, 4 * round);
    }
  });
}

TEST(scope, throws_once) {
  run_alone([]() -> task<> {
    scope tasks;
    tasks.spawn([] { throw 5; });
    int thrown = 0;
    try {
      co_await tasks.wait();
    } catch (int value) {
      thrown = value;
    }
    EXPECT_EQ(thrown, 5);
    co_await tasks.wait();
  });
}

TEST(scope_death, of_one_that_was_not_waited_for_is_named) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(test::status_of(test::job_of(1),
                               []() -> task<> {
                                 scope forgotten;
                                 forgotten.spawn([] {});
                                 co_return;
                               }),
               "a scope must be waited for");
}

}  // namespace
