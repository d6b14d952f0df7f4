#include "atoll/base/charged.hpp"

#include "atoll/error.hpp"

#include <gmock/gmock.h>
#include <string>

using namespace atl;

namespace {

constexpr std::uint64_t k_limit = 8 << 20;

// Until the account refuses; then as much is held as before, and it can go on when some is free.
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
  charged_deque<std::uint64_t> other(account);  // takes memory while there is some
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

}  // namespace
