#pragma once
// Finds the minimum spanning forest by Kruskal's algorithm: a radix sort of all edges, then a
// serial union-find.

#include <cstdint>

#include "support/huge_array.hpp"

namespace bench::mst {

using vertex = std::uint32_t;

struct weighted_edge {
  vertex from, to;
  std::uint32_t weight;
};

class kruskal {
 public:
  /// Allocates and touches the memory for runs on `edges`. The edges must outlive this object.
  /// There must be fewer than 2^32 edges and vertices.
  kruskal(const huge_array<weighted_edge>& edges, std::uint64_t vertices);

  /// Finds the forest without changing the edges. The benchmark times this function.
  void run();

  /// Returns the number of edges of the forest. `looked_at()` returns how many of the sorted edges
  /// the algorithm processed before the forest was complete.
  std::uint64_t edges() const { return forest_edges_; }
  std::uint64_t looked_at() const { return looked_at_; }
  std::uint64_t weight() const { return weight_; }

 private:
  void sort();
  void unite();
  vertex root_of(vertex v);

  const huge_array<weighted_edge>& input_;
  huge_array<weighted_edge> sorted_, other_;
  huge_array<vertex> above_;
  std::uint64_t forest_edges_ = 0, looked_at_ = 0, weight_ = 0;
};

}  // namespace bench::mst
