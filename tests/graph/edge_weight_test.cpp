#include "atoll/graph/generator.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace {

using namespace atl;

TEST(edge_weight, is_the_same_from_both_ends) {
  for (std::uint64_t u = 0; u < 50; ++u) {
    for (std::uint64_t v = 0; v < 50; ++v) {
      EXPECT_EQ(hashed_weight(u, v, 7), hashed_weight(v, u, 7));
      EXPECT_EQ(hashed_weight(u, largest_vertex - v, 7), hashed_weight(largest_vertex - v, u, 7));
    }
  }
}

TEST(edge_weight, depends_on_both_ends_and_the_seed) {
  std::set<std::uint32_t> weights;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (std::uint64_t u = 0; u < 20; ++u) {
      for (std::uint64_t v = u; v < 20; ++v) weights.insert(hashed_weight(u, v, seed));
    }
  }
  EXPECT_EQ(weights.size(), 4u * 210u);
}

TEST(edge_weight, every_bit_is_set_in_half_of_the_weights) {
  std::array<double, 32> set{};
  const std::uint64_t width = 300;
  for (std::uint64_t u = 0; u < width; ++u) {
    for (std::uint64_t v = 0; v < width; ++v) {
      const auto weight = hashed_weight(u, width + v, 1);
      for (std::size_t bit = 0; bit < 32; ++bit) set[bit] += weight >> bit & 1;
    }
  }
  const auto edges = static_cast<double>(width * width);
  for (const auto count : set) EXPECT_NEAR(count, edges / 2, 6 * std::sqrt(edges / 4));
}

// Boruvka's algorithm would need unusually few or many rounds if the weights rose or fell along a
// path.
TEST(edge_weight, neighbouring_edges_are_lighter_or_heavier_as_often) {
  std::uint64_t rises = 0;
  const std::uint64_t edges = 100'000;
  for (std::uint64_t v = 0; v < edges; ++v)
    rises += hashed_weight(v, v + 1, 1) < hashed_weight(v + 1, v + 2, 1);
  // In a random permutation of a certain length, the number of rises has a variance of a twelfth of
  // this length.
  EXPECT_NEAR(static_cast<double>(rises), edges / 2.0, 6 * std::sqrt(edges / 12.0));
}

}  // namespace
