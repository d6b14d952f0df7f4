#pragma once
// Connected components by Afforest (Sutton, Ben-Nun, Barak 2018) with OpenMP.

#include <cstdint>

#include "limits/bfs/csr.hpp"
#include "support/huge_array.hpp"

namespace bench::cc {

using bfs::csr;
using bfs::vertex;

class afforest {
 public:
  /// Allocates and touches the memory for runs on `graph`. The graph must outlive this object.
  explicit afforest(const csr& graph);

  /// Labels every vertex. The benchmark times this function.
  void run();

  /// Returns the label that the last run gave to `v`: the smallest vertex of its component.
  vertex label(vertex v) const { return labels_[v]; }

 private:
  struct sampled {
    vertex label;
    std::uint32_t times;
  };

  void link(vertex u, vertex v);
  void link_neighbours(std::uint32_t number);
  void link_rest(vertex giant, std::uint32_t linked);
  void compress();
  sampled commonest_of_sample() const;

  const csr& graph_;
  huge_array<vertex> labels_;
};

}  // namespace bench::cc
