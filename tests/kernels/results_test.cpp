// Compares the results of kernels with sequential programs on any number of PEs. The verification
// must refuse a result that a test has changed.

#include "atoll/graph.hpp"
#include "atoll/kernels/bfs.hpp"
#include "atoll/kernels/components.hpp"
#include "atoll/kernels/forest.hpp"
#include "atoll/kernels/pagerank.hpp"
#include "kernels/bfs_graphs.hpp"
#include "kernels/result_graphs.hpp"
#include "support/refusal.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <numeric>

namespace {

using namespace atl;
using testing::HasSubstr;

class results : public test::on_pes {};

using namespace result_graphs;

// ---- searches

task<> compare_search(const plain_graph& plain, bool directed) {
  const auto arcs = directed ? orientation::out : orientation::undirected;
  const vertex_id root = plain.edges[plain.edges.size() / 2].from;
  const auto expected = bfs_graphs::search(plain, arcs, root);
  const auto graph = co_await graph_of(plain, {.directed = directed});
  const auto tree = co_await bfs(graph, root);
  EXPECT_EQ(tree.reached, expected.reached);
  EXPECT_EQ(tree.levels, expected.depth);
  const auto distances = co_await tree.distance.gather();
  for (vertex_id v = 0; v < graph.vertices(); ++v) EXPECT_EQ(distances[v], expected.levels[v]) << v;
  co_await verify(graph, tree);
  for (vertex_id v = 0; v < graph.vertices(); v += 7) {
    const auto path = co_await tree.path_to(v);
    EXPECT_EQ(path.size(), expected.levels[v] == unreached ? 0 : expected.levels[v] + 1);
    if (path.empty()) continue;
    EXPECT_EQ(path.front(), root);
    EXPECT_EQ(path.back(), v);
  }
  const auto sizes = co_await tree.level_sizes();
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}), expected.reached);
  co_await tree.destroy();
  co_await graph.destroy();
}

TEST_P(results, searches_find_the_distances_of_a_plain_search) {
  run([]() -> task<> {
    for (const auto& plain : {bfs_graphs::kronecker(8), bfs_graphs::grid(20, 13),
                              bfs_graphs::two_components(), bfs_graphs::loops_and_duplicates()}) {
      co_await compare_search(plain, false);
      co_await compare_search(plain, true);
    }
  });
}

TEST_P(results, trees_that_say_too_much_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::grid(10, 10));
    const auto tree = co_await bfs(graph, 0);
    auto boasting = tree;
    ++boasting.reached;
    co_await expect_wrong(graph, boasting, "says that it has 101");
    auto deeper = tree;
    ++deeper.levels;
    co_await expect_wrong(graph, deeper, "19 levels, and says that it has 20");
    deeper.levels = ~std::uint64_t{0};
    co_await expect_wrong(graph, deeper, "the graph has 100 vertices");
  });
}

// ---- components

/// Returns the label of each vertex, which is the smallest vertex of its component.
std::vector<vertex_id> plain_labels(const plain_graph& of, std::uint64_t vertices) {
  std::vector<vertex_id> labels(vertices);
  std::iota(labels.begin(), labels.end(), vertex_id{0});
  for (bool changes = true; changes;) {
    changes = false;
    for (const edge& e : of.edges) {
      const vertex_id least = std::min(labels[e.from], labels[e.to]);
      changes |= labels[e.from] != least || labels[e.to] != least;
      labels[e.from] = labels[e.to] = least;
    }
  }
  return labels;
}

TEST_P(results, components_have_the_labels_of_a_plain_search) {
  run([]() -> task<> {
    for (const auto& plain : {bfs_graphs::kronecker(8), bfs_graphs::two_components(),
                              bfs_graphs::loops_and_duplicates()}) {
      const auto graph = co_await graph_of(plain, {.directed = plain.vertices == 50});
      const auto expected = plain_labels(plain, graph.vertices());
      const auto parts = co_await connected_components(graph);
      EXPECT_EQ(co_await parts.label.gather(), expected);
      std::map<vertex_id, std::uint64_t> sizes;
      for (const vertex_id label : expected) ++sizes[label];
      EXPECT_EQ(parts.count, sizes.size());
      const auto largest = co_await parts.largest(2);
      EXPECT_EQ(largest.size(), std::min<std::size_t>(2, sizes.size()));
      for (const auto& one : largest) EXPECT_EQ(one.vertices, sizes[one.label]);
      co_await verify(graph, parts);
      co_await parts.destroy();
      co_await graph.destroy();
    }
  });
}

