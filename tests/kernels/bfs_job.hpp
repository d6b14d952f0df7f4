#pragma once
// Functions for tests of breadth-first search. The main task builds a graph and searches it on all
// PEs.

#include "atoll/kernels/bfs/run.hpp"
#include "atoll/kernels/bfs/tree.hpp"
#include "kernels/graph_job.hpp"

#include <gmock/gmock.h>

namespace bfs_job {

using namespace atl;
namespace bfs = kernels::bfs;

template <class Id>
struct built {
  distributed_graph<Id> graph;
  bfs::workspace<Id> on;

  task<> destroy() const {
    co_await on.destroy();
    co_await graph.destroy();
  }
};

/// Builds a distributed graph. The object `of` must be in memory that all PEs share.
template <class Id>
task<built<Id>> build(const bfs_graphs::graph& of, orientation arcs_are) {
  built<Id> made;
  made.graph = co_await graph_job::build_graph<Id>(of, arcs_are);
  made.on = co_await bfs::workspace<Id>::make(made.graph);
  co_return made;
}

/// Searches from `root` and verifies the tree.
template <class Id, class Frontier = bfs::found_is_frontier>
task<bfs::search_outcome> search(bfs::workspace<Id> on, std::uint64_t root,
                                 Frontier frontier = {}) {
  const auto run = [on, root, frontier] { return bfs::all_run(on, root, true, frontier); };
  co_return co_await from_all_pes(run);
}

/// Returns the levels of all vertices in the last search.
template <class Id>
task<std::vector<std::uint32_t>> levels(bfs::workspace<Id> on) {
  const auto gather = [on]() -> task<std::vector<std::uint32_t>> {
    const graph_part<Id>& part = on.graph.local();
    const auto mine = bfs::local_levels(part, on.parts.local());
    co_return co_await graph::all_gather_window(part, mine, 0, part.shape.vertices);
  };
  co_return co_await from_all_pes(gather);
}

/// The parameters of one search, as text for error messages.
struct trial {
  const bfs_graphs::graph& graph;
  orientation arcs_are;
  std::uint64_t root;

  std::string title() const {
    constexpr const char* names[] = {"undirected", "out", "in"};
    return fmt::format("{}, {}, from {}", graph.name, names[static_cast<int>(arcs_are)], root);
  }
};

inline std::vector<std::uint64_t> some_roots(const bfs_graphs::graph& graph) {
  return {graph.vertices - 1, graph.vertices / 2, 0};
}

/// Compares the result of a search with that of a plain sequential search.
template <class Id, class Frontier = bfs::found_is_frontier>
task<> compare(bfs::workspace<Id> on, trial of, Frontier frontier = {}) {
  const bfs_graphs::answer& expected = bfs_graphs::search(of.graph, of.arcs_are, of.root);
  const auto found = co_await search(on, of.root, frontier);
  EXPECT_EQ(found.reached_vertices, expected.reached) << of.title();
  EXPECT_EQ(found.levels, expected.depth) << of.title();
  EXPECT_EQ(found.traversed_edges, expected.edges) << of.title();
  EXPECT_EQ(found.found.total(), 0u) << of.title();
  const auto levels = co_await bfs_job::levels(on);
  EXPECT_EQ(levels, expected.levels) << of.title();
}

template <class Id>
task<> compare_from_several_roots(const bfs_graphs::graph& graph, orientation arcs_are) {
  const auto made = co_await build<Id>(graph, arcs_are);
  for (const std::uint64_t root : some_roots(graph)) {
    co_await compare(made.on, trial{graph, arcs_are, root});
  }
  co_await made.destroy();
}

/// Returns the largest number of arcs on a PE, divided by the average number per PE.
template <class Id>
task<double> balance(distributed_graph<Id> graph) {
  const auto gather = [graph]() -> task<std::vector<std::uint64_t>> {
    co_return co_await all_gather(graph->arcs());
  };
  const auto arcs = co_await from_all_pes(gather);
  double sum = 0;
  for (const auto of_pe : arcs) sum += static_cast<double>(of_pe);
  co_return static_cast<double>(std::ranges::max(arcs)) * static_cast<double>(arcs.size()) / sum;
}

}  // namespace bfs_job
