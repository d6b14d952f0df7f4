// Tests that a program finds every arc of every vertex of a graph, at every number of PEs.

#include "atoll/graph/build.hpp"
#include "atoll/graph/make_graph.hpp"
#include "kernels/bfs_graphs.hpp"
#include "support/run_on.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <set>

using namespace atl;

namespace {

using rows = std::vector<std::set<std::uint64_t>>;

class neighbours : public test::on_pes {};

/// Returns the neighbours of each vertex, computed by a loop over all edges.
rows serial_rows(const bfs_graphs::graph& of, orientation arcs_are) {
  rows found(of.vertices);
  for (const edge e : of.edges) {
    graph::for_each_arc(e, arcs_are, [&](graph::arc a) {
      if (a.source != a.target) found[a.source].insert(a.target);
    });
  }
  return found;
}

template <class Id>
void expect_rows(const graph_part<Id>& part, const rows& wanted) {
  rows visited(wanted.size());
  part.for_each_arc(
      [&](std::uint64_t from, std::uint64_t to) { EXPECT_TRUE(visited[from].insert(to).second); });
  for (std::uint64_t v = 0; v < wanted.size(); ++v) {
    if (part.shape.owner(v) != my_pe()) continue;
    EXPECT_EQ(visited[v], wanted[v]) << "of vertex " << v;
    const auto row = part.neighbours(v);
    EXPECT_TRUE(std::ranges::is_permutation(row, wanted[v])) << "of vertex " << v;
  }
}

TEST_P(neighbours, are_complete_whatever_the_partition) {
  const std::vector<bfs_graphs::graph> graphs = {bfs_graphs::kronecker(9),
                                                 bfs_graphs::star(500, 123), bfs_graphs::comet(),
                                                 bfs_graphs::loops_and_duplicates()};
  run([&]() -> task<> {
    for (const auto& of : graphs) {
      for (const auto arcs_are : {orientation::undirected, orientation::out, orientation::in}) {
        const auto edges = [from = &of.edges] { return bfs_graphs::dealt_edges{from}; };
        const graph_size size{of.vertices, of.edges.size()};
        const auto built = co_await make_graph<std::uint32_t>(size, arcs_are, edges);
        const auto check = [built, from = &of, arcs_are] {
          expect_rows(built.local(), serial_rows(*from, arcs_are));
        };
        co_await on_all_pes(check);
        co_await built.destroy();
      }
    }
  });
}

TEST_P(neighbours, stand_alike_however_many_vertices_are_known_at_a_time) {
  const bfs_graphs::graph of = bfs_graphs::kronecker(9);
  run([&]() -> task<> {
    const auto edges = [from = &of.edges] { return bfs_graphs::dealt_edges{from}; };
    const graph_size size{of.vertices, of.edges.size()};
    const auto usual =
        co_await make_graph<std::uint32_t>(size, orientation::undirected, edges, hub_rows::split);
    const auto other = co_await make_graph<std::uint32_t>(size, orientation::undirected, edges,
                                                          hub_rows::split, row_order::by_target);
    const auto order = [usual, other]() -> task<> {
      constexpr std::uint64_t few = 37;
      co_await graph::all_order_by_degree(other.local(), few);
      EXPECT_EQ(other->targets, usual->targets);
      EXPECT_EQ(other->first_targets, usual->first_targets);
    };
    co_await on_all_pes(order);
    co_await other.destroy();
    co_await usual.destroy();
  });
}

TEST_P(neighbours, of_many_arcs_come_first) {
  const bfs_graphs::graph of = bfs_graphs::kronecker(9);
  const rows all = serial_rows(of, orientation::undirected);
  run([&]() -> task<> {
    const auto edges = [from = &of.edges] { return bfs_graphs::dealt_edges{from}; };
    const graph_size size{of.vertices, of.edges.size()};
    const auto built =
        co_await make_graph<std::uint32_t>(size, orientation::undirected, edges, hub_rows::split);
    const auto check = [built, of_vertex = &all] {
      const auto& part = built.local();
      const auto digits = [&](std::uint64_t v) {
        return part.shape.hub_number(v) ? 64 : std::bit_width((*of_vertex)[v].size());
      };
      for (std::uint64_t r = 0; r < part.rows(); ++r)
        EXPECT_TRUE(std::ranges::is_sorted(part.row(r), std::greater<>(), digits)) << "row " << r;
    };
    co_await on_all_pes(check);
    co_await built.destroy();
  });
}

TEST_P(neighbours, of_a_vertex_are_counted_over_all_pes) {
  run_spmd([]() -> task<> {
    const auto all = static_cast<std::uint64_t>(pes());
    const auto me = static_cast<std::uint64_t>(my_pe());
    // Vertex 7 has ten arcs on each PE. Vertex 8 has the same total number of arcs, and all its
    // arcs are on PE 0. Vertex 9 has one arc less in total, because PE 0 has only nine arcs of
    // vertex 9.
    std::unordered_map<std::uint64_t, std::uint64_t> here{{7, 10}, {9, me == 0 ? 9 : 10}};
    if (me == 0) here[8] = 10 * all;
    const auto above = co_await graph::all_vertices_above(10 * all, here);
    EXPECT_EQ(above, (std::vector<std::uint64_t>{7, 8}));
  });
}

TEST_P(neighbours, of_a_split_hub_must_be_asked_for) {
  const bfs_graphs::graph star = bfs_graphs::star(500, 123);
  run([&]() -> task<> {
    const auto edges = [from = &star.edges] { return bfs_graphs::dealt_edges{from}; };
    const graph_size size{star.vertices, star.edges.size()};
    const auto built =
        co_await make_graph<std::uint32_t>(size, orientation::undirected, edges, hub_rows::split);
    const auto check = [built] {
      const auto& part = built.local();
      EXPECT_EQ(part.shape.hubs.size(), pes() == 1 ? 0U : 1U);
      if (pes() == 1) return;
      EXPECT_THROW(part.neighbours(123), error);
      EXPECT_THROW(part.for_each_arc([](auto, auto) {}), error);
    };
    co_await on_all_pes(check);
    co_await built.destroy();
  });
}

ATOLL_RUN_ON(neighbours, 1, 2, 3, 8);

}  // namespace
