#pragma once
// Files of edges whose ends are told as the input names them.

#include "atoll/graph/edge_sources.hpp"
#include "atoll/graph/io/vertex_rows.hpp"
#include "atoll/graph/vertex_names.hpp"

#include <optional>
#include <string>
#include <vector>

namespace atl {

struct weighted_edge;

namespace kernels::mst {

/// How rows stand in a file of this name; nothing where it is none of rows with names.
std::optional<vertex_format> format_of_named_edges(const std::string& path);

/// Adds a row for each edge: both ends, by name where there are any, and the weight. Any task;
/// waits for other PEs.
task<> append_rows(std::string& to, const std::vector<weighted_edge>& edges,
                   std::optional<vertex_names> names, vertex_style style);

}  // namespace kernels::mst
}  // namespace atl
