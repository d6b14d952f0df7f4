#pragma once
// Delta-stepping with bucket fusion, as in the GAP benchmark suite (Beamer and others 2015; Zhang
// and others 2020). The search also finds the parents of all vertices.

#include <vector>

#include "graph.hpp"

namespace bench::paths {

/// Distances and parents, which are allocated once for any number of searches.
class delta_stepping {
 public:
  delta_stepping(const graph& of, double width);

  /// Finds all distances and parents from `root`.
  void run(vertex root);

  double distance(vertex v) const { return distances_[v]; }
  vertex parent(vertex v) const { return parents_[v]; }

 private:
  /// The vertices in each bucket of a thread.
  using buckets = std::vector<std::vector<vertex>>;

  void expand(vertex from, buckets& to);
  void find_distances(vertex root);
  void find_parents(vertex root);

  const graph& of_;
  double width_;
  huge_array<double> distances_;
  huge_array<vertex> parents_;
  huge_array<vertex> frontier_;
};

}  // namespace bench::paths
