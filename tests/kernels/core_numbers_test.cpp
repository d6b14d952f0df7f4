// Compares core numbers with those of a program that follows the definition, on any number of PEs.
// Wrong numbers must be refused.

#include "atoll/kernels/core_numbers.hpp"

#include "kernels/dense_graphs.hpp"
#include "kernels/result_graphs.hpp"
#include "support/run_on.hpp"

#include <fmt/format.h>
#include <set>

namespace {

using namespace atl;
using namespace result_graphs;
using testing::HasSubstr;

class core_decompositions : public test::on_pes {};

/// Returns core numbers by definition. For each k, vertices with fewer than k neighbours are
/// removed until none is left.
std::vector<std::uint32_t> cores_by_definition(const plain_graph& of) {
  std::vector<std::set<vertex_id>> neighbours(of.vertices);
  for (const edge& e : of.edges) {
    if (e.from == e.to) continue;
    neighbours[e.from].insert(e.to);
    neighbours[e.to].insert(e.from);
  }
  std::vector<std::uint32_t> cores(of.vertices);
  std::set<vertex_id> left;
  for (vertex_id v = 0; v < of.vertices; ++v) left.insert(v);
  for (std::uint32_t k = 1; !left.empty(); ++k) {
    for (bool changes = true; changes;) {
      changes = false;
      for (const vertex_id v : std::vector<vertex_id>(left.begin(), left.end())) {
        if (neighbours[v].size() >= k) continue;
        for (const vertex_id other : neighbours[v]) neighbours[other].erase(v);
        left.erase(v);
        changes = true;
      }
    }
    for (const vertex_id v : left) cores[v] = k;
  }
  return cores;
}

const std::vector<plain_graph>& core_shapes() {
  static const auto graphs = [] {
    std::vector<plain_graph> all{bfs_graphs::kronecker(8),
                                 bfs_graphs::two_components(),
                                 bfs_graphs::grid(20, 13),
                                 bfs_graphs::loops_and_duplicates(),
                                 bfs_graphs::star(300, 17),
                                 bfs_graphs::path(400),
                                 dense_graphs::growing_cliques(3, 12),
                                 dense_graphs::bipartite(5, 90),
                                 dense_graphs::of_random_edges(500, 300, 1),
                                 dense_graphs::of_random_edges(200, 2000, 2),
                                 dense_graphs::of_random_edges(150, 9000, 3)};
    // The kernel finds core numbers level by level, in windows of several levels. The core numbers
    // of this bipartite graph are beyond the first window of levels.
    all.push_back(dense_graphs::bipartite(80, 80));
    // In this graph, vertices lose neighbours before the kernel's window of levels reaches the
    // degrees of the vertices.
    all.push_back(dense_graphs::clique_with_leaves(81, 20));
    all.push_back(dense_graphs::clique_with_leaves(70, 70));
    all.push_back({"one vertex", 1, {{0, 0}}});
    for (auto& of : all) of = dense_graphs::without_rest(of);
    return all;
  }();
  return graphs;
}

/// Computes the core numbers of a graph, and compares them with the core numbers by definition.
task<> compare_cores(const plain_graph& plain, graph_options options) {
  const auto expected = bfs_graphs::computed_once(bfs_graphs::title_of(plain),
                                                  [&] { return cores_by_definition(plain); });
  const auto graph = co_await graph_of(plain, options);
  const auto found = co_await core_numbers(graph);
  EXPECT_EQ(co_await found.core.gather(), expected) << plain.name;
  const auto largest = *std::ranges::max_element(expected);
  EXPECT_EQ(found.largest, largest) << plain.name;
  EXPECT_EQ(found.largest_vertices,
            static_cast<std::uint64_t>(std::ranges::count(expected, largest)));
  EXPECT_EQ(found.levels, std::set(expected.begin(), expected.end()).size()) << plain.name;
  co_await verify(graph, found);
  co_await found.destroy();
  co_await graph.destroy();
}

TEST_P(core_decompositions, are_those_of_the_definition) {
  core_shapes();
  run([]() -> task<> {
    for (const auto& plain : core_shapes()) co_await compare_cores(plain, {});
  });
}

TEST_P(core_decompositions, count_arcs_both_ways_in_directed_graphs) {
  core_shapes();
  run([]() -> task<> {
    for (const auto& plain : core_shapes()) co_await compare_cores(plain, {.directed = true});
    co_await compare_cores(bfs_graphs::kronecker(7), {.directed = true, .reversed = true});
  });
}

TEST_P(core_decompositions, are_the_same_with_ids_of_64_bits) {
  run([]() -> task<> {
    co_await compare_cores(bfs_graphs::kronecker(7), {.wide_ids = true});
    co_await compare_cores(bfs_graphs::kronecker(7), {.directed = true, .wide_ids = true});
  });
}

TEST_P(core_decompositions, of_many_random_graphs_are_those_of_the_definition) {
  run([]() -> task<> {
    for (std::uint64_t seed = 10; seed < 30; ++seed) {
      auto plain = dense_graphs::of_random_edges(40, 20 + 5 * (seed % 20), seed);
      plain.edges.push_back({39, seed % 39});
      co_await compare_cores(plain, {.directed = seed % 2 == 0});
    }
  });
}

TEST_P(core_decompositions, of_a_graph_without_vertices_are_empty) {
  run([]() -> task<> {
    const auto graph = co_await make_graph(0, [](std::uint64_t) { return edge{}; });
    const auto found = co_await core_numbers(graph);
    EXPECT_EQ(found.core.size(), 0u);
    EXPECT_EQ(found.largest, 0u);
    EXPECT_EQ(found.levels, 0u);
    co_await verify(graph, found);
  });
}

TEST_P(core_decompositions, are_computed_where_every_pe_calls) {
  run_spmd([]() -> task<> {
    std::vector<edge> mine;
    if (my_pe() == 0) mine = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {5, 5}};
    const auto graph = co_await all_make_graph(std::span<const edge>(mine), {});
    const auto found = co_await all_core_numbers(graph);
    EXPECT_EQ(found.largest, 2u);
    EXPECT_EQ(found.largest_vertices, 3u);
    co_await all_verify(graph, found);
    co_await found.all_destroy();
    co_await graph.all_destroy();
  });
}