TEST_P(results, components_that_are_miscounted_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::two_components());
    auto miscounted = co_await connected_components(graph);
    --miscounted.count;
    co_await expect_wrong(graph, miscounted, "and not");
  });
}

// ---- ranks

/// For each vertex, the weights of its arcs, as a map from the target of an arc to its weight.
/// Without weights, each arc has the weight 1.
using arcs_of_vertices = std::vector<std::map<vertex_id, double>>;

arcs_of_vertices arcs_of(const plain_graph& plain, std::uint64_t vertices, bool directed,
                         bool weighted) {
  arcs_of_vertices arcs(vertices);
  std::uint64_t i = 0;
  for (const edge& e : plain.edges) {
    const double weight = weighted ? static_cast<double>(weight_of(i++) + 10) : 1;
    const auto add = [&](graph::arc a) {
      if (a.source == a.target) return;
      double& of_arc = arcs[a.source][a.target];
      of_arc = weighted ? of_arc + weight : 1;
    };
    graph::for_each_arc(e, directed ? orientation::out : orientation::undirected, add);
  }
  return arcs;
}

std::vector<double> plain_ranks(const arcs_of_vertices& arcs, std::uint64_t iterations) {
  const auto n = static_cast<double>(arcs.size());
  std::vector<double> ranks(arcs.size(), 1 / n);
  for (std::uint64_t k = 0; k < iterations; ++k) {
    std::vector<double> got(arcs.size());
    double lost = 0;
    for (vertex_id v = 0; v < arcs.size(); ++v) {
      double all = 0;
      for (const auto& [to, weight] : arcs[v]) all += weight;
      if (all == 0) lost += ranks[v];
      for (const auto& [to, weight] : arcs[v])
        if (all != 0) got[to] += ranks[v] * weight / all;
    }
    for (vertex_id v = 0; v < arcs.size(); ++v) ranks[v] = 0.15 / n + 0.85 * (got[v] + lost / n);
  }
  return ranks;
}

task<> expect_ranks(const page_ranks& found, const std::vector<double>& expected) {
  const auto ranks = co_await found.rank.gather();
  for (vertex_id v = 0; v < ranks.size(); ++v)
    EXPECT_NEAR(ranks[v], expected[v], 1e-9 * expected[v]) << v;
  const auto top = co_await found.top(3);
  EXPECT_EQ(top.front().rank, *std::ranges::max_element(ranks));
  EXPECT_TRUE(std::ranges::is_sorted(top, {}, [](const auto& one) { return -one.rank; }));
}

TEST_P(results, ranks_are_those_of_a_plain_iteration) {
  run([]() -> task<> {
    for (const auto& plain : {bfs_graphs::kronecker(7), bfs_graphs::loops_and_duplicates()}) {
      for (const bool directed : {false, true}) {
        const auto graph = co_await graph_of(plain, {.directed = directed});
        const auto found = co_await pagerank(graph, {.tolerance = 1e-9, .max_iterations = 60});
        EXPECT_TRUE(found.change < 1e-9 || found.iterations == 60);
        const auto arcs = arcs_of(plain, graph.vertices(), directed, false);
        co_await expect_ranks(found, plain_ranks(arcs, found.iterations));
        co_await verify(graph, found);
        co_await found.destroy();
        co_await graph.destroy();
      }
    }
  });
}

