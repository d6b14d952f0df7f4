#pragma once
// The files of a BVGraph, which share all of their name but the ending.

#include <string>
#include <string_view>

namespace atl::graph::bvgraph {

struct files {
  /// Of `graph.graph`, or of `graph` alone.
  explicit files(std::string_view name);

  std::string graph;       ///< a stream of lists
  std::string properties;  ///< what one must know to read it
  std::string offsets;     ///< a stream of where the lists begin; may be missing
};

}  // namespace atl::graph::bvgraph
