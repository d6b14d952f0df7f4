// Tests the deque of stealable tasks, and how its memory counts towards the limit of its PE.

#include "atoll/task/stealing.hpp"

#include "atoll/error.hpp"

#include <gtest/gtest.h>

namespace {

using namespace atl;

constexpr std::uint64_t k_limit = 8 << 20;

/// Pushes a closure that contains a number.
void push(tasks::stealable_deque& deque, std::uint64_t number) {
  *reinterpret_cast<std::uint64_t*>(deque.next_place().closure) = number;
  deque.push();
}

std::uint64_t number_of(const tasks::stealable& task) {
  return *reinterpret_cast<const std::uint64_t*>(task.closure);
}

TEST(stealable_deque, gives_from_both_ends_as_it_grows) {
  memory_account account;
  tasks::stealable_deque deque(account);
  std::uint64_t next = 0, oldest = 0;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 500; ++i) push(deque, next++);
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(number_of(deque.oldest()), oldest++);
      deque.drop_oldest();
    }
    EXPECT_EQ(number_of(deque.take_newest()), --next);
  }
  EXPECT_EQ(deque.size(), next - oldest);
}

TEST(stealable_deque, is_refused_room_before_it_takes_more_than_its_pe_may_have) {
  memory_account account(k_limit, 1, 1);
  {
    tasks::stealable_deque deque(account);
    std::uint64_t pushed = 0;
    EXPECT_THROW(
        {
          while (true) push(deque, pushed++);
        },
        error);
    // The deque needs the smaller array until it has copied the tasks into a larger one.
    EXPECT_EQ(account.held(), (pushed - 1) * sizeof(tasks::stealable));
    EXPECT_LE(account.held() / 2 * 3, k_limit);
    EXPECT_GT(account.held() * 3, k_limit);
    EXPECT_EQ(deque.size(), pushed - 1);
    for (std::uint64_t i = pushed - 1; i-- > 0;) EXPECT_EQ(number_of(deque.take_newest()), i);
  }
  EXPECT_EQ(account.held(), 0u);
}

}  // namespace
