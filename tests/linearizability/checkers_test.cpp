// Two algorithms decide whether histories are linearizable. The two algorithms must agree about
// each history, whether the history is linearizable or not.

#include "atoll/random.hpp"
#include "linearizability/bad_patterns.hpp"
#include "linearizability/exact.hpp"
#include "linearizability/history_file.hpp"

#include <gtest/gtest.h>

using namespace atl;
using test::discipline;
using test::history;
using test::operation;

namespace {

/// Returns operations in a random order that is usually valid for the structure, and sometimes
/// slightly wrong. The time of each operation is extended around the moment of its effect, so that
/// neighbouring operations overlap.
history some_history(discipline order, random_stream& random, std::size_t operations) {
  std::deque<std::uint64_t> contents;
  history made;
  const std::uint64_t stretch = 1 + random.below(40);
  for (std::size_t i = 0; i < operations; ++i) {
    operation next;
    next.is_push = random.below(2) == 0;
    next.value = i;
    if (next.is_push) {
      contents.push_back(i);
    } else if (contents.empty() || random.below(20) == 0) {
      next.is_empty = true;
    } else {
      const bool newest = (order == discipline::stack) != (random.below(6) == 0);
      next.value = newest ? contents.back() : contents.front();
      newest ? contents.pop_back() : contents.pop_front();
    }
    const std::uint64_t moment = 1000 + 20 * i;
    next.begin = 2 * (moment - random.below(stretch)) * 64 + i * 2;
    next.end = 2 * (moment + random.below(stretch)) * 64 + i * 2 + 1;
    made.push_back(next);
  }
  return made;
}

#ifdef ATOLL_SANITIZED
constexpr int k_histories = 4'000;
constexpr std::uint64_t k_enough = 400;
#else
constexpr int k_histories = 20'000;
constexpr std::uint64_t k_enough = 2'000;
#endif
constexpr int k_noted = 2'000;

class checkers : public testing::TestWithParam<discipline> {};

TEST_P(checkers, agree_on_small_histories) {
  random_stream random(GetParam() == discipline::stack ? 1 : 2);
  std::uint64_t right = 0;
  std::uint64_t wrong = 0;
  for (int i = 0; i < k_histories; ++i) {
    const history made = some_history(GetParam(), random, 3 + random.below(10));
    const bool expected = test::exactly_linearizable(GetParam(), made);
    ASSERT_EQ(test::shows_no_bad_pattern(GetParam(), made), expected) << "history " << i;
    if (i < k_noted) test::note(GetParam(), expected, made);
    ++(expected ? right : wrong);
  }
  EXPECT_GT(right, k_enough);
  EXPECT_GT(wrong, k_enough);
}

operation make(bool is_push, std::uint64_t value, std::uint64_t begin, std::uint64_t end) {
  operation made;
  made.is_push = is_push;
  made.value = value;
  made.begin = begin;
  made.end = end;
  return made;
}

TEST_P(checkers, tell_a_stack_from_a_queue) {
  const history pushed_and_popped = {make(true, 1, 1, 2), make(true, 2, 3, 4), make(false, 2, 5, 6),
                                     make(false, 1, 7, 8)};
  const bool is_stack = GetParam() == discipline::stack;
  EXPECT_EQ(test::exactly_linearizable(GetParam(), pushed_and_popped), is_stack);
  EXPECT_EQ(test::shows_no_bad_pattern(GetParam(), pushed_and_popped), is_stack);
}

TEST_P(checkers, refuse_a_value_popped_twice_or_never_pushed) {
  const history twice = {make(true, 1, 1, 2), make(false, 1, 3, 6), make(false, 1, 4, 5)};
  const history never = {make(true, 1, 1, 2), make(false, 3, 3, 4)};
  for (const auto& wrong : {twice, never}) {
    EXPECT_FALSE(test::exactly_linearizable(GetParam(), wrong));
    EXPECT_FALSE(test::shows_no_bad_pattern(GetParam(), wrong));
  }
}

INSTANTIATE_TEST_SUITE_P(of, checkers, testing::Values(discipline::stack, discipline::queue));

}  // namespace
