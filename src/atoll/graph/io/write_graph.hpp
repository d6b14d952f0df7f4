#pragma once
// Writing a graph that is in memory to a file of any format that read_edges reads.

#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"
#include "atoll/graph/io/file_format.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace atl {

struct graph_to_write {
  std::string path;
  file_format format;
  std::uint64_t vertices = 0;
  std::vector<edge> edges;
  std::vector<std::int64_t> weights;  ///< one an edge, or none: then all are 1
  bool undirected = false;            ///< an edge stands for both directions
  graph::bvgraph::parameters lists;   ///< how a BVGraph is written

  /// Gets how much was written, 0 to 1, now and then. May be empty.
  std::function<void(double)> show_progress;
};

struct written_graph {
  std::uint64_t bytes = 0;  ///< of the file with the edges
  std::uint64_t edges = 0;
  std::uint64_t duplicates = 0;    ///< not written, as the format has no edge twice
  std::vector<std::string> notes;  ///< sentences about what others may find wrong with the file
};

/// Writes the file, which has its name only when it is complete; without that nothing stays behind.
/// Formats with rows of neighbours sort them, which takes 24 bytes an arc. Throws `error` (input)
/// if the file cannot be made there and for what the format has no numbers for, `error`
/// (environment) when the file takes no more.
written_graph write_graph(graph_to_write&& graph);

}  // namespace atl
