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

/// The degrees of one kind, and the vertex with the largest.
struct degrees_info {
  std::string title;  ///< "degree", "out-degree", "in-degree"
  degree_distribution distribution;
  std::string name_of_most;  ///< name of the vertex with the largest degree; "" without names
};

struct graph_info {
  std::string file;
  file_format format;
  std::uint64_t bytes = 0;
  bool directed = false;

  std::uint64_t lines = 0;
  std::uint64_t edges = 0;
  std::uint64_t vertices = 0;  ///< the largest id + 1, the number of names, or the declared number
  std::uint64_t vertices_with_edges = 0;
  std::uint64_t named_vertices = 0;
  std::uint64_t self_loops = 0;
  std::uint64_t duplicates = 0;
  component_sizes components;
  bool undirected = false;  ///< the file declares its edges undirected
  double built_bytes = 0;   ///< memory of the graph on one PE
  double most_bytes = 0;    ///< peak memory while it is built, with the edges of the file
  std::optional<std::pair<std::int64_t, std::int64_t>> weights;  ///< lowest and highest
  std::string why_no_weights;  ///< the first text that is no number, where other lines have weights
  std::uint64_t weight_column = 0;  ///< number of the column; 0: none, or a fixed one
  std::uint64_t columns_left_out = 0;
  std::vector<std::string> remarks;  ///< assumptions made in reading the file
  std::vector<degrees_info> degrees;
};

/// Returns the number of arcs if each edge leads both ways, with duplicates and loops.
std::uint64_t symmetrised_edges(const graph_info& info);

/// Returns the edges per vertex of the symmetrised graph.
double edges_per_vertex(const graph_info& info);

/// Reads the file of edges and, if given, the file of vertex names. Shows progress on a terminal.
/// Throws `error` (input) if a file cannot be read.
graph_info look_at_graph(const graph_files& files, bool directed);

/// Returns the facts as text for a person.
std::string text_of(const graph_info& info);

/// Adds the facts to `result` as metrics and sections.
void add_to(report& result, const graph_info& info);

}  // namespace atl::app