TEST_P(results, ranks_stand_still_or_follow_arcs_alone_at_either_end_of_damping) {
  run([]() -> task<> {
    plain_graph plain;
    plain.edges = {{0, 1}, {1, 2}, {2, 0}, {3, 0}};  // Vertex 3 has no incoming arc.
    const auto graph = co_await graph_of(plain, {.directed = true});
    const auto still = co_await pagerank(graph, {.damping = 0, .max_iterations = 5});
    EXPECT_THAT(co_await still.rank.gather(), testing::Each(0.25));
    const auto moving = co_await pagerank(graph, {.damping = 1, .max_iterations = 2});
    EXPECT_THAT(co_await moving.rank.gather(), testing::ElementsAre(0.25, 0.5, 0.25, 0));
    for (const auto& found : {still, moving}) {
      co_await verify(graph, found);
      co_await found.destroy();
    }
  });
}

/// Makes a graph from the edges of `of`, with weights of 0 or more.
task<global_graph> heavy_graph_of(const plain_graph& of) {
  std::vector<weighted_edge> all;
  for (const edge& e : of.edges) all.push_back({e.from, e.to, weight_of(all.size()) + 10});
  const auto edges = co_await make_array<weighted_edge>(all.size());
  co_await put(edges, 0, std::span<const weighted_edge>(all));
  const auto made = co_await make_graph(edges, {.directed = true, .arc_weights = true});
  co_await edges.destroy();
  co_return made;
}

TEST_P(results, ranks_follow_arcs_as_often_as_they_weigh) {
  run([]() -> task<> {
    const auto plain = bfs_graphs::kronecker(7);
    const auto graph = co_await heavy_graph_of(plain);
    const auto found = co_await pagerank(graph, {.tolerance = 0, .max_iterations = 10});
    EXPECT_EQ(found.iterations, 10u);
    const auto arcs = arcs_of(plain, graph.vertices(), true, true);
    co_await expect_ranks(found, plain_ranks(arcs, 10));
    co_await verify(graph, found);
  });
}

TEST_P(results, ranks_by_weights_hold_where_a_file_lists_edges_in_both_directions) {
  run([]() -> task<> {
    // The vertices 0 and 1 are joined by edges in both directions with different weights. The edge
    // 1 - 2 occurs twice in one direction, and the edge 0 - 2 is given as (2, 0).
    const std::vector<weighted_edge> all = {{0, 1, 4}, {1, 0, 1}, {1, 2, 2}, {1, 2, 3}, {2, 0, 6}};
    const auto edges = co_await make_array<weighted_edge>(all.size());
    co_await put(edges, 0, std::span<const weighted_edge>(all));
    const auto graph = co_await make_graph(edges, {.arc_weights = true});
    arcs_of_vertices arcs(3);
    arcs[0] = {{1, 4}, {2, 6}};
    arcs[1] = {{0, 1}, {2, 5}};
    arcs[2] = {{0, 6}, {1, 5}};
    const auto found = co_await pagerank(graph, {.tolerance = 0, .max_iterations = 20});
    co_await expect_ranks(found, plain_ranks(arcs, 20));
    co_await verify(graph, found);
    const auto negative = [&]() -> task<> {
      const auto light = co_await weighted_graph_of(bfs_graphs::grid(5, 5), {.arc_weights = true});
      co_await pagerank(light);
    };
    const auto text = co_await refusal_of(negative, errc::input);
    EXPECT_THAT(text, HasSubstr("none may weigh less than 0"));
  });
}

// ---- forests

/// Finds the forest by Kruskal's algorithm. Edges of equal weight are ordered as the page about
/// minimum spanning trees states.
std::vector<weighted_edge> plain_forest(const plain_graph& of, std::uint64_t vertices) {
  std::vector<weighted_edge> edges;
  for (const edge& e : of.edges)
    edges.push_back({std::min(e.from, e.to), std::max(e.from, e.to), weight_of(edges.size())});
  std::ranges::sort(edges, {}, [](const auto& e) { return std::tuple(e.weight, e.from, e.to); });
  std::vector<vertex_id> above(vertices);
  std::iota(above.begin(), above.end(), vertex_id{0});
  const auto top = [&](vertex_id v) {
    while (above[v] != v) v = above[v];
    return v;
  };
  std::vector<weighted_edge> forest;
  for (const auto& e : edges) {
    if (top(e.from) == top(e.to)) continue;
    above[top(e.from)] = top(e.to);
    forest.push_back(e);
  }
  std::ranges::sort(forest, {}, [](const auto& e) { return std::pair(e.from, e.to); });
  return forest;
}

