#pragma once
// The text of a vertex in errors about results that may name vertices that do not exist.

#include "atoll/graph.hpp"

#include <string>

namespace atl::kernels {

/// Returns the name of a vertex in files, or its number if it is no vertex of the graph.
inline task<std::string> name_or_number(global_graph graph, vertex_id vertex) {
  if (vertex < graph.vertices()) co_return co_await graph.name_of(vertex);
  co_return std::to_string(vertex);
}

}  // namespace atl::kernels
