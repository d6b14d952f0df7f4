#pragma once
// The text for a vertex in an error about a wrong result. A wrong result may contain vertices that
// do not exist.

#include "atoll/graph.hpp"

#include <string>

namespace atl::kernels {

/// Returns the name of `vertex` in files. If `vertex` is not a vertex of the graph, returns the
/// number `vertex` as a text.
inline task<std::string> name_or_number(global_graph graph, vertex_id vertex) {
  if (vertex < graph.vertices()) co_return co_await graph.name_of(vertex);
  co_return std::to_string(vertex);
}

}  // namespace atl::kernels
