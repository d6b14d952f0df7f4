#include "atoll/graph_files.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace {

using namespace atl;

TEST(edge_statistics, of_no_edges_are_zero) {
  EXPECT_EQ(vertices_of({}), 0u);
  EXPECT_EQ(self_loops_of({}), 0u);
  EXPECT_EQ(sort_and_count_duplicates({}, false), 0u);
  const auto degrees = degrees_of({}, counted_ends::both);
  EXPECT_EQ(degrees.vertices, 0u);
  EXPECT_EQ(degrees.most, 0u);
  EXPECT_TRUE(degrees.by_power.empty());
}

TEST(edge_statistics, components_have_an_edge) {
  EXPECT_EQ(components_of({}).count, 0u);
  const auto sizes_of = [](const std::vector<edge>& edges) {
    const auto sizes = components_of(edges);
    return std::pair(sizes.count, sizes.largest);
  };
  using sizes = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(sizes_of({{3, 1}, {0, 5}, {1, 4}, {5, 5}, {7, 7}}), sizes(3, 3));
  const std::uint64_t far = std::uint64_t{1} << 47;
  EXPECT_EQ(sizes_of({{far, 1}, {far + 9, far + 7}, {far, far + 7}}), sizes(1, 4));
  std::vector<edge> path;
  for (std::uint64_t i = 0; i < 1000; ++i) path.push_back({999 - i, 1000 - i});
  EXPECT_EQ(sizes_of(path), sizes(1, 1001));
}

TEST(edge_statistics, of_a_small_graph) {
  std::vector<edge> edges = {{1, 2}, {2, 1}, {1, 2}, {5, 5}, {1, 9}};
  EXPECT_EQ(vertices_of(edges), 10u);
  EXPECT_EQ(self_loops_of(edges), 1u);

  // The degrees in the form VERTEX:DEGREE are 1:4 2:3 5:2 9:1.
  const auto both = degrees_of(edges, counted_ends::both);
  EXPECT_EQ(both.vertices, 4u);
  EXPECT_EQ(both.least, 1u);
  EXPECT_EQ(both.median, 2u);
  EXPECT_EQ(both.most, 4u);
  EXPECT_EQ(both.most_vertex, 1u);
  EXPECT_DOUBLE_EQ(both.mean, 2.5);
  EXPECT_EQ(both.by_power, (std::vector<std::uint64_t>{1, 2, 1}));

  // The degrees in the form VERTEX:DEGREE are 1:3 2:1 5:1.
  const auto out = degrees_of(edges, counted_ends::from);
  EXPECT_EQ(out.vertices, 3u);
  EXPECT_EQ(out.most, 3u);
  // The degrees in the form VERTEX:DEGREE are 1:1 2:2 5:1 9:1.
  const auto in = degrees_of(edges, counted_ends::to);
  EXPECT_EQ(in.vertices, 4u);
  EXPECT_EQ(in.most_vertex, 2u);

  EXPECT_EQ(sort_and_count_duplicates(edges, true), 1u);
  EXPECT_EQ(sort_and_count_duplicates(edges, false), 2u);
}

void compare_with_a_map(const std::vector<edge>& edges) {
  std::map<std::uint64_t, std::uint64_t> degrees;
  for (const auto& e : edges) ++degrees[e.from], ++degrees[e.to];
  std::vector<std::uint64_t> sorted;
  for (const auto& [vertex, degree] : degrees) sorted.push_back(degree);
  std::ranges::sort(sorted);

  const auto found = degrees_of(edges, counted_ends::both);
  EXPECT_EQ(found.vertices, degrees.size());
  EXPECT_EQ(found.least, sorted.front());
  EXPECT_EQ(found.median, sorted[(sorted.size() - 1) / 2]);
  EXPECT_EQ(found.percentile_99, sorted[(sorted.size() - 1) * 99 / 100]);
  EXPECT_EQ(found.most, sorted.back());
  EXPECT_EQ(degrees[found.most_vertex], sorted.back());
  std::uint64_t vertices = 0;
  for (const auto count : found.by_power) vertices += count;
  EXPECT_EQ(vertices, degrees.size());
}

TEST(edge_statistics, ids_may_be_close_or_far_apart) {
  std::mt19937_64 random(1);
  std::vector<edge> close(10'000), far(10'000);
  std::ranges::generate(close, [&] { return edge{random() % 1000, random() % 300}; });
  std::ranges::transform(close, far.begin(), [](const edge& e) {
    return edge{e.from * 281'474'976'000, e.to * 281'474'976'000};
  });
  compare_with_a_map(close);
  compare_with_a_map(far);
}

}  // namespace