TEST_P(results, forests_are_those_of_kruskal) {
  run([]() -> task<> {
    for (const auto& plain : {bfs_graphs::kronecker(8), bfs_graphs::two_components(),
                              bfs_graphs::loops_and_duplicates()}) {
      const auto graph = co_await weighted_graph_of(plain);
      EXPECT_TRUE(graph.has_weights());
      const auto expected = plain_forest(plain, graph.vertices());
      const auto found = co_await minimum_spanning_forest(graph);
      const auto edges = co_await found.gather();
      EXPECT_EQ(edges.size(), expected.size());
      std::int64_t weight = 0;
      for (std::size_t i = 0; i < std::min(edges.size(), expected.size()); ++i) {
        const std::vector mine{edges[i].from, edges[i].to}, right{expected[i].from, expected[i].to};
        EXPECT_EQ(mine, right) << i;
        EXPECT_EQ(edges[i].weight, expected[i].weight) << i;
        weight += expected[i].weight;
      }
      EXPECT_EQ(found.weight.value(), weight);
      EXPECT_EQ(found.trees, graph.vertices() - expected.size());
      co_await verify(graph, found);
      co_await found.destroy();
      co_await graph.destroy();
    }
  });
}

TEST(serial_spanning_forest, is_that_of_kruskal_in_the_order_of_ends) {
  for (const auto& plain : {bfs_graphs::kronecker(7), bfs_graphs::two_components(),
                            bfs_graphs::loops_and_duplicates(), plain_graph{}}) {
    std::vector<weighted_edge> edges;
    vertex_id vertices = 0;
    for (const edge& e : plain.edges) {
      edges.push_back({e.from, e.to, weight_of(edges.size())});
      vertices = std::max({vertices, e.from + 1, e.to + 1});
    }
    const auto ends_and_weight = [](const weighted_edge& e) {
      return std::tuple(e.from, e.to, e.weight);
    };
    const auto found = serial_spanning_forest(edges);
    const auto expected = plain_forest(plain, vertices);
    EXPECT_TRUE(std::ranges::equal(found, expected, {}, ends_and_weight, ends_and_weight));
  }
}

TEST(serial_spanning_forest, refuses_an_end_that_is_no_vertex) {
  const auto forest = [] { serial_spanning_forest({{0, 1, 1}, {no_vertex, 3, 1}}); };
  EXPECT_EQ(test::refusal_of(forest),
            "the edge 18446744073709551615 - 3 has an end above 281474976710655");
}

TEST_P(results, forests_of_other_sums_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await weighted_graph_of(bfs_graphs::grid(8, 8));
    const auto found = co_await minimum_spanning_forest(graph);
    auto heavier = found;
    heavier.weight = total_weight(1, 0);
    co_await expect_wrong(graph, heavier, "18446744073709551616");
    auto more = found;
    ++more.trees;
    co_await expect_wrong(graph, more, "1 trees, and not 2");
  });
}

TEST(total_weight, holds_what_64_bits_do_not) {
  const total_weight large(1, 5), small(-1, ~std::uint64_t{0} - 1);
  EXPECT_EQ(large.text(), "18446744073709551621");
  EXPECT_THROW(static_cast<void>(large.value()), error);
  EXPECT_EQ(small.text(), "-2");
  EXPECT_EQ(small.value(), -2);
  EXPECT_LT(small, large);
  EXPECT_DOUBLE_EQ(small.approximate(), -2);
}

// ---- graphs

