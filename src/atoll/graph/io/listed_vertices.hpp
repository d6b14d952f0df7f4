#pragma once
// Graphs of Graphalytics have a file with the ids of all vertices beside the file of edges.

#include <cstdint>
#include <string>
#include <vector>

namespace atl::graph {

/// Returns the path of the file that lists the vertices of a graph of Graphalytics.
std::string file_of_vertices(const std::string& path);

/// Returns the ids in part `part` of `parts` of the list of vertices. An id may occur twice. `path`
/// is the path of the file of edges. Throws `error` (input) "FILE:LINE:COLUMN: sentence".
std::vector<std::uint64_t> read_listed_vertices(const std::string& path, std::uint64_t part,
                                                std::uint64_t parts);

}  // namespace atl::graph
