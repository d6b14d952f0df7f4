#pragma once
// Counts triangles by merging sorted lists of neighbours, with OpenMP. The lists are in the order
// of degrees.

#include <cstdint>

#include "limits/bfs/csr.hpp"
#include "support/huge_array.hpp"

namespace bench::triangles {

using bfs::csr;
using bfs::vertex;

class counter {
 public:
  /// Allocates and touches the memory for runs on `graph`. The graph must outlive this object.
  explicit counter(const csr& graph);

  /// Counts the triangles of every vertex. The benchmark times this function.
  void run();

  /// After a run, returns the number of triangles that contain `v`.
  std::uint64_t triangles(vertex v) const { return totals_[ranks_[v]]; }

  /// After a run, returns three times the number of triangles.
  std::uint64_t sum() const;

 private:
  void order();
  void orient();
  void count();
  std::uint32_t merge(std::uint32_t first, std::uint32_t end_first, std::uint32_t other,
                      std::uint32_t end) const;

  const csr& graph_;
  huge_array<vertex> ranks_;     // rank of each vertex; the vertex of largest degree has rank 0
  huge_array<vertex> vertices_;  // vertex of each rank
  huge_array<std::uint32_t> offsets_;  // offset of each row, by the rank of its vertex
  huge_array<vertex> targets_;         // rows: ranks of the neighbours with smaller rank, ascending
  // For each entry of a row, the number of triangles that were counted at this entry. A triangle is
  // counted in the row of its vertex with the largest rank.
  mutable huge_array<std::uint32_t> at_;
  huge_array<std::uint64_t> totals_;  // for each rank, the number of triangles of its vertex
};

/// Returns whether the counts of all vertices agree with the counts of a serial program.
bool is_right(const csr& graph, const counter& found);

}  // namespace bench::triangles
