// Tests that the validation finds every fault of a forest.

#include "atoll/kernels/mst/validation.hpp"

#include "atoll/random.hpp"

#include <gtest/gtest.h>

namespace mst_checks {

namespace mst = atl::kernels::mst;
using mst::forest_fault;
using plain = mst::plain_edge<std::int64_t>;
using edges = std::vector<plain>;

// The graph has two components and isolated vertices. One edge has three copies, of which one is
// lighter than the others. The graph also has self loops, equal weights and a negative weight.
const edges k_graph = {{0, 1, 4}, {1, 2, 8},  {2, 0, 8},  {2, 3, -7}, {3, 2, 9}, {2, 3, 9},
                       {4, 4, 1}, {6, 7, 2},  {7, 8, 2},  {8, 6, 2},  {8, 8, 0}, {3, 0, 8},
                       {9, 6, 5}, {9, 7, 11}, {10, 9, 1}, {3, 1, 30}};
const edges k_forest = {{2, 3, -7}, {10, 9, 1}, {6, 7, 2}, {6, 8, 2},
                        {0, 1, 4},  {6, 9, 5},  {0, 2, 8}};

mst::forest_check<std::int64_t> check(const edges& forest) {
  return mst::check_forest(k_graph, forest);
}

edges forest_without(std::size_t index) {
  edges forest = k_forest;
  forest.erase(forest.begin() + static_cast<std::ptrdiff_t>(index));
  return forest;
}

edges forest_with(plain one) {
  edges forest = k_forest;
  forest.push_back(one);
  return forest;
}

void expect_fault(const edges& forest, forest_fault fault, plain edge) {
  const auto found = check(forest);
  EXPECT_FALSE(found.right());
  EXPECT_EQ(found.fault, fault) << found.text();
  ASSERT_TRUE(found.edge);
  EXPECT_EQ(found.edge->u, edge.u);
  EXPECT_EQ(found.edge->v, edge.v);
  EXPECT_EQ(found.edge->weight, edge.weight);
}

TEST(mst_validation, accepts_the_forest_in_any_order_and_direction) {
  EXPECT_TRUE(check(k_forest).right());
  edges other(k_forest.rbegin(), k_forest.rend());
  for (auto& e : other) std::swap(e.u, e.v);
  const auto found = check(other);
  EXPECT_TRUE(found.right());
  EXPECT_EQ(found.edges, 7u);
  EXPECT_TRUE(found.weight == 15);
  EXPECT_EQ(found.text(), "7 edges of weight 15");
}

TEST(mst_validation, adds_up_what_does_not_fit_64_bits) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const edges chain = {{0, 1, most}, {1, 2, most}, {2, 3, most}};
  const auto found = mst::check_forest(chain, chain);
  EXPECT_TRUE(found.right());
  EXPECT_EQ(found.text(), "3 edges of weight 27670116110564327421");
}

TEST(mst_validation, accepts_no_edges_of_a_graph_without) {
  EXPECT_TRUE(mst::check_forest<std::int64_t>({}, {}).right());
  EXPECT_TRUE(mst::check_forest<std::int64_t>({{5, 5, 1}}, {}).right());
}

TEST(mst_validation, refuses_a_heavier_edge) {
  edges forest = forest_without(5);
  forest.push_back({7, 9, 11});
  expect_fault(forest, forest_fault::missing, {6, 9, 5});
}

TEST(mst_validation, refuses_an_equally_heavy_edge_that_comes_later) {
  edges forest = forest_without(3);
  forest.push_back({8, 7, 2});
  expect_fault(forest, forest_fault::missing, {6, 8, 2});
}

TEST(mst_validation, refuses_each_edge_missing) {
  for (std::size_t i = 0; i < k_forest.size(); ++i) {
    const auto& e = k_forest[i];
    expect_fault(forest_without(i), forest_fault::missing,
                 {std::min(e.u, e.v), std::max(e.u, e.v), e.weight});
  }
  const auto found = check(forest_without(0));
  EXPECT_EQ(found.text(),
            "the edge 2 - 3 of weight -7 is missing; 6 edges of weight 22, not 7 of 15");
}