/// Returns the neighbours of all vertices, as the owners of the vertices list them.
task<std::vector<std::vector<vertex_id>>> neighbours_of_all(global_graph graph) {
  const auto list = [graph]() -> task<std::vector<std::vector<vertex_id>>> {
    std::vector<edge> arcs;
    for (vertex_id v = graph.first_vertex(); v < graph.first_vertex() + graph.local_vertices();
         ++v) {
      const std::size_t before = arcs.size();
      graph.for_each_neighbour(v, [&](vertex_id to) { arcs.push_back({v, to}); });
      EXPECT_EQ(arcs.size() - before, graph.degree(v));
      EXPECT_EQ(graph.owner_of(v), my_pe());
    }
    std::vector<std::vector<vertex_id>> all(graph.vertices());
    for (const auto& of_pe : co_await all_gather(std::span<const edge>(arcs)))
      for (const edge& arc : of_pe) all[arc.from].push_back(arc.to);
    for (auto& each : all) std::ranges::sort(each);
    co_return all;
  };
  return from_all_pes(list);
}

/// Returns the neighbours of all vertices, computed sequentially.
std::vector<std::vector<vertex_id>> plain_neighbours(const plain_graph& of, std::uint64_t vertices,
                                                     bool directed) {
  std::vector<std::vector<vertex_id>> all;
  for (const auto& arcs : arcs_of(of, vertices, directed, false)) {
    auto& mine = all.emplace_back();
    for (const auto& [to, weight] : arcs) mine.push_back(to);
  }
  return all;
}

TEST_P(results, graphs_have_the_neighbours_that_edges_give_however_they_are_made) {
  static const auto plain = bfs_graphs::kronecker(7);
  run([]() -> task<> {
    for (const bool directed : {false, true}) {
      const graph_options options{.directed = directed, .keep_edges = directed};
      const auto by_array = co_await graph_of(plain, options);
      const auto expected = plain_neighbours(plain, by_array.vertices(), directed);
      EXPECT_EQ(co_await neighbours_of_all(by_array), expected);
      EXPECT_EQ(by_array.edges(), plain.edges.size());
      EXPECT_EQ(by_array.is_directed(), directed);
      const auto edge_at = [of = &plain](std::uint64_t i) { return of->edges[i]; };
      const auto by_function = co_await make_graph(plain.edges.size(), edge_at, options);
      EXPECT_EQ(co_await neighbours_of_all(by_function), expected);
      const auto weighted_at = [of = &plain](std::uint64_t i) {
        return weighted_edge{of->edges[i].from, of->edges[i].to, weight_of(i)};
      };
      const auto weighted = co_await make_graph(plain.edges.size(), weighted_at, options);
      EXPECT_TRUE(weighted.has_weights());
      EXPECT_EQ(co_await neighbours_of_all(weighted), expected);
      const auto make = [of = &plain, options]() -> task<global_graph> {
        const bfs_graphs::dealt_edges dealt{&of->edges};
        std::vector<edge> mine;
        for (std::uint64_t i = 0; i < dealt.size(); ++i) mine.push_back(dealt(i));
        co_return co_await all_make_graph(std::span<const edge>(mine), options);
      };
      const auto by_parts = co_await from_all_pes(make);
      EXPECT_EQ(co_await neighbours_of_all(by_parts), expected);
    }
  });
}

TEST_P(results, any_numbers_become_vertices_in_their_order) {
  run([]() -> task<> {
    const std::uint64_t huge = ~std::uint64_t{0};
    const plain_graph plain{"any", 0, {{huge, 7}, {7, 1'000'000'000'000}, {huge - 1, huge}}};
    const auto graph = co_await graph_of(plain, {.ids = ids::any});
    EXPECT_EQ(graph.vertices(), 4u);
    EXPECT_EQ(co_await graph.name_of(1), "1000000000000");
    EXPECT_EQ(co_await graph.find(std::to_string(huge)), std::optional<vertex_id>(3));
    EXPECT_EQ(co_await graph.find("8"), std::optional<vertex_id>());
    EXPECT_EQ(co_await graph.vertex_called(std::to_string(huge)), 3U);
    const auto tree = co_await bfs(graph, 0);
    const auto distances = co_await tree.distance.gather();
    EXPECT_THAT(distances, testing::ElementsAre(0, 1, 2, 1));
    const auto too_large = [plain]() -> task<> { co_await graph_of(plain); };
    const std::string text = co_await refusal_of(too_large, errc::input);
    EXPECT_THAT(text, HasSubstr("ids::any takes any"));
  });
}

