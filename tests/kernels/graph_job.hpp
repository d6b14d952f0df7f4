#pragma once
// Functions that build small graphs in jobs of tests.

#include "atoll/graph/make_graph.hpp"
#include "kernels/bfs_graphs.hpp"
#include "support/run_on.hpp"

namespace graph_job {

using namespace atl;

/// The edges of a graph, in memory that all PEs share. Each PE has every k-th edge, where k is the
/// number of PEs.
class edges_of {
 public:
  explicit edges_of(const bfs_graphs::graph& of) : edges_(&of.edges) {}
  bfs_graphs::dealt_edges operator()() const { return {edges_}; }

 private:
  const std::vector<edge>* edges_;
};

/// Builds a distributed graph. The main task calls this function.
template <class Id>
task<distributed_graph<Id>> build_graph(const bfs_graphs::graph& of, orientation arcs_are,
                                        hub_rows hubs = hub_rows::split) {
  const graph_size size{of.vertices, of.edges.size()};
  co_return co_await make_graph<Id>(size, arcs_are, edges_of(of), hubs);
}

}  // namespace graph_job
