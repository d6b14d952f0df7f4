#pragma once
// The files of a BVGraph, which share all of their name but the ending.

#include "atoll/graph/io/file_format.hpp"

#include <string>
#include <string_view>

namespace atl::graph::bvgraph {

struct files {
  /// Of `graph.graph`, or of `graph` alone.
  explicit files(std::string_view name) {
    const auto all = files_of(std::string(name), edge_format::bvgraph);
    graph = all[0];
    properties = all[1];
    offsets = all[2];
  }

  std::string graph;       ///< a stream of lists
  std::string properties;  ///< what one must know to read it
  std::string offsets;     ///< a stream of where the lists begin; may be missing
};

}  // namespace atl::graph::bvgraph
