#pragma once
// The lightest forest by Kruskal's method, plainly: all edges sorted by a radix sort, then united
// one after the other.

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
  /// Allocates and touches what runs on these edges need; they must outlive it. Fewer than 2^32
  /// edges and vertices.
  kruskal(const huge_array<weighted_edge>& edges, std::uint64_t vertices);

  /// Finds the forest. The edges stay as they are. This is what is timed.
  void run();

  /// The edges of the forest: so many of the sorted ones have been looked at to find them, the
  /// first ones.
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
