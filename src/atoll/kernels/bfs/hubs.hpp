#pragma once

#include "atoll/collectives.hpp"
#include "atoll/graph/distributed_graph.hpp"

namespace atl::kernels::bfs {

/// The neighbours of each hub, by number, on every PE.
template <class Id>
task<std::vector<std::uint64_t>> all_neighbours_of_hubs(const graph_part<Id>& graph) {
  std::vector<std::uint64_t> neighbours;
  for (std::uint64_t hub = 0; hub < graph.shape.hubs.size(); ++hub) {
    neighbours.push_back(graph.row(graph.vertices + hub).size());
  }
  if (neighbours.empty()) co_return neighbours;
  co_return co_await all_reduce(std::move(neighbours), [](auto a, auto b) { return a + b; });
}

}  // namespace atl::kernels::bfs