TEST_P(results, files_are_read_and_results_written) {
  static const scratch_folder folder;
  const auto from = folder.file("roads.tsv", "from\tto\tkm\nA\tB\t3\nB\tC\t4\nA\tC\t9\nD\tE\t2\n");
  run([&]() -> task<> {
    std::string heard;
    const auto hear = [&heard](std::string_view what, double) { heard += what; };
    const auto graph = co_await read_graph(from, {.skip_lines = 1, .progress = hear});
    EXPECT_THAT(heard, HasSubstr("building"));
    EXPECT_EQ(graph.vertices(), 5u);
    EXPECT_TRUE(graph.has_weights());
    const auto a = co_await graph.find("A");
    const auto tree = co_await bfs(graph, a.value_or(no_vertex));
    EXPECT_EQ(tree.reached, 3u);
    const auto parts = co_await connected_components(graph);
    EXPECT_EQ(parts.count, 2u);
    const auto forest = co_await minimum_spanning_forest(graph);
    EXPECT_EQ(forest.weight.text(), "9");
    co_await tree.write(folder.path("tree.csv"));
    co_await parts.write(folder.path("labels.tsv"));
    co_await forest.write(folder.path("forest.csv"));
    co_await forest.write(folder.path("forest.tsv.gz"));
    const auto as_numbers = [&forest] { return forest.write(folder.path("forest.wel")); };
    EXPECT_THAT(co_await refusal_of(as_numbers, errc::input), HasSubstr("vertices have names"));
    const std::string labels = content_of(folder.path("labels.tsv"));
    EXPECT_THAT(labels, HasSubstr("label"));
    const auto lines = std::ranges::count(labels, '\n');
    EXPECT_EQ(lines, 6);
    EXPECT_EQ(std::ranges::count(content_of(folder.path("tree.csv")), '\n'), 4);
    EXPECT_THAT(content_of(folder.path("forest.csv")), testing::StartsWith("from,to,weight\n"));
    EXPECT_EQ(std::ranges::count(content_of(folder.path("forest.csv")), '\n'), 4);
    const auto again = co_await read_graph(folder.path("forest.tsv.gz"));
    EXPECT_EQ(again.edges(), 3u);
    EXPECT_EQ((co_await minimum_spanning_forest(again)).weight.text(), "9");
    EXPECT_TRUE((co_await again.find("E")).has_value());
    const auto nowhere = [&tree] { return tree.write("/no/such/folder/tree.csv"); };
    const std::string refused = co_await refusal_of(nowhere, errc::input);
    EXPECT_THAT(refused, HasSubstr("/no/such/folder"));
  });
}

TEST_P(results, vertices_without_a_name_are_found_by_their_number) {
  static const scratch_folder folder;
  static const std::string names = folder.file("names.txt", "zero\n7\n");
  static const std::string edges = folder.file("few.el", "0 1\n1 2\n2 3\n");
  run([]() -> task<> {
    const auto graph = co_await read_graph(edges, {.names = names});
    EXPECT_EQ(graph.vertices(), 4u);
    EXPECT_EQ(co_await graph.find("zero"), std::optional<vertex_id>(0));
    EXPECT_EQ(co_await graph.find("7"), std::optional<vertex_id>(1));
    EXPECT_EQ(co_await graph.find("1"), std::nullopt);
    EXPECT_EQ(co_await graph.find("3"), std::optional<vertex_id>(3));
    EXPECT_EQ(co_await graph.name_of(3), "3");
    EXPECT_EQ(co_await graph.find("4"), std::nullopt);
  });
}

