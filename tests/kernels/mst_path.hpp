#pragma once
// A part of a graph on one PE, which contains a whole path.

#include "atoll/kernels/mst/contract.hpp"

namespace mst_path {

namespace mst = atl::kernels::mst;

using word = std::uint32_t;

/// Returns a path of `vertices` vertices on one PE, with ascending weights.
inline mst::part<word> path(word vertices) {
  mst::part<word> made;
  for (word v = 0; v < vertices; ++v) made.names.push_back(v);
  made.owners.resize(vertices);
  for (word v = 0; v + 1 < vertices; ++v) made.edges.push_back({v, v + 1, v + 1, v});
  return made;
}

}  // namespace mst_path
