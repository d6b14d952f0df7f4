// Tests the table of pending answers, which numbers requests and reuses the numbers after the
// answers.

#include "atoll/memory/answers.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>

using atl::memory::pending_answers;

namespace {

TEST(pending_answers, finds_who_asked_and_gives_numbers_again) {
  atl::memory_account account;
  pending_answers all(account);
  std::mt19937 random(1);
  std::map<std::uint32_t, std::uintptr_t> asked;
  std::uint32_t largest = 0;
  int slots[2];
  for (std::uintptr_t i = 0; i < 20'000; ++i) {
    if (asked.size() < 100 && random() % 2 == 0) {
      const auto number = all.add({&slots[i % 2], i});
      EXPECT_TRUE(asked.emplace(number, i).second) << number;
      largest = std::max(largest, number);
    } else if (!asked.empty()) {
      const auto any = std::next(asked.begin(), random() % asked.size());
      const auto found = all.take(any->first);
      EXPECT_EQ(found.context, any->second);
      EXPECT_EQ(found.slot, &slots[any->second % 2]);
      asked.erase(any);
    }
  }
  EXPECT_LT(largest, 100u);
}

}  // namespace
