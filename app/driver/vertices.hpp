#pragma once
// Declares functions that find the vertex that a flag names, and that print a path of vertices.

#include "atoll/graph.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace atl::app {

/// Returns the vertex that a flag names by its name or id, in the graph that was read. A text that
/// is a name and an id means the name. If the file of edges has names, the function refuses ids.
/// One task calls this function and waits. Throws `error` (input), which names the flag, if there
/// is no such vertex.
task<vertex_id> vertex_of(std::string_view flag, std::string text, const graph_builder& read,
                          const graph_files& files);

/// Returns a line with the names of the vertices of a path. The middle of a long path is left out.
std::string path_text(const std::vector<std::string>& path, orientation arcs_are);

}  // namespace atl::app