TEST(mst_validation, refuses_an_extra_edge) {
  expect_fault(forest_with({2, 1, 8}), forest_fault::cycle, {1, 2, 8});
  expect_fault(forest_with({1, 3, 30}), forest_fault::cycle, {1, 3, 30});
  expect_fault(forest_with({3, 2, 9}), forest_fault::cycle, {2, 3, 9});
  expect_fault(forest_with({4, 4, 1}), forest_fault::cycle, {4, 4, 1});
}

TEST(mst_validation, refuses_an_edge_that_is_there_twice) {
  expect_fault(forest_with({1, 0, 4}), forest_fault::twice, {0, 1, 4});
  expect_fault(forest_with({0, 2, 8}), forest_fault::twice, {0, 2, 8});
}

TEST(mst_validation, refuses_an_edge_that_is_not_in_the_input) {
  expect_fault(forest_with({4, 5, 1}), forest_fault::unknown, {4, 5, 1});
  expect_fault(forest_with({3, 1'000'000, -50}), forest_fault::unknown, {3, 1'000'000, -50});
}

TEST(mst_validation, refuses_a_wrong_weight) {
  for (const std::int64_t wrong : {-1, 1}) {
    for (std::size_t i = 0; i < k_forest.size(); ++i) {
      edges forest = k_forest;
      forest[i].weight += wrong;
      const auto& e = forest[i];
      expect_fault(forest, forest_fault::wrong_weight,
                   {std::min(e.u, e.v), std::max(e.u, e.v), e.weight});
    }
  }
}

// Returns the least total weight of a set of edges that connects all vertices of each component.
// The function tries all sets.
std::int64_t weight_by_trial(const edges& graph, std::uint64_t vertices) {
  std::int64_t least = 1'000'000'000;
  for (std::uint32_t chosen = 0; chosen < 1u << graph.size(); ++chosen) {
    std::vector<std::uint64_t> label(vertices);
    std::iota(label.begin(), label.end(), 0);
    std::int64_t weight = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if ((chosen >> i & 1) == 0) continue;
      weight += graph[i].weight;
      const auto old = label[graph[i].u], joined = label[graph[i].v];
      std::ranges::replace(label, old, joined);
    }
    if (std::ranges::count(label, label[0]) == static_cast<std::ptrdiff_t>(vertices))
      least = std::min(least, weight);
  }
  return least;
}

TEST(mst_validation, expects_the_least_weight_of_all) {
  atl::random_stream random(3);
  for (int trial = 0; trial < 50; ++trial) {
    constexpr std::uint64_t vertices = 5;
    edges graph;
    for (std::uint64_t v = 1; v < vertices; ++v)
      graph.push_back({random.below(v), v, static_cast<std::int64_t>(random.below(9))});
    for (int i = 0; i < 6; ++i)
      graph.push_back({random.below(vertices), random.below(vertices),
                       static_cast<std::int64_t>(random.below(9))});
    const auto forest = mst::lightest_forest(graph);
    EXPECT_EQ(forest.size(), vertices - 1);
    EXPECT_TRUE(mst::check_forest(graph, forest).expected_weight ==
                weight_by_trial(graph, vertices));
  }
}

TEST(mst_validation, takes_weights_that_are_not_whole) {
  const std::vector<mst::plain_edge<float>> graph = {{0, 1, 0.5f}, {1, 2, -0.25f}, {0, 2, 0.5f}};
  EXPECT_TRUE(mst::check_forest<float>(graph, {{1, 2, -0.25f}, {0, 1, 0.5f}}).right());
  EXPECT_FALSE(mst::check_forest<float>(graph, {{1, 2, -0.25f}, {0, 2, 0.5f}}).right());
}

}  // namespace mst_checks
