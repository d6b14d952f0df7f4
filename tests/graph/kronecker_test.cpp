#include "atoll/graph/kronecker.hpp"

#include "atoll/error.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <vector>

namespace {

using namespace atl;

TEST(kronecker, an_edge_depends_on_nothing_but_parameters_and_index) {
  const generator_parameters parameters{12, 16, 7};
  std::vector<edge> in_one_go;
  const kronecker_generator generator(parameters);
  for (std::uint64_t i = 0; i < parameters.edges(); ++i) in_one_go.push_back(generator(i));
  for (const std::uint64_t parts : {1, 2, 3, 7}) {
    for (std::uint64_t part = parts; part-- > 0;) {
      const kronecker_generator own(parameters);
      for (auto i = part; i < parameters.edges(); i += parts) {
        ASSERT_EQ(own(i), in_one_go[i]);
        ASSERT_EQ(kronecker_edge(parameters, i), in_one_go[i]);
      }
    }
  }
}

TEST(kronecker, seeds_and_indices_give_different_edges) {
  std::set<edge> edges;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t i = 0; i < 20; ++i) edges.insert(kronecker_edge({40, 16, seed}, i));
  }
  EXPECT_EQ(edges.size(), 400u);
}

TEST(kronecker, vertices_are_below_two_to_the_scale) {
  for (std::uint64_t scale = 0; scale <= generator_parameters::largest_scale; ++scale) {
    const generator_parameters parameters{scale, 1, 3};
    const kronecker_generator generator(parameters);
    for (std::uint64_t i = 0; i < 100; ++i) {
      EXPECT_LT(generator(i).from, parameters.vertices());
      EXPECT_LT(generator(i).to, parameters.vertices());
    }
  }
}

// Expects that `count` is within six standard deviations of its mean, `draws` * `probability`.
void expect_frequency(std::uint64_t count, std::uint64_t draws, double probability) {
  const auto n = static_cast<double>(draws);
  const auto deviation = std::sqrt(n * probability * (1 - probability));
  EXPECT_NEAR(static_cast<double>(count), n * probability, 6 * deviation);
}

TEST(kronecker, every_level_falls_into_the_quadrants_as_often_as_it_should) {
  constexpr std::array probabilities = {0.57, 0.19, 0.19, 0.05};
  for (const std::uint64_t scale : {1, 2, 4, 5, 8, 11, 20}) {
    const kronecker_generator generator({scale, 16, 5});
    const std::uint64_t draws = 100'000;
    std::vector<std::array<std::uint64_t, 4>> counts(scale);
    for (std::uint64_t i = 0; i < draws; ++i) {
      const auto e = generator.in_order(i);
      for (std::uint64_t level = 0; level < scale; ++level) {
        ++counts[level][(e.from >> level & 1) * 2 + (e.to >> level & 1)];
      }
    }
    for (const auto& level : counts) {
      for (std::size_t q = 0; q < 4; ++q) expect_frequency(level[q], draws, probabilities[q]);
    }
  }
}

TEST(kronecker, levels_are_independent) {
  const kronecker_generator generator({20, 16, 5});
  const std::uint64_t draws = 200'000;
  for (std::uint64_t level = 0; level + 1 < 20; ++level) {
    std::uint64_t both = 0;
    for (std::uint64_t i = 0; i < draws; ++i) {
      const auto e = generator.in_order(i);
      both += (((e.from | e.to) >> level) & 3) == 0;
    }
    expect_frequency(both, draws, 0.57 * 0.57);
  }
}

TEST(kronecker, the_scramble_renames_vertices_alike_in_both_ends) {
  const generator_parameters parameters{6, 64, 9};
  const kronecker_generator generator(parameters);
  std::vector<std::set<std::uint64_t>> names(parameters.vertices());
  for (std::uint64_t i = 0; i < parameters.edges(); ++i) {
    names[generator.in_order(i).from].insert(generator(i).from);
    names[generator.in_order(i).to].insert(generator(i).to);
  }
  std::set<std::uint64_t> all;
  for (const auto& name : names) {
    EXPECT_LE(name.size(), 1u);
    all.insert(name.begin(), name.end());
  }
  EXPECT_GT(all.size(), 32u);
}

TEST(generator, refuses_what_does_not_fit) {
  const auto message = [](generator_parameters parameters) -> std::string {
    try {
      kronecker_generator{parameters};
    } catch (const error& e) {
      EXPECT_EQ(e.code(), errc::input);
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message({49, 16, 1}), "scale: 49 is out of range (0 to 48)");
  EXPECT_EQ(message({48, 65536, 1}), "edge-factor: 65536 is out of range at scale 48 (0 to 65535)");
  EXPECT_EQ(message({48, 65535, 1}), "");
  EXPECT_EQ(message({.edge_factor = 65536, .exact_vertices = std::uint64_t{1} << 48}),
            "edge-factor: 65536 is out of range for 281474976710656 vertices (0 to 65535)");
  EXPECT_EQ(message({.exact_vertices = 1000}),
            "vertices: 1000: a Kronecker graph has 2^scale vertices");
  EXPECT_EQ(message({0, std::numeric_limits<std::uint64_t>::max(), 1}), "");
}

TEST(generator, root_candidates_are_spread_over_all_vertices) {
  const generator_parameters parameters{10, 16, 1};
  std::vector<std::uint64_t> hits(16);
  const std::uint64_t draws = 16'000;
  for (std::uint64_t k = 0; k < draws; ++k) {
    const auto vertex = root_candidate(parameters, k);
    ASSERT_LT(vertex, parameters.vertices());
    EXPECT_EQ(vertex, root_candidate(parameters, k));
    ++hits[vertex / 64];
  }
  for (const auto count : hits) expect_frequency(count, draws, 1.0 / 16);
}

TEST(generator, weights_are_1_to_255) {
  std::set<std::int64_t> weights;
  for (std::uint64_t i = 0; i < 10'000; ++i) weights.insert(random_weight({10, 16, 1}, i));
  EXPECT_EQ(*weights.begin(), 1);
  EXPECT_EQ(*weights.rbegin(), 255);
  EXPECT_EQ(weights.size(), 255u);
}

}  // namespace
