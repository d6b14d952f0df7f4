#pragma once
// A search job as tests drive it: the main task builds a graph and searches it on all PEs.

#include "atoll/kernels/bfs_run.hpp"
#include "atoll/kernels/bfs_tree.hpp"
#include "kernels/bfs_graphs.hpp"
#include "support/run_on.hpp"

namespace bfs_job {

using namespace atl;
namespace bfs = kernels::bfs;

/// Awaits `body()`, a coroutine, on every PE and returns what PE 0 got. The main task calls it.
template <class Body>
auto from_all_pes(Body body) -> task<tasks::result_of<const Body&>> {
  std::optional<tasks::result_of<const Body&>> result;
  const auto on_each = [body, to = &result]() -> task<> {
    auto value = co_await body();
    if (my_pe() == 0) to->emplace(std::move(value));
  };
  co_await on_all_pes(on_each);
  co_return std::move(*result);
}

template <class Id>
struct built {
  distributed_graph<Id> graph;
  bfs::workspace<Id> on;

  task<> destroy() const {
    co_await on.destroy();
    co_await graph.destroy();
  }
};

/// The graph must be one that all PEs see.
template <class Id>
task<built<Id>> build(const bfs_graphs::graph& of, orientation arcs_are) {
  built<Id> made;
  made.graph = co_await distributed_graph<Id>::make();
  made.on = co_await bfs::workspace<Id>::make(made.graph);
  const auto arriving = co_await per_pe<graph::arrivals<Id>>::make();
  const auto on_each = [graph = made.graph, arriving, from = &of, arcs_are]() -> task<> {
    const bfs_graphs::dealt_edges edges{&from->edges};
    co_await all_build(graph, arriving, edges, from->vertices, from->edges.size(), arcs_are,
                       hub_rows::split);
  };
  co_await on_all_pes(on_each);
  co_await arriving.destroy();
  co_return made;
}

/// Searches and verifies.
template <class Id>
task<bfs::search_outcome> search(bfs::workspace<Id> on, std::uint64_t root) {
  const auto run = [on, root] { return bfs::all_run(on, root, true); };
  co_return co_await from_all_pes(run);
}

/// The levels of all vertices in the last tree.
template <class Id>
task<std::vector<std::uint32_t>> levels(bfs::workspace<Id> on) {
  const auto gather = [on] { return bfs::all_levels(on.graph.local(), on.parts.local()); };
  co_return co_await from_all_pes(gather);
}

/// The arcs of the largest PE over the average.
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
