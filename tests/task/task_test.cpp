// Tests task<T>: values, exceptions, and deep and long chains of tasks.

#include "support/run_on.hpp"

#include <memory>
#include <stdexcept>
#include <string>

using namespace atl;
using test::run_alone;

namespace {

task<int> seven() { co_return 7; }

task<std::unique_ptr<int>> boxed(int value) {
  co_await yield();
  co_return std::make_unique<int>(value);
}

struct without_default {
  explicit without_default(std::string name) : name(std::move(name)) {}
  std::string name;
};

task<without_default> named(std::string name) { co_return without_default(std::move(name)); }

TEST(task, returns_values_of_all_kinds) {
  run_alone([]() -> task<> {
    const int value = co_await seven();
    EXPECT_EQ(value, 7);
    const auto box = co_await boxed(5);
    EXPECT_EQ(*box, 5);
    std::string name = "a name too long to be stored in place";
    const auto object = co_await named(name);
    EXPECT_EQ(object.name, name);
  });
}

TEST(task, starts_when_it_is_awaited) {
  run_alone([]() -> task<> {
    bool started = false;
    const auto start = [&]() -> task<> {
      started = true;
      co_return;
    };
    auto waiting = start();
    EXPECT_FALSE(started);
    co_await yield();
    EXPECT_FALSE(started);
    co_await std::move(waiting);
    EXPECT_TRUE(started);
  });
}

TEST(task, never_awaited_is_destroyed_with_its_arguments) {
  run_alone([]() -> task<> {
    const auto counted = std::make_shared<int>(1);
    const auto never = [](std::shared_ptr<int> held) -> task<int> { co_return *held; };
    {
      auto dropped = never(counted);
      EXPECT_EQ(counted.use_count(), 2);
    }
    EXPECT_EQ(counted.use_count(), 1);
    co_return;
  });
}

task<> nested_throw(int levels, std::shared_ptr<int> held) {
  if (levels == 0) throw std::runtime_error("from below " + std::to_string(*held));
  co_await yield();
  co_await nested_throw(levels - 1, held);
}

TEST(task, carries_exceptions_through_all_awaiters) {
  run_alone([]() -> task<> {
    const auto held = std::make_shared<int>(3);
    std::string text;
    try {
      co_await nested_throw(50, held);
    } catch (const std::runtime_error& failure) {
      text = failure.what();
    }
    EXPECT_EQ(text, "from below 3");
    EXPECT_EQ(held.use_count(), 1);
  });
}

task<> rethrown(int level) {
  bool caught = false;
  try {
    co_await yield();
    throw level;
  } catch (int thrown) {
    caught = thrown == level;
  }
  EXPECT_TRUE(caught);
  if (level > 0) co_await rethrown(level - 1);
  if (level == 0) throw std::string("the last");
}

TEST(task, may_catch_and_throw_others) {
  run_alone([]() -> task<> {
    bool caught = false;
    try {
      co_await rethrown(5);
    } catch (const std::string& text) {
      caught = text == "the last";
    }
    EXPECT_TRUE(caught);
  });
}

// Sanitized code makes no tail calls, so each switch from one coroutine to the next uses a little
// stack.
#ifdef ATOLL_SANITIZED
constexpr std::uint64_t k_deep = 1'000;
constexpr std::uint64_t k_long = 1'000;
#else
constexpr std::uint64_t k_deep = 100'000;
constexpr std::uint64_t k_long = 1'000'000;
#endif

task<std::uint64_t> depth(std::uint64_t levels) {
  if (levels == 0) co_return 0;
  const std::uint64_t below = co_await depth(levels - 1);
  co_return below + 1;
}

task<std::uint64_t> waiting_depth(std::uint64_t levels) {
  co_await yield();
  if (levels == 0) co_return 0;
  const std::uint64_t below = co_await waiting_depth(levels - 1);
  co_return below + 1;
}

TEST(task, may_await_itself_a_hundred_thousand_levels_deep) {
  run_alone([]() -> task<> {
    const auto levels = co_await depth(k_deep);
    EXPECT_EQ(levels, k_deep);
    const auto waited = co_await waiting_depth(k_deep);
    EXPECT_EQ(waited, k_deep);
  });
}

task<> throw_from(std::uint64_t levels) {
  if (levels == 0) throw levels;
  co_await throw_from(levels - 1);
}

TEST(task, may_be_left_by_an_exception_from_deep_below) {
  run_alone([]() -> task<> {
    bool caught = false;
    try {
      co_await throw_from(k_deep / 10);
    } catch (std::uint64_t) {
      caught = true;
    }
    EXPECT_TRUE(caught);
  });
}

task<std::uint64_t> one() { co_return 1; }

TEST(task, may_await_a_million_children_in_a_row) {
  run_alone([]() -> task<> {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < k_long; ++i) sum += co_await one();
    EXPECT_EQ(sum, k_long);
  });
}

TEST(task, may_be_one_of_a_million) {
  run_alone([]() -> task<> {
    constexpr std::uint64_t count = test::sanitized ? 100'000 : 1'000'000;
    std::uint64_t ended = 0;
    const auto many = [&] {
      for (std::uint64_t i = 0; i < count; ++i) {
        spawn([&]() -> task<> {
          co_await yield();
          co_await yield();
          ++ended;
        });
      }
    };
    co_await finish(many);
    EXPECT_EQ(ended, count);
    EXPECT_GE(this_pe().counters->active_tasks_peak, count);
    EXPECT_GE(this_pe().counters->tasks_started, count);
    EXPECT_GE(this_pe().counters->context_switches, 3 * count);
  });
}

}  // namespace
