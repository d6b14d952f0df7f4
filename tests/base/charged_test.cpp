#include "atoll/base/charged.hpp"

#include "atoll/error.hpp"

#include <gmock/gmock.h>
#include <new>
#include <string>

using namespace atl;

namespace {

constexpr std::uint64_t k_limit = 8 << 20;

// Adds elements until the account refuses more memory. The refused addition must not change the
// amount of held memory. After memory is freed, elements can be added again.
template <class Add>
std::string refusal_of(const Add& add) {
  try {
    for (std::uint64_t i = 0; i < k_limit; ++i) add(i);
  } catch (const error& refused) {
    EXPECT_EQ(refused.code(), errc::out_of_memory);
    return refused.what();
  }
  return "none";
}

TEST(charged, containers_keep_to_the_limit) {
  memory_account account(k_limit, 1);
  {
    charged_map<std::uint64_t, std::uint64_t> map(account);
    EXPECT_THAT(refusal_of([&](std::uint64_t i) { map.emplace(i, i); }),
                testing::HasSubstr("--memory-limit"));
    EXPECT_GT(account.held(), k_limit / 4);
    map.clear();
  }
  EXPECT_EQ(account.held(), 0U);
  charged_deque<std::uint64_t> queue(account);
  // The container takes memory until the account has no memory left.
  charged_deque<std::uint64_t> other(account);
  EXPECT_NE(refusal_of([&](std::uint64_t i) { queue.push_back(i); }), "none");
  other.swap(queue);
  queue = std::move(other);
  EXPECT_GT(queue.size(), k_limit / 16);
  queue.clear();
  queue.shrink_to_fit();
  charged_vector<std::uint64_t> words(account);
  EXPECT_NE(refusal_of([&](std::uint64_t i) { words.push_back(i); }), "none");
  EXPECT_LE(account.held(), k_limit);
}

TEST(charged, what_grows_is_charged_with_both_while_both_are_there) {
  memory_account account(k_limit, 1, 1);
  account.charge(k_limit / 2);
  std::uint64_t held_meanwhile = 0;
  grow_charged(account, k_limit / 4, k_limit / 2, [&] { held_meanwhile = account.held(); });
  EXPECT_EQ(held_meanwhile, k_limit);
  EXPECT_EQ(account.held(), k_limit / 4 * 3);
  const auto never = [] { ADD_FAILURE() << "it was not refused"; };
  EXPECT_THROW(grow_charged(account, k_limit / 2, k_limit / 2 + 1, never), error);
  const auto fails = [] { throw std::bad_alloc(); };
  EXPECT_THROW(grow_charged(account, 0, 100, fails), std::bad_alloc);
  EXPECT_EQ(account.held(), k_limit / 4 * 3);
}

}  // namespace