TEST_P(results, errors_say_which_vertex_file_or_option) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::grid(3, 3), {.keep_edges = false});
    const auto text_of = [](auto work) { return refusal_of(work, errc::input); };
    const auto search = [graph]() -> task<> { co_await bfs(graph, 9); };
    EXPECT_THAT(co_await text_of(search), HasSubstr("no vertex 9: the graph has 9 (0 to 8)"));
    const auto span = [graph]() -> task<> { co_await minimum_spanning_forest(graph); };
    EXPECT_THAT(co_await text_of(span), HasSubstr("keep_edges"));
    const auto rank = [graph]() -> task<> { co_await pagerank(graph, {.damping = 1.5}); };
    EXPECT_THAT(co_await text_of(rank), HasSubstr("damping: 1.5"));
    const auto weigh = []() -> task<> {
      co_await graph_of(bfs_graphs::grid(3, 3), {.arc_weights = true});
    };
    EXPECT_THAT(co_await text_of(weigh), HasSubstr("arc_weights"));
    const auto load = []() -> task<> { co_await read_graph("/no/such/graph.el"); };
    EXPECT_THAT(co_await text_of(load), HasSubstr("/no/such/graph.el"));
    const auto look = [graph]() -> task<> {
      graph.for_each_weighted_neighbour(graph.first_vertex(), [](vertex_id, double) {});
      co_return;
    };
    EXPECT_THAT(co_await text_of(look), HasSubstr("arc_weights"));
  });
}

TEST_P(results, of_another_graph_or_destroyed_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::grid(10, 10));
    const auto other = co_await graph_of(bfs_graphs::path(30));
    const auto text_of = [](auto work) { return refusal_of(work, errc::input); };
    const auto tree = co_await bfs(other, 0);
    const auto parts = co_await connected_components(other);
    const auto ranks = co_await pagerank(other, {});
    const auto of_tree = [=] { return verify(graph, tree); };
    EXPECT_THAT(co_await text_of(of_tree), HasSubstr("of 30 vertices, and the graph has 100"));
    const auto of_parts = [=] { return verify(graph, parts); };
    EXPECT_THAT(co_await text_of(of_parts), HasSubstr("of 30 vertices"));
    const auto of_ranks = [=] { return verify(graph, ranks); };
    EXPECT_THAT(co_await text_of(of_ranks), HasSubstr("of 30 vertices"));
    const auto of_none = [=] { return verify(graph, search_tree()); };
    EXPECT_THAT(co_await text_of(of_none), HasSubstr("of 0 vertices"));
    const auto far = [=]() -> task<> { co_await tree.path_to(30); };
    EXPECT_THAT(co_await text_of(far), HasSubstr("no vertex 30"));
    co_await parts.destroy();
    const auto gone = [=] { return verify(other, parts); };
    EXPECT_THAT(co_await text_of(gone), HasSubstr("destroyed"));
  });
}

TEST_P(results, values_that_stand_for_nothing_are_errors_that_can_be_caught) {
  static const scratch_folder folder;
  run([&]() -> task<> {
    const auto graph = co_await weighted_graph_of(bfs_graphs::grid(4, 4));
    const auto parts = co_await connected_components(graph);
    co_await set<vertex_id>(parts.label, 15, std::uint64_t{1} << 60);
    const auto largest = [=]() -> task<> { co_await parts.largest(3); };
    const auto wrong = co_await refusal_of(largest, errc::wrong_result);
    EXPECT_THAT(wrong, HasSubstr("the label of vertex 15 is 1152921504606846976"));
    co_await set<vertex_id>(parts.label, 15, ~std::uint64_t{1});
    const auto write = [&] { return parts.label.write(folder.path("labels.csv")); };
    const auto wide = co_await refusal_of(write, errc::input);
    EXPECT_THAT(wide, HasSubstr("vertex 15 has 18446744073709551614"));
    const auto forest = co_await minimum_spanning_forest(graph);
    const auto write_array = [&] { return forest.write(folder.path("forest.npy")); };
    const auto refused = co_await refusal_of(write_array, errc::input);
    EXPECT_THAT(refused, HasSubstr("forest.npy"));
  });
}

TEST_P(results, vertices_that_memory_cannot_hold_are_refused_before_it_is_taken) {
  run([]() -> task<> {
    const auto large = []() -> task<> {
      const auto edge_at = [](std::uint64_t) { return edge{0, std::uint64_t{1} << 45}; };
      co_await make_graph(1, edge_at);
    };
    const auto text = co_await refusal_of(large, errc::out_of_memory);
    EXPECT_THAT(text, HasSubstr("35184372088833 vertices"));
  });
}

// ---- every PE calls

