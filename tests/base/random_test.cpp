#include "atoll/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace atl {
namespace {

TEST(hash, is_the_finalizer_of_splitmix64) {
  // After n steps from seed 0, the state of splitmix64 is n times this constant.
  EXPECT_EQ(hash(0x9e3779b97f4a7c15u), 0xe220a8397b1dcdafu);
  EXPECT_EQ(hash(2 * 0x9e3779b97f4a7c15u), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(random_at(0, 0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(random_at(0, 1), 0x6e789e6aa1b965f4u);
}

TEST(hash, one_changed_bit_changes_about_half_of_all) {
  double changed = 0;
  for (std::uint64_t x = 1; x <= 1000; ++x)
    for (int bit = 0; bit < 64; ++bit) changed += std::popcount(hash(x) ^ hash(x ^ 1ull << bit));
  EXPECT_NEAR(changed / 64000, 32, 0.5);
}

TEST(random_stream, is_a_pure_function_of_seed_stream_and_index) {
  random_stream whole(7, 3);
  std::vector<std::uint64_t> values(100);
  std::ranges::generate(values, whole);
  random_stream part(7, 3);
  part.seek(60);
  for (std::size_t i = 60; i < 100; ++i) EXPECT_EQ(part(), values[i]);
  EXPECT_EQ(random_at(random_key(7, 3), 42), values[42]);
}

TEST(random_stream, seeds_and_streams_differ) {
  std::vector<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::uint64_t stream = 0; stream < 100; ++stream)
      first.push_back(random_stream(seed, stream)());
  std::ranges::sort(first);
  EXPECT_EQ(std::ranges::adjacent_find(first), first.end());
}

TEST(random_stream, serves_the_standard_distributions) {
  random_stream random(1);
  std::uniform_int_distribution<int> die(1, 6);
  double sum = 0;
  for (int i = 0; i < 60000; ++i) sum += die(random);
  EXPECT_NEAR(sum / 60000, 3.5, 0.05);
}

TEST(uniform_below, covers_its_range_evenly) {
  random_stream random(5);
  std::vector<int> seen(7);
  for (int i = 0; i < 70000; ++i) ++seen.at(random.below(7));
  for (const int times : seen) EXPECT_NEAR(times, 10000, 500);
  EXPECT_EQ(uniform_below(UINT64_MAX, 7), 6u);
  EXPECT_EQ(uniform_below(0, 7), 0u);
  EXPECT_EQ(uniform_below(UINT64_MAX, 1), 0u);
}

TEST(uniform_real, lies_in_the_half_open_unit_interval) {
  EXPECT_EQ(uniform_real(0), 0);
  EXPECT_LT(uniform_real(UINT64_MAX), 1);
  random_stream random(6);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) sum += random.real();
  EXPECT_NEAR(sum / 100000, 0.5, 0.01);
}

}  // namespace
}  // namespace atl
