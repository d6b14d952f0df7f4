#pragma once
// How much memory a search takes, told before it is taken.

#include "app/bfs_flags.hpp"
#include "app/graph_memory.hpp"

namespace atl::app {

/// What decides about the memory of a search.
struct bfs_demand {
  graph_size size;
  std::uint64_t pes = 1;
  orientation arcs_are = orientation::undirected;
  std::uint64_t id_bytes = 4;
  bool verify = false;
  bool queue = false;
  bool writes = false;  ///< a tree, in the end
  file_edges edges = file_edges::none;

  load_demand to_load() const {
    return {size, arcs_are == orientation::undirected, id_bytes, pes, edges};
  }
};

/// As the flags have it.
bfs_demand demand_of(const bfs_flags& flags, graph_size size, std::uint64_t pes);

/// The most bytes all PEs together hold at a time to build and to search the graph, but for
/// `fixed_bytes`.
double bytes_to_search(const bfs_demand& demand);

/// Throws `error` (out_of_memory) unless there is room for it. Any time before the graph is built.
void check_memory(const bfs_flags& flags, const settings& options, const bfs_demand& demand);

}  // namespace atl::app