TEST_P(results, arguments_that_differ_between_pes_are_refused_on_all) {
  if (size() == 1) return;
  run_spmd([]() -> task<> {
    const auto text_of = [](auto work) { return refusal_of(work, errc::input); };
    const std::vector<edge> mine = {{0, 1}, {1, 2}};
    const auto make = [&]() -> task<> {
      co_await all_make_graph(std::span<const edge>(mine), {.directed = my_pe() == 0});
    };
    EXPECT_THAT(co_await text_of(make), HasSubstr("options"));
    const auto graph = co_await all_make_graph(std::span<const edge>(mine), {});
    const auto search = [&]() -> task<> { co_await all_bfs(graph, my_pe() == 0 ? 0 : 1); };
    EXPECT_THAT(co_await text_of(search), HasSubstr("root: PE 1"));
    std::vector<named_edge> names;
    if (my_pe() == 0) names.push_back({"a\nb", "c"});
    const auto name = [&]() -> task<> {
      co_await all_make_graph(std::span<const named_edge>(names), {});
    };
    EXPECT_THAT(co_await text_of(name), HasSubstr("line break"));
  });
}

TEST_P(results, names_become_vertices_the_same_for_all_numbers_of_pes) {
  run_spmd([]() -> task<> {
    std::vector<named_edge> mine;
    const std::string ring = "abcdefghijk";
    for (std::size_t i = 0; i < ring.size(); ++i)
      if (static_cast<int>(i) % pes() == my_pe())
        mine.push_back({ring.substr(i, 1), ring.substr((i + 1) % ring.size(), 1)});
    const auto graph = co_await all_make_graph(std::span<const named_edge>(mine), {});
    EXPECT_EQ(graph.vertices(), ring.size());
    EXPECT_EQ(co_await graph.find("z"), std::optional<vertex_id>());
    const auto nobody = [graph]() -> task<> { co_await graph.vertex_called("z"); };
    EXPECT_THAT(co_await refusal_of(nobody, errc::input), HasSubstr("no vertex is called 'z'"));
    const auto tree = co_await all_bfs(graph, co_await graph.vertex_called("a"));
    EXPECT_EQ(tree.reached, ring.size());
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const auto vertex = co_await graph.find(ring.substr(i, 1));
      const auto distance = co_await read(tree.distance[vertex.value_or(no_vertex)]);
      EXPECT_EQ(distance, std::min(i, ring.size() - i));
      EXPECT_EQ(co_await graph.name_of(*vertex), ring.substr(i, 1));
    }
  });
}

TEST_P(results, all_pes_get_the_same_by_the_collective_forms) {
  run_spmd([]() -> task<> {
    std::vector<edge> mine;
    for (vertex_id v = 0; v < 30; ++v)
      if (v % static_cast<std::uint64_t>(pes()) == static_cast<std::uint64_t>(my_pe()))
        mine.push_back({v, v + 1});
    const auto graph = co_await all_make_graph(std::span<const edge>(mine), {});
    EXPECT_EQ(graph.vertices(), 31u);
    const auto tree = co_await all_bfs(graph, 30);
    EXPECT_EQ(tree.levels, 31u);
    const auto parts = co_await all_connected_components(graph);
    EXPECT_EQ(parts.count, 1u);
    const auto ranks = co_await all_pagerank(graph, {});
    EXPECT_GT(ranks.iterations, 0u);
    std::uint64_t heard = 0;
    try {
      co_await all_bfs(graph, 31);
    } catch (const error& refused) {
      EXPECT_THAT(refused.what(), HasSubstr("no vertex 31"));
      ++heard;
    }
    EXPECT_EQ(heard, 1u);
    try {
      co_await all_minimum_spanning_forest(graph);
    } catch (const error& refused) {
      EXPECT_THAT(refused.what(), HasSubstr("have no weights"));
      ++heard;
    }
    EXPECT_EQ(heard, 2u);
    const auto first = co_await read(tree.distance[0]);
    EXPECT_EQ(first, 30u);
  });
}

ATOLL_RUN_ON(results, 1, 2, 3, 5, 8);

}  // namespace
