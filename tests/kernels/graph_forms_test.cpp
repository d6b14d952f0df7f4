// Tests the forms of graphs that kernels and commands need: random, reversed, with divided hubs,
// with edges only, and partly built.

#include "atoll/kernels/bfs.hpp"
#include "atoll/kernels/components.hpp"
#include "atoll/kernels/forest.hpp"
#include "atoll/kernels/pagerank.hpp"
#include "kernels/bfs_graphs.hpp"
#include "kernels/result_graphs.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <numeric>
#include <set>

namespace {

using namespace atl;
using namespace result_graphs;
using testing::HasSubstr;

class graph_forms : public test::on_pes {};

/// Returns the edges of a random graph, which are generated sequentially.
plain_graph plain_of(const generator_parameters& of) {
  const random_graph_generator make(of);
  plain_graph plain;
  for (std::uint64_t i = 0; i < of.edges(); ++i) plain.edges.push_back(make(i));
  return plain;
}

TEST_P(graph_forms, random_graphs_are_those_of_their_edges) {
  run([]() -> task<> {
    for (const auto kind : {graph_kind::kronecker, graph_kind::uniform, graph_kind::web}) {
      generator_parameters of;
      of.scale = 7;
      of.edge_factor = 2;
      of.kind = kind;
      const auto graph = co_await make_random_graph(of);
      EXPECT_EQ(graph.vertices(), 128U);
      EXPECT_EQ(graph.edges(), 256U);
      EXPECT_TRUE(graph.has_weights());
      const auto stored = co_await graph_of(plain_of(of));
      const auto parts = co_await connected_components(graph);
      const auto expected = co_await connected_components(stored);
      const auto labels = co_await parts.label.gather();
      auto of_stored = co_await expected.label.gather();
      for (vertex_id v = of_stored.size(); v < graph.vertices(); ++v) of_stored.push_back(v);
      EXPECT_EQ(labels, of_stored);
      co_await verify(graph);
      co_await verify(graph, parts);
      const auto forest = co_await minimum_spanning_forest(graph);
      EXPECT_EQ(forest.trees, parts.count);
      co_await verify(graph, forest);
      co_await forest.destroy();
      co_await parts.destroy();
      co_await expected.destroy();
      co_await stored.destroy();
      co_await graph.destroy();
    }
  });
}

TEST_P(graph_forms, random_graphs_of_parameters_out_of_range_are_refused) {
  run([]() -> task<> {
    generator_parameters of;
    of.scale = 60;
    const auto make = [of]() -> task<> { co_await make_random_graph(of); };
    const std::string text = co_await refusal_of(make, errc::input);
    EXPECT_THAT(text, HasSubstr("scale"));
  });
}

TEST_P(graph_forms, reversed_arcs_lead_back) {
  run([]() -> task<> {
    plain_graph chain;
    for (vertex_id v = 0; v < 30; ++v) chain.edges.push_back({v, v + 1});
    const auto graph = co_await graph_of(chain, {.directed = true, .reversed = true});
    const auto from_end = co_await atl::bfs(graph, 30);
    const auto from_start = co_await atl::bfs(graph, 0);
    EXPECT_EQ(from_end.reached, 31U);
    EXPECT_EQ(from_start.reached, 1U);
    co_await verify(graph, from_end);
    co_await graph.destroy();
    const auto make = [&chain]() -> task<> { co_await graph_of(chain, {.reversed = true}); };
    const std::string text = co_await refusal_of(make, errc::input);
    EXPECT_THAT(text, HasSubstr("reversed: the graph is not directed"));
  });
}

/// Returns a star with a tail. The middle of the star is a hub.
plain_graph star() {
  plain_graph made;
  for (vertex_id v = 1; v < 400; ++v) made.edges.push_back({0, v});
  for (vertex_id v = 400; v < 420; ++v) made.edges.push_back({v - 1, v});
  return made;
}

TEST_P(graph_forms, results_do_not_depend_on_how_neighbours_are_kept) {
  run([]() -> task<> {
    const plain_graph plain = star();
    const auto usual = co_await graph_of(plain);
    const auto divided = co_await graph_of(plain, {.divide_hubs = true});
    const auto wide = co_await graph_of(plain, {.ascending_neighbours = true, .wide_ids = true});
    const auto expected = co_await atl::bfs(usual, 419);
    const auto distances = co_await expected.distance.gather();
    for (const auto& graph : {divided, wide}) {
      const auto tree = co_await atl::bfs(graph, 419);
      const auto found = co_await tree.distance.gather();
      EXPECT_EQ(found, distances);
      co_await verify(graph, tree);
      const auto ranks = co_await pagerank(graph);
      co_await verify(graph, ranks);
      const auto parts = co_await connected_components(graph);
      EXPECT_EQ(parts.count, 1U);
      co_await verify(graph, parts);
      const vertex_degree busiest = co_await vertex_with_most_neighbours(graph);
      EXPECT_EQ(busiest.vertex, 0U);
      EXPECT_EQ(busiest.degree, 399U);
    }
    const auto kept = co_await divided.statistics();
    EXPECT_EQ(kept.arcs(), 2 * plain.edges.size());
    EXPECT_EQ(kept.parts.size(), static_cast<std::size_t>(pes()));
    EXPECT_EQ(kept.id_bits, 32U);
    EXPECT_GE(kept.balance(), 1);
    const auto of_wide = co_await wide.statistics();
    EXPECT_EQ(of_wide.id_bits, 64U);
    if (kept.hubs == 0) co_return;
    const auto look = [divided]() -> task<> {
      co_await call(divided.owner_of(0), [divided] { return divided.degree(0); });
    };
    const std::string text = co_await refusal_of(look, errc::input);
    EXPECT_THAT(text, HasSubstr("the neighbours of vertex 0 are divided over all PEs"));
  });
}

TEST_P(graph_forms, edges_alone_are_enough_for_a_forest) {
  run([]() -> task<> {
    const auto plain = bfs_graphs::kronecker(7);
    const auto graph = co_await weighted_graph_of(plain, {.edges_only = true});
    const auto usual = co_await weighted_graph_of(plain);
    const auto forest = co_await minimum_spanning_forest(graph);
    const auto expected = co_await minimum_spanning_forest(usual);
    EXPECT_EQ(forest.weight, expected.weight);
    EXPECT_EQ(forest.trees, expected.trees);
    EXPECT_GT(forest.seconds, 0);
    EXPECT_EQ(forest.id_bits, 32U);
    co_await verify(graph, forest);
    const auto search = [graph]() -> task<> { co_await atl::bfs(graph, 0); };
    const auto label = [graph]() -> task<> { co_await connected_components(graph); };
    const auto rank = [graph]() -> task<> { co_await pagerank(graph); };
    const std::string words = "the graph has edges and no neighbours of vertices";
    const std::string of_search = co_await refusal_of(search, errc::input);
    const std::string of_label = co_await refusal_of(label, errc::input);
    const std::string of_rank = co_await refusal_of(rank, errc::input);
    EXPECT_THAT(of_search, HasSubstr(words));
    EXPECT_THAT(of_label, HasSubstr(words));
    EXPECT_THAT(of_rank, HasSubstr(words));
  });
}

TEST_P(graph_forms, repeated_searches_find_the_tree_of_each_root) {
  run([]() -> task<> {
    const auto plain = bfs_graphs::grid(12, 9);
    const auto graph = co_await graph_of(plain);
    auto searches = co_await repeated_searches::make(graph);
    for (const vertex_id root : {vertex_id{0}, vertex_id{57}, vertex_id{107}}) {
      const auto expected = bfs_graphs::search(plain, orientation::undirected, root);
      const search_counts counts = co_await searches.search(root);
      EXPECT_EQ(counts.root, root);
      EXPECT_EQ(counts.reached, expected.reached);
      EXPECT_EQ(counts.levels, expected.depth);
      EXPECT_GT(counts.arcs_looked_at, 0U);
      co_await searches.verify();
      const search_tree tree = co_await searches.tree();
      const auto distances = co_await tree.distance.gather();
      for (vertex_id v = 0; v < graph.vertices(); ++v) EXPECT_EQ(distances[v], expected.levels[v]);
      co_await verify(graph, tree);
      co_await tree.destroy();
    }
    co_await searches.destroy();
    co_await graph.destroy();
  });
}

bool are_one(const weighted_edge& a, const weighted_edge& b) {
  return a.from == b.from && a.to == b.to && a.weight == b.weight;
}

TEST_P(graph_forms, repeated_rankings_and_forests_are_those_of_single_calls) {
  run([]() -> task<> {
    const auto plain = bfs_graphs::kronecker(7);
    const auto graph = co_await weighted_graph_of(plain);
    auto rankings = co_await repeated_rankings::make(graph);
    auto forests = co_await repeated_forests::make(graph);
    const auto expected_forest = co_await minimum_spanning_forest(graph);
    const auto expected_edges = co_await expected_forest.gather();
    for (const double damping : {0.5, 0.85, 0.5}) {
      const pagerank_options with{.damping = damping, .tolerance = 1e-9};
      const auto expected = co_await pagerank(graph, with);
      const page_ranks ranks = co_await rankings.rank(with);
      EXPECT_EQ(ranks.iterations, expected.iterations);
      EXPECT_EQ(ranks.with.damping, damping);
      const auto found_ranks = co_await ranks.rank.gather();
      const auto expected_ranks = co_await expected.rank.gather();
      for (std::size_t v = 0; v < found_ranks.size(); ++v)
        EXPECT_NEAR(found_ranks[v], expected_ranks[v], 1e-9 * expected_ranks[v]);
      co_await verify(graph, ranks);
      const spanning_forest forest = co_await forests.find();
      EXPECT_EQ(forest.weight, expected_forest.weight);
      const auto found_edges = co_await forest.gather();
      EXPECT_TRUE(std::ranges::equal(found_edges, expected_edges, &are_one));
      co_await verify(graph, forest);
      co_await ranks.destroy();
      co_await expected.destroy();
      co_await forest.destroy();
    }
    co_await forests.destroy();
    co_await rankings.destroy();
    co_await graph.destroy();
  });
}

TEST_P(graph_forms, levels_name_those_with_most_neighbours) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(star());
    const search_tree tree = co_await atl::bfs(graph, 419);
    const auto levels = co_await levels_of(graph, tree, 3, 2);
    EXPECT_EQ(levels.size(), tree.levels);
    EXPECT_EQ(levels[0].vertices, 1U);
    EXPECT_THAT(levels[0].examples, testing::ElementsAre(419));
    EXPECT_TRUE(levels.back().examples.empty());
    std::uint64_t all = 0;
    for (const tree_level& level : levels) all += level.vertices;
    EXPECT_EQ(all, tree.reached);
    const search_tree from_leaf = co_await atl::bfs(graph, 1);
    const auto near = co_await levels_of(graph, from_leaf, 3, 2);
    EXPECT_THAT(near[1].examples, testing::ElementsAre(0));
    EXPECT_THAT(near[2].examples, testing::ElementsAre(399, 2));
  });
}

