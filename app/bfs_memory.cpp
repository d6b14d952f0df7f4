#include "app/bfs_memory.hpp"

#include "atoll/graph/window.hpp"

#include <algorithm>

namespace atl::app {

bfs_demand demand_of(const bfs_flags& flags, graph_size size, std::uint64_t pes) {
  return {size,
          pes,
          flags.arcs_are,
          id_bytes_for(flags, size.vertices),
          flags.common.verify,
          flags.queue.has_value(),
          !flags.output.empty(),
          demand_to_load(flags, size, true, pes, flags.common.verify).edges};
}

double bytes_to_search(const bfs_demand& demand) {
  const bool undirected = demand.arcs_are == orientation::undirected;
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const double arcs = static_cast<double>(demand.size.edges) * (undirected ? 2 : 1);
  constexpr double level = 4;

  const bytes_of_graph graph(demand.to_load());
  // Parents, vertices reached, and copies of a level: those that go through a queue lie in its
  // cells and in lists that grow.
  const double copies = demand.queue ? 1 + 2 + 1.5 : 1;
  const double tree = graph.built + vertices * (2 + copies) * id;
  // Two and a stretch of the newest on their PE, three on the node.
  const double bits = vertices / 8 * (2 + 1 + 3);
  // Arcs of the input, in lists that grow; three sums of each vertex.
  const double comparing =
      demand.verify ? graph.stored + graph.built + arcs * 2 * id * 1.5 + vertices * 24 : 0;
  const double window =
      std::min(vertices, static_cast<double>(graph::window_of(demand.size.vertices, demand.pes)));
  const double checking = demand.verify ? level * (vertices + pes * k_gathered_copies * window) : 0;
  const double writing = demand.writes ? vertices * level : 0;
  return std::max({graph.building, comparing, tree + bits + std::max(checking, writing)});
}

void check_memory(const bfs_flags& flags, const settings& options, const bfs_demand& demand) {
  check_memory_for(flags, options,
                   {"searching", demand.size, demand.pes, bytes_to_search(demand),
                    bytes_of_graph(demand.to_load()).stored});
}

}  // namespace atl::app