TEST_P(core_decompositions, report_progress_up_to_the_end) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::kronecker(7));
    std::vector<double> heard;
    const auto listen = [&](std::string_view what, double done) {
      EXPECT_EQ(what, "peeling");
      heard.push_back(done);
    };
    co_await core_numbers(graph, {.progress = listen});
    EXPECT_TRUE(std::ranges::is_sorted(heard));
    EXPECT_EQ(heard.back(), 1);
  });
}

TEST_P(core_decompositions, that_were_changed_are_refused) {
  run([]() -> task<> {
    const auto graph =
        // The cliques have 3, 4, 5 and 6 vertices.
        co_await graph_of(dense_graphs::growing_cliques(3, 6));
    const auto found = co_await core_numbers(graph);
    for (const std::uint32_t wrong : {1u, 3u, 0u, 1'000'000u}) {
      co_await set<std::uint32_t>(found.core, 1, wrong);
      co_await expect_wrong(graph, found,
                            fmt::format("vertex 1 has the core number {}, and a serial program "
                                        "finds 2; 1 of 18 core numbers are wrong",
                                        wrong));
    }
    co_await set<std::uint32_t>(found.core, 1, 2);
    auto boasting = found;
    ++boasting.largest;
    co_await expect_wrong(graph, boasting,
                          "the largest core number is 5, of 6 vertices, and not 6, of 6");
    boasting = found;
    --boasting.largest_vertices;
    co_await expect_wrong(graph, boasting, "of 6 vertices, and not 5, of 5 vertices");
    co_await verify(graph, found);
  });
}

TEST_P(core_decompositions, are_refused_where_they_do_not_fit) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::grid(5, 5));
    const auto other = co_await graph_of(bfs_graphs::grid(5, 5), {.keep_edges = false});
    const auto divided = co_await graph_of(bfs_graphs::grid(5, 5), {.divide_hubs = true});
    const auto found = co_await core_numbers(graph);
    const auto of_other = co_await core_numbers(other);
    const auto refuses = [](auto call, std::string words) -> task<> {
      const auto text = co_await refusal_of(call, errc::input);
      EXPECT_THAT(text, HasSubstr(words));
      EXPECT_THAT(text, HasSubstr("core_numbers_test.cpp:"));
    };
    co_await refuses([=]() -> task<> { co_await core_numbers(divided); }, "core_numbers");
    co_await refuses([=]() -> task<> { co_await verify(graph, of_other); }, "another graph");
    co_await refuses([=]() -> task<> { co_await verify(other, of_other); }, "verify");
    co_await found.destroy();
    co_await refuses([=]() -> task<> { co_await verify(graph, found); }, "destroyed before");
    co_await refuses([=]() -> task<> { co_await found.write("/tmp/never.csv"); },
                     "destroyed before");
    co_await refuses([=]() -> task<> { co_await found.destroy(); }, "destroyed before");
    co_await graph.destroy();
    co_await refuses([=]() -> task<> { co_await core_numbers(graph); }, "destroyed before");
  });
}

ATOLL_RUN_ON(core_decompositions, 1, 2, 3, 5, 8);

}  // namespace
