#pragma once
// Triangles by order of degree and by merging sorted lists, on the threads of OpenMP.

#include <cstdint>

#include "limits/bfs/csr.hpp"
#include "support/huge_array.hpp"

namespace bench::triangles {

using bfs::csr;
using bfs::vertex;

class counter {
 public:
  /// Allocates and touches the memory that runs on `graph` need. The graph must outlive this
  /// object.
  explicit counter(const csr& graph);

  /// Counts the triangles of every vertex. The benchmark times this function.
  void run();

  /// Returns the triangles of `v` after a run.
  std::uint64_t triangles(vertex v) const { return totals_[ranks_[v]]; }

  /// Returns three times the number of triangles after a run.
  std::uint64_t sum() const;

 private:
  void order();
  void orient();
  void count();
  std::uint32_t merge(std::uint32_t first, std::uint32_t end_first, std::uint32_t other,
                      std::uint32_t end) const;

  const csr& graph_;
  huge_array<vertex> ranks_;           // by vertex: 0 for the one of largest degree
  huge_array<vertex> vertices_;        // by rank
  huge_array<std::uint32_t> offsets_;  // of rows, by rank
  huge_array<vertex> targets_;         // ranks of neighbours of larger degree, ascending
  mutable huge_array<std::uint32_t>
      at_;                            // triangles at the entries of the row of their last vertex
  huge_array<std::uint64_t> totals_;  // by rank
};

/// Returns whether the counts of all vertices are those of a serial program.
bool is_right(const csr& graph, const counter& found);

}  // namespace bench::triangles
