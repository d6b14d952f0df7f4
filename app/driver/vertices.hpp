#pragma once
// Vertices on the command line: flags that name one, and paths in the output.

#include "atoll/graph.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace atl::app {

/// Returns the vertex that a flag names by its name or id, in the graph that was read. Names take
/// precedence over ids, because a name may look like a number. Ids are refused if the file of edges
/// has names. One task calls it and waits. Throws `error` (input), which names the flag.
task<vertex_id> vertex_of(std::string_view flag, std::string text, const graph_builder& read,
                          const graph_files& files);

/// Returns a line with the names of a path. The middle of a long path is left out.
std::string path_text(const std::vector<std::string>& path, orientation arcs_are);

}  // namespace atl::app
