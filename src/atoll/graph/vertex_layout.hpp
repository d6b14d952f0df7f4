#pragma once
// Which PE owns which vertices of a graph, and their names, whatever the width of ids in its rows.

#include "atoll/graph/partition.hpp"
#include "atoll/graph/vertex_names.hpp"

namespace atl::graph {

/// One PE's copy, which is the same on all.
struct vertex_layout {
  partition shape;  ///< hubs are left out: they matter to rows alone
  vertex_names names;
  double read_seconds = 0, scan_seconds = 0, build_seconds = 0;  ///< that making the graph took

  std::uint64_t vertices_of(int pe) const { return shape.end(pe) - shape.begin(pe); }

  /// The largest number of vertices that a PE owns.
  std::uint64_t most_of_a_pe() const {
    std::uint64_t most = 0;
    for (int pe = 0; pe < pes(); ++pe) most = std::max(most, vertices_of(pe));
    return most;
  }
};

}  // namespace atl::graph
