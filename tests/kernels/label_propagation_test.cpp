// Compares labels with those of LDBC Graphalytics and of a sequential program, on any number of
// PEs. Wrong labels must be refused.

#include "atoll/kernels/label_propagation.hpp"

#include "kernels/dense_graphs.hpp"
#include "kernels/graphalytics.hpp"
#include "kernels/result_graphs.hpp"
#include "support/run_on.hpp"

#include <fmt/format.h>
#include <map>
#include <numeric>

namespace {

using namespace atl;
using namespace result_graphs;
using testing::HasSubstr;

class label_propagations : public test::on_pes {};

/// Returns the labels after some iterations, according to the definition.
std::vector<vertex_id> labels_by_definition(const plain_graph& of, bool directed,
                                            std::uint64_t iterations) {
  // For each pair of neighbours, the directions of their edges: 1 or 2 for one direction, 3 for
  // both. In a directed graph, a label counts twice if both directions exist.
  std::map<std::pair<vertex_id, vertex_id>, int> times;
  for (const edge& e : of.edges) {
    if (e.from == e.to) continue;
    if (!directed) times[{e.from, e.to}] = times[{e.to, e.from}] = 1;
    if (directed) times[{e.from, e.to}] |= 1, times[{e.to, e.from}] |= 2;
  }
  std::vector<vertex_id> labels(of.vertices);
  std::iota(labels.begin(), labels.end(), vertex_id{0});
  for (std::uint64_t i = 0; i < iterations; ++i) {
    std::vector<std::map<vertex_id, int>> counts(of.vertices);
    for (const auto& [ends, ways] : times)
      counts[ends.first][labels[ends.second]] += ways == 3 ? 2 : 1;
    for (vertex_id v = 0; v < of.vertices; ++v) {
      int most = 0;
      // Labels are visited in ascending order, so the smallest of the most frequent labels is kept.
      for (const auto& [label, count] : counts[v])
        if (count > most) most = count, labels[v] = label;
    }
  }
  return labels;
}

const std::vector<plain_graph>& label_shapes() {
  static const auto graphs = [] {
    std::vector<plain_graph> all{bfs_graphs::kronecker(8),
                                 bfs_graphs::two_components(),
                                 bfs_graphs::grid(20, 13),
                                 bfs_graphs::loops_and_duplicates(),
                                 bfs_graphs::star(300, 17),
                                 bfs_graphs::path(300),
                                 dense_graphs::equal_cliques(8, 7),
                                 dense_graphs::bipartite(5, 60),
                                 dense_graphs::of_random_edges(500, 300, 1),
                                 dense_graphs::of_random_edges(200, 1500, 2),
                                 dense_graphs::of_random_edges(100, 5000, 3)};
    all.push_back({"one vertex", 1, {{0, 0}}});
    all.push_back({"both directions", 4, {{1, 3}, {3, 1}, {2, 3}, {3, 2}, {0, 3}, {3, 0}, {0, 1}}});
    for (auto& of : all) of = dense_graphs::without_rest(of);
    return all;
  }();
  return graphs;
}

/// Propagates labels, and compares the result with the labels of the definition.
task<> compare_propagation(const plain_graph& plain, graph_options options,
                           std::uint64_t iterations) {
  const auto question =
      fmt::format("{} {} {}", bfs_graphs::title_of(plain), options.directed, iterations);
  const auto expected = bfs_graphs::computed_once(
      question, [&] { return labels_by_definition(plain, options.directed, iterations); });
  const auto graph = co_await graph_of(plain, options);
  const auto found = co_await label_propagation(graph, {.iterations = iterations});
  EXPECT_EQ(co_await found.label.gather(), expected) << question;
  EXPECT_TRUE(found.iterations == iterations || found.changed == 0) << question;
  co_await verify(graph, found);
  co_await found.destroy();
  co_await graph.destroy();
}

TEST_P(label_propagations, have_the_labels_of_the_definition) {
  label_shapes();
  run([]() -> task<> {
    for (const auto& plain : label_shapes())
      for (const std::uint64_t iterations : {1, 2, 9})
        co_await compare_propagation(plain, {}, iterations);
  });
}

TEST_P(label_propagations, count_arcs_in_both_directions_twice) {
  label_shapes();
  run([]() -> task<> {
    for (const auto& plain : label_shapes())
      for (const std::uint64_t iterations : {1, 3}) {
        co_await compare_propagation(plain, {.directed = true}, iterations);
        co_await compare_propagation(plain, {.directed = true, .reversed = true}, iterations);
      }
  });
}

TEST_P(label_propagations, are_the_same_with_ids_of_64_bits) {
  run([]() -> task<> {
    co_await compare_propagation(bfs_graphs::kronecker(7), {.wide_ids = true}, 4);
    co_await compare_propagation(bfs_graphs::kronecker(7), {.directed = true, .wide_ids = true}, 4);
  });
}

TEST_P(label_propagations, of_many_random_graphs_have_the_labels_of_the_definition) {
  run([]() -> task<> {
    for (std::uint64_t seed = 10; seed < 30; ++seed) {
      const auto plain = dense_graphs::of_random_edges(40, 20 + 8 * (seed % 20), seed);
      co_await compare_propagation(plain, {.directed = seed % 2 == 0}, seed % 7);
    }
  });
}

// ---- the examples of LDBC Graphalytics, for 2 iterations; here, vertices are numbered from 0

task<> expect_labels(const plain_graph& plain, bool directed,
                     const std::vector<vertex_id>& expected) {
  const auto graph = co_await graph_of(plain, {.directed = directed});
  const auto found = co_await label_propagation(graph, {.iterations = 2});
  EXPECT_EQ(co_await found.label.gather(), expected);
  co_await found.destroy();
  co_await graph.destroy();
}

TEST_P(label_propagations, of_the_examples_of_graphalytics_have_their_labels) {
  static const std::vector<vertex_id> directed = {0, 1, 2, 3, 0, 0, 1, 2, 1, 0};
  static const std::vector<vertex_id> undirected = {0, 1, 2, 1, 1, 5, 4, 1, 4, 4};
  run([]() -> task<> {
    const auto one_way = graphalytics::directed_example();
    const auto both_ways = graphalytics::undirected_example();
    co_await expect_labels(one_way, true, directed);
    co_await expect_labels(both_ways, false, undirected);
  });
}

// ---- the interface

TEST_P(label_propagations, end_where_no_label_changes) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(dense_graphs::equal_cliques(5, 6));
    const auto found = co_await label_propagation(graph, {.iterations = 1000});
    EXPECT_LT(found.iterations, 20u);
    EXPECT_EQ(found.changed, 0u);
    EXPECT_EQ(found.with.iterations, 1000u);
    const auto sizes = co_await found.sizes(2);
    EXPECT_EQ(sizes.components, 5u);
    EXPECT_EQ(sizes.largest.size(), 2u);
    EXPECT_EQ(sizes.largest[0].vertices, 6u);
    co_await verify(graph, found);
    const auto none = co_await label_propagation(graph, {.iterations = 0});
    EXPECT_EQ((co_await none.sizes()).single_vertices, 30u);
    co_await verify(graph, none);
  });
}

