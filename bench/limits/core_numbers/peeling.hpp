#pragma once
// Computes core numbers by peeling (Kabir, Madduri 2017) with OpenMP. Peeling removes the vertices
// of lowest degree until no vertex is left.

#include <atomic>
#include <cstdint>

#include "limits/bfs/csr.hpp"
#include "support/huge_array.hpp"

namespace bench::core_numbers {

using bfs::csr;
using bfs::vertex;

class peeling {
 public:
  /// Allocates and touches the memory for runs on `graph`. The graph must outlive this object.
  explicit peeling(const csr& graph);

  /// Finds the core number of every vertex. The benchmark times this function.
  void run();

  /// Returns the core number that the last run found for `v`.
  std::uint32_t core(vertex v) const { return degrees_[v]; }

 private:
  class thread;

  void remove_all(thread& mine);

  const csr& graph_;
  /// The degree of each vertex that was not removed yet, and the core number of each removed
  /// vertex.
  huge_array<std::uint32_t> degrees_;
  std::atomic<std::uint64_t> removed_ = 0;
};

/// Returns whether the core numbers are the same as those of a serial program (Batagelj, Zaversnik
/// 2003).
bool is_right(const csr& graph, const peeling& found);

}  // namespace bench::core_numbers
