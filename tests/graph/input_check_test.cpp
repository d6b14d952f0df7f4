// Tests the check that compares a graph with the edges of its input. The check must report every
// difference, and must not report equal edges.

#include "atoll/graph/input_check.hpp"
#include "atoll/graph/make_graph.hpp"
#include "kernels/bfs_graphs.hpp"
#include "support/run_on.hpp"

using namespace atl;

namespace {

using edges_of_graph = std::vector<edge>;

/// Returns the part of the edges that the calling PE holds.
auto dealt(const edges_of_graph& all) {
  return [from = &all] { return bfs_graphs::dealt_edges{from}; };
}

class input_check : public test::on_pes {
 protected:
  /// Builds a graph from the edges `built`, and compares the graph with the edges `input`.
  input_differences between(const edges_of_graph& built, const edges_of_graph& input,
                            orientation arcs_are = orientation::undirected,
                            hub_rows hubs = hub_rows::split) const {
    input_differences found;
    run([&]() -> task<> {
      const graph_size size{k_vertices, input.size()};
      const auto graph = co_await make_graph<std::uint32_t>(size, arcs_are, dealt(built), hubs);
      found = co_await compare_with_input(graph, dealt(input));
      co_await graph.destroy();
    });
    return found;
  }

  static edges_of_graph kronecker() { return bfs_graphs::kronecker(9).edges; }

  static constexpr std::uint64_t k_vertices = 512;
};

TEST_P(input_check, finds_nothing_where_all_is_right) {
  const edges_of_graph with_loops = bfs_graphs::loops_and_duplicates().edges;
  for (const auto arcs_are : {orientation::undirected, orientation::out, orientation::in}) {
    for (const auto hubs : {hub_rows::whole, hub_rows::split}) {
      EXPECT_EQ(between(kronecker(), kronecker(), arcs_are, hubs).total(), 0u);
      EXPECT_EQ(between(with_loops, with_loops, arcs_are, hubs).total(), 0u);
    }
  }
}

TEST_P(input_check, refuses_a_graph_that_lost_every_50th_edge) {
  const edges_of_graph input = kronecker();
  edges_of_graph lossy;
  for (std::size_t i = 0; i < input.size(); ++i)
    if (i % 50 != 49) lossy.push_back(input[i]);
  for (const auto arcs_are : {orientation::undirected, orientation::out, orientation::in}) {
    const auto found = between(lossy, input, arcs_are);
    EXPECT_GT(found.degrees, 0u);
    EXPECT_GT(found.neighbours, 0u);
  }
}

TEST_P(input_check, sees_a_duplicate_that_is_gone) {
  const edges_of_graph input = {{1, 2}, {3, 4}, {1, 2}};
  const auto found = between({{1, 2}, {3, 4}}, input);
  EXPECT_EQ(found.degrees, 2u);
  EXPECT_EQ(found.neighbours, 0u);
}

TEST_P(input_check, sees_an_edge_that_leads_elsewhere) {
  const auto found = between({{1, 2}, {3, 4}, {5, 6}}, {{1, 2}, {3, 6}, {5, 4}});
  EXPECT_EQ(found.degrees, 0u);
  EXPECT_EQ(found.neighbours, 4u);
}

TEST_P(input_check, sees_an_edge_that_turns_round) {
  const auto found = between({{1, 2}, {3, 4}}, {{1, 2}, {4, 3}}, orientation::out);
  EXPECT_EQ(found.degrees, 2u);
  EXPECT_EQ(found.neighbours, 2u);
}

TEST_P(input_check, counts_edges_that_the_graph_does_not_know_of) {
  const edges_of_graph input = kronecker();
  run([&]() -> task<> {
    const graph_size too_few{k_vertices, input.size() - 3};
    const auto graph =
        co_await make_graph<std::uint32_t>(too_few, orientation::undirected, dealt(input));
    EXPECT_EQ((co_await compare_with_input(graph, dealt(input))).edges, 3u);
    co_await graph.destroy();
  });
}

ATOLL_RUN_ON(input_check, 1, 2, 3, 8);

}  // namespace