TEST_P(label_propagations, of_a_graph_without_vertices_are_empty) {
  run([]() -> task<> {
    const auto graph = co_await make_graph(0, [](std::uint64_t) { return edge{}; });
    const auto found = co_await label_propagation(graph);
    EXPECT_EQ(found.label.size(), 0u);
    co_await verify(graph, found);
  });
}

TEST_P(label_propagations, are_computed_where_every_pe_calls) {
  run_spmd([]() -> task<> {
    std::vector<edge> mine;
    if (my_pe() == 0) mine = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {5, 5}};
    const auto graph = co_await all_make_graph(std::span<const edge>(mine), {});
    const auto found = co_await all_label_propagation(graph, {.iterations = 3});
    co_await all_verify(graph, found);
    co_await found.all_destroy();
    co_await graph.all_destroy();
  });
}

TEST_P(label_propagations, report_progress_up_to_the_end) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::kronecker(7));
    std::vector<double> heard;
    const auto listen = [&](std::string_view what, double done) {
      EXPECT_EQ(what, "propagating");
      heard.push_back(done);
    };
    co_await label_propagation(graph, {.progress = listen});
    EXPECT_TRUE(std::ranges::is_sorted(heard));
    EXPECT_EQ(heard.back(), 1);
  });
}

TEST_P(label_propagations, that_were_changed_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(dense_graphs::equal_cliques(3, 6));
    const auto found = co_await label_propagation(graph, {.iterations = 5});
    const vertex_id right = co_await read(found.label[9]);
    for (const vertex_id wrong : {vertex_id{0}, vertex_id{12}, vertex_id{1'000'000}, no_vertex}) {
      co_await set<vertex_id>(found.label, 9, wrong);
      co_await expect_wrong(graph, found,
                            fmt::format("vertex 9 has the label {}, and a serial program finds {}; "
                                        "1 of 18 labels are wrong",
                                        wrong, right));
    }
    co_await set<vertex_id>(found.label, 9, right);
    co_await verify(graph, found);
    auto of_fewer = found;
    of_fewer.with.iterations = 1;
    co_await expect_wrong(graph, of_fewer, "labels are wrong");
  });
}

TEST_P(label_propagations, are_refused_where_they_do_not_fit) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::grid(5, 5));
    const auto other = co_await graph_of(bfs_graphs::grid(5, 5), {.keep_edges = false});
    const auto divided = co_await graph_of(bfs_graphs::grid(5, 5), {.divide_hubs = true});
    const auto found = co_await label_propagation(graph);
    const auto of_other = co_await label_propagation(other);
    const auto refuses = [](auto call, std::string words) -> task<> {
      const auto text = co_await refusal_of(call, errc::input);
      EXPECT_THAT(text, HasSubstr(words));
      EXPECT_THAT(text, HasSubstr("label_propagation_test.cpp:"));
    };
    co_await refuses([=]() -> task<> { co_await label_propagation(divided); }, "divide_hubs");
    co_await refuses([=]() -> task<> { co_await verify(graph, of_other); }, "another graph");
    co_await refuses([=]() -> task<> { co_await verify(other, of_other); }, "verify");
    co_await found.destroy();
    co_await refuses([=]() -> task<> { co_await verify(graph, found); }, "destroyed before");
    co_await refuses([=]() -> task<> { co_await found.sizes(); }, "destroyed before");
    co_await refuses([=]() -> task<> { co_await found.write("/tmp/never.csv"); },
                     "destroyed before");
    co_await refuses([=]() -> task<> { co_await found.destroy(); }, "destroyed before");
    co_await graph.destroy();
    co_await refuses([=]() -> task<> { co_await label_propagation(graph); }, "destroyed before");
  });
}

ATOLL_RUN_ON(label_propagations, 1, 2, 3, 5, 8);

}  // namespace
