#include "atoll/random.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace {

using atl::scramble;

TEST(scramble, is_a_bijection) {
  for (unsigned bits = 0; bits <= 16; ++bits) {
    for (std::uint64_t key = 0; key < 5; ++key) {
      const scramble renamed(key, bits);
      std::vector<bool> taken(std::size_t{1} << bits);
      for (std::uint64_t x = 0; x < taken.size(); ++x) {
        const auto y = renamed(x);
        ASSERT_LT(y, taken.size());
        ASSERT_FALSE(taken[y]) << "bits " << bits << " key " << key;
        taken[y] = true;
      }
    }
  }
}

// In generated graphs, the first vertices have the most edges. Scrambling must give the first
// vertices numbers that are far apart.
TEST(scramble, spreads_neighbours) {
  for (std::uint64_t key = 0; key < 20; ++key) {
    const scramble renamed(key, 20);
    std::vector<int> hits(16);
    for (std::uint64_t x = 0; x < 1024; ++x) ++hits[renamed(x) >> 16];
    for (const auto count : hits) {
      EXPECT_GT(count, 16);
      EXPECT_LT(count, 160);
    }
  }
}

TEST(scramble, keys_give_different_orders) {
  int same = 0;
  for (std::uint64_t x = 0; x < 1000; ++x) same += scramble(1, 30)(x) == scramble(2, 30)(x);
  EXPECT_LT(same, 5);
}

}  // namespace
