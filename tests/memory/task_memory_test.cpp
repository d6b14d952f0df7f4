// --memory-limit also limits the memory of tasks and messages. If a program starts more tasks than
// the limit allows, an error names the line that started one task too many.

#include "support/run_on.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <string>

using namespace atl;
using testing::AllOf;
using testing::HasSubstr;

namespace {

constexpr std::uint64_t k_share = std::uint64_t{16} << 20;

class task_memory : public test::on_pes {
 protected:
  task_memory() { options.memory_limit = k_share * static_cast<std::uint64_t>(size()); }
};

/// Runs `body` in a scope of its own, and returns the text of the error that ends it.
template <class Body>
task<std::string> error_of(Body body) {
  std::string text = "none";
  try {
    co_await finish(body);
  } catch (const error& failure) {
    EXPECT_TRUE(failure.code() == errc::out_of_memory || failure.code() == errc::overflow)
        << failure.what();
    text = failure.what();
  }
  co_return text;
}

void wait_one_by_one(std::uint64_t tasks) {
  for (std::uint64_t i = 0; i < tasks; ++i) spawn([]() -> task<> { co_await yield(); });
}

void fork_bomb() {
  spawn([] { fork_bomb(); });
  spawn([] { fork_bomb(); });
}

task<> recursion(std::uint64_t depth) {
  if (depth != 0) co_await recursion(depth - 1);
}

void steal_bomb() {
  spawn_stealable([] { steal_bomb(); });
  spawn_stealable([]() -> task<> {
    co_await yield();
    steal_bomb();
  });
}

auto names_line_and_limit() {
  return AllOf(HasSubstr("task_memory_test.cpp:"), HasSubstr("--memory-limit"),
               HasSubstr("16 MiB"));
}

TEST_P(task_memory, ends_a_loop_that_spawns_ten_million_tasks) {
  run([]() -> task<> {
    const auto text = co_await error_of([] { wait_one_by_one(10'000'000); });
    EXPECT_THAT(text, names_line_and_limit());
  });
}

TEST_P(task_memory, ends_tasks_that_each_spawn_two) {
  run([]() -> task<> {
    const auto text = co_await error_of([] { fork_bomb(); });
    EXPECT_THAT(text, names_line_and_limit());
  });
}

TEST_P(task_memory, ends_a_recursion_without_end) {
  if (test::only_threads) GTEST_SKIP() << "the thread sanitizer keeps a stack of 65,536 calls";
  if (test::sanitized && size() > 1) GTEST_SKIP() << "it takes a minute, and others see none of it";
  run([]() -> task<> {
    const auto text = co_await error_of([] { return recursion(~std::uint64_t{0}); });
    EXPECT_THAT(text, HasSubstr("--memory-limit"));
  });
}

// The job has a single PE, so that the memory of this PE must run out.
TEST(task_memory_alone, ends_stealable_tasks_that_each_spawn_two) {
  settings options = test::job_of(1);
  options.memory_limit = k_share;
  test::run_on(options, []() -> task<> {
    const auto text = co_await error_of([] { steal_bomb(); });
    EXPECT_THAT(text, names_line_and_limit());
  });
}

TEST_P(task_memory, is_used_again_by_who_goes_on) {
  run([]() -> task<> {
    for (int round = 0; round < 3; ++round) {
      const auto text = co_await error_of([] { wait_one_by_one(10'000'000); });
      EXPECT_THAT(text, names_line_and_limit());
      const auto none = co_await error_of([] { wait_one_by_one(10'000); });
      EXPECT_EQ(none, "none");
    }
  });
}

TEST_P(task_memory, is_what_arrays_leave) {
  run([]() -> task<> {
    const auto all = static_cast<std::uint64_t>(pes());
    const auto array = co_await make_array<char>((k_share - (4 << 20)) * all);
    const auto here = [] { return this_pe().account->held(); };
    co_await on_all_pes([] {});
    for (int pe = 0; pe < pes(); ++pe) {
      const std::uint64_t held = co_await call(pe, here);
      EXPECT_GE(held, k_share - (4 << 20)) << "PE " << pe;
    }
    const auto text = co_await error_of([] { wait_one_by_one(50'000); });
    EXPECT_THAT(text, names_line_and_limit());
    co_await array.destroy();
    const auto none = co_await error_of([] { wait_one_by_one(50'000); });
    EXPECT_EQ(none, "none");
  });
}

TEST_P(task_memory, is_for_messages_that_wait_for_room) {
  options.overflow_limit = std::uint64_t{1} << 30;
  run([]() -> task<> {
    const auto text = co_await error_of([] {
      for (int i = 0; i < 3'000'000; ++i) async_call(my_pe(), [i] { EXPECT_GE(i, 0); });
    });
    EXPECT_THAT(text, AllOf(HasSubstr("--memory-limit"), HasSubstr("task_memory_test.cpp:")));
  });
}

TEST_P(task_memory, is_for_messages_that_nobody_receives) {
  run([]() -> task<> {
    const auto text = co_await error_of([] {
      static constexpr std::uint64_t value = 7;
      std::vector<two_sided::request> open;
      for (int tag = 0; tag < 10'000'000; ++tag)
        open.push_back(two_sided::send_nbi(my_pe(), tag, std::span(&value, 1)));
    });
    EXPECT_THAT(text, AllOf(HasSubstr("--memory-limit"), HasSubstr("no memory for ")));
  });
}

std::uint64_t private_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t mapped = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;
  file >> mapped >> resident >> shared;
  return (resident - shared) * 4096;
}

TEST(task_memory_alone, is_not_exceeded_by_far) {
  if (test::sanitized || test::only_threads) GTEST_SKIP() << "a sanitizer takes memory of its own";
  constexpr std::uint64_t limit = std::uint64_t{128} << 20;
  settings options = test::job_of(1);
  options.memory_limit = limit;
  test::run_on(options, []() -> task<> {
    const std::uint64_t before = private_bytes();
    for (const auto bomb : {+[] { wait_one_by_one(10'000'000); }, &fork_bomb, &steal_bomb}) {
      co_await error_of(bomb);
      EXPECT_LE(private_bytes() - before, limit + limit / 4);
    }
  });
}

ATOLL_RUN_ON(task_memory, 1, 2, 3);

}  // namespace
