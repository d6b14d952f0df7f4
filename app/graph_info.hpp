#pragma once
// Declares the facts that `atoll info` reports about a file of edges.

#include "app/driver/report.hpp"
#include "atoll/graph_files.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace atl::app {

/// Facts about one kind of degree (degree, out-degree or in-degree), with the vertex of the largest
/// degree.
struct degrees_info {
  std::string title;  ///< name of the kind: "degree", "out-degree" or "in-degree"
  degree_distribution distribution;
  std::string name_of_most;  ///< name of the vertex with the largest degree; empty without names
};

struct graph_info {
  std::string file;
  file_format format;
  std::uint64_t bytes = 0;
  bool directed = false;

  std::uint64_t lines = 0;
  std::uint64_t edges = 0;
  /// Number of vertices: the largest id + 1, the number of names, or the number that the file
  /// declares.
  std::uint64_t vertices = 0;
  std::uint64_t vertices_with_edges = 0;
  std::uint64_t named_vertices = 0;
  std::uint64_t self_loops = 0;
  std::uint64_t duplicates = 0;
  component_sizes components;
  bool undirected = false;  ///< whether the file declares that its edges have no direction
  double built_bytes = 0;   ///< memory in bytes of the whole graph, if there is only one PE
  /// Peak memory in bytes while the graph is built, including the edges that were read.
  double most_bytes = 0;
  std::optional<std::pair<std::int64_t, std::int64_t>> weights;  ///< smallest and largest weight
  /// The smallest and largest weight, if weights are real numbers.
  std::optional<std::pair<double, double>> real_weights;
  /// If weights could not be kept, a description of the first wrong weight; otherwise empty.
  std::string why_no_weights;
  /// Column of the weights in a text file; 0 if there are no weights, or if the format fixes the
  /// column.
  std::uint64_t weight_column = 0;
  std::uint64_t columns_left_out = 0;
  std::vector<std::string> remarks;  ///< sentences about how the file was understood
  std::vector<degrees_info> degrees;
};

/// Returns the number of arcs if each edge becomes two arcs, one in each direction. The number
/// includes duplicates and self loops.
std::uint64_t symmetrised_edges(const graph_info& info);

/// Returns the number of arcs per vertex if each edge becomes two arcs, one in each direction.
double edges_per_vertex(const graph_info& info);

/// Reads the file of edges and, if there is one, the file of names. Shows progress on a terminal.
/// Throws `error` (input) if a file cannot be read.
graph_info look_at_graph(const graph_files& files, bool directed);

/// Returns the facts as text for people.
std::string text_of(const graph_info& info);

/// Adds the facts to `result`, as metrics and as sections.
void add_to(report& result, const graph_info& info);

}  // namespace atl::app
