#pragma once
// Reads the vertices of a graph in the format of Graphalytics. A graph of Graphalytics has a file
// of edges, and another file with the ids of all vertices.

#include <cstdint>
#include <string>
#include <vector>

namespace atl::graph {

/// Returns the path of the file that lists the vertices of a graph of Graphalytics.
std::string file_of_vertices(const std::string& path);

/// Divides the list of vertices into `parts` parts, and returns the ids in part number `part`. An
/// id may occur twice. `path` is the path of the file of edges. Throws `error` (input) with the
/// message "FILE:LINE:COLUMN: sentence" if a line is invalid.
std::vector<std::uint64_t> read_listed_vertices(const std::string& path, std::uint64_t part,
                                                std::uint64_t parts);

}  // namespace atl::graph
