#include "atoll/graph/random_graph.hpp"

#include "atoll/error.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace atl;

TEST(uniform, all_pairs_of_vertices_are_equally_likely) {
  const generator_parameters parameters{3, 80'000, 4};
  const uniform_generator generator(parameters);
  std::vector<double> hits(64);
  for (std::uint64_t i = 0; i < parameters.edges(); ++i) {
    const auto e = generator(i);
    ASSERT_LT(e.from, 8u);
    ASSERT_LT(e.to, 8u);
    ++hits[e.from * 8 + e.to];
  }
  const auto expected = static_cast<double>(parameters.edges()) / 64;
  for (const auto count : hits) EXPECT_NEAR(count, expected, 6 * std::sqrt(expected));
}

TEST(uniform, any_number_of_vertices_is_drawn_from_alike) {
  generator_parameters parameters{0, 70'000, 4};
  parameters.exact_vertices = 7;
  const uniform_generator generator(parameters);
  std::vector<double> hits(7);
  for (std::uint64_t i = 0; i < parameters.edges(); ++i) ++hits.at(generator(i).from);
  for (const auto count : hits) EXPECT_NEAR(count, 70'000, 6 * std::sqrt(70'000));
}

TEST(uniform, an_edge_depends_on_nothing_but_parameters_and_index) {
  const uniform_generator one({30, 16, 4}), other({30, 16, 4}), different({30, 16, 5});
  for (std::uint64_t i = 1000; i-- > 0;) EXPECT_EQ(one(i), other(i));
  EXPECT_NE(one(0), different(0));
}

TEST(uniform, refuses_what_does_not_fit) {
  EXPECT_THROW(uniform_generator({49, 1, 1}), error);
  EXPECT_NO_THROW(uniform_generator({48, 1, 1}));
}

}  // namespace
