#pragma once
// The vertices of a graph whose file of edges has a list of all vertices beside it.

#include <cstdint>
#include <string>
#include <vector>

namespace atl::graph {

/// Returns the name of the file that lists the vertices, for a graph of Graphalytics.
std::string file_of_vertices(const std::string& path);

/// Returns the ids that part `part` of `parts` of the list of vertices holds; an id may occur
/// twice. `path` is the file of the edges. Throws `error` (input) "FILE:LINE:COLUMN: sentence".
std::vector<std::uint64_t> read_listed_vertices(const std::string& path, std::uint64_t part,
                                                std::uint64_t parts);

}  // namespace atl::graph