TEST_P(graph_forms, random_roots_are_different_and_have_neighbours) {
  run([]() -> task<> {
    plain_graph plain;
    for (vertex_id v = 10; v < 30; v += 2) plain.edges.push_back({v, v + 1});
    plain.edges.push_back({40, 40});
    const auto graph = co_await graph_of(plain);
    const auto all = co_await random_roots(graph, 100, 3);
    EXPECT_EQ(all.size(), 20U);
    const std::set<vertex_id> different(all.begin(), all.end());
    EXPECT_EQ(different.size(), 20U);
    EXPECT_EQ(*different.begin(), 10U);
    EXPECT_EQ(*different.rbegin(), 29U);
    const auto some = co_await random_roots(graph, 5, 3);
    EXPECT_TRUE(std::ranges::equal(some, std::span(all).first(5)));
  });
}

TEST_P(graph_forms, sizes_of_components_add_up) {
  run([]() -> task<> {
    plain_graph plain;
    plain.edges = {{0, 1}, {1, 2}, {5, 6}, {8, 8}};
    const auto graph = co_await graph_of(plain);
    const auto parts = co_await connected_components(graph);
    const component_counts sizes = co_await parts.sizes(2);
    EXPECT_EQ(sizes.components, parts.count);
    EXPECT_EQ(sizes.single_vertices, 4U);
    EXPECT_THAT(sizes.by_power_of_two, testing::ElementsAre(4, 2));
    EXPECT_EQ(sizes.largest.size(), 2U);
    EXPECT_EQ(sizes.largest[0].label, 0U);
    EXPECT_EQ(sizes.largest[0].vertices, 3U);
    EXPECT_EQ(sizes.largest[1].label, 5U);
  });
}

TEST_P(graph_forms, a_builder_tells_what_was_read_before_it_builds) {
  static scratch_folder folder;
  static const std::string file = folder.file("few.csv", "from,to,weight\n0,1,-5\n1,3,9\n");
  run([]() -> task<> {
    auto builder = co_await graph_builder::make({});
    co_await builder.read(file);
    EXPECT_EQ(builder.vertices(), 4U);
    EXPECT_EQ(builder.edges(), 2U);
    EXPECT_TRUE(builder.has_weights());
    EXPECT_FALSE(builder.names().any());
    const auto range = co_await builder.weight_range();
    EXPECT_EQ(range.first, -5);
    EXPECT_EQ(range.second, 9);
    builder.options().directed = true;
    const global_graph graph = co_await builder.build();
    EXPECT_TRUE(graph.is_directed());
    const auto tree = co_await atl::bfs(graph, 0);
    EXPECT_EQ(tree.reached, 3U);
    co_await graph.destroy();
    auto unused = co_await graph_builder::make({});
    co_await unused.read(file);
    co_await unused.hash_weights(7);
    const auto hashed = co_await unused.weight_range();
    EXPECT_GE(hashed.first, 0);
    EXPECT_LT(hashed.second, std::int64_t{1} << 32);
    EXPECT_NE(hashed.first, range.first);
    co_await unused.discard();
  });
}

TEST_P(graph_forms, forests_are_written_without_weights_where_the_format_has_none) {
  static scratch_folder folder;
  static const std::string path = folder.path("forest.el");
  run([]() -> task<> {
    plain_graph plain;
    plain.edges = {{0, 1}, {1, 2}};
    const auto graph = co_await weighted_graph_of(plain, {.edges_only = true});
    const auto forest = co_await minimum_spanning_forest(graph);
    co_await forest.write(path);
    EXPECT_FALSE(forest_file_has_weights(path));
    EXPECT_TRUE(forest_file_has_weights("x.csv"));
    EXPECT_NO_THROW(check_forest_file(path, false));
    EXPECT_THROW(check_forest_file(path, true), error);
    EXPECT_THROW(check_forest_file("forest.none", false), error);
  });
  EXPECT_EQ(content_of(path), "0 1\n1 2\n");
}

ATOLL_RUN_ON(graph_forms, 1, 2, 3, 5);

}  // namespace
