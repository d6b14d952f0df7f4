#pragma once
// What `atoll info` finds out about a file of edges.

#include "app/driver/report.hpp"
#include "atoll/graph_files.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace atl::app {

/// The degrees of one kind, and who has the most.
struct degrees_info {
  std::string title;  ///< "degree", "out-degree", "in-degree"
  degree_distribution distribution;
  std::string name_of_most;  ///< empty if vertices have no names
};

struct graph_info {
  std::string file;
  file_format format;
  std::uint64_t bytes = 0;
  bool directed = false;

  std::uint64_t lines = 0;
  std::uint64_t edges = 0;
  std::uint64_t vertices = 0;  ///< the largest id + 1, or as many as have names, or as declared
  std::uint64_t vertices_with_edges = 0;
  std::uint64_t named_vertices = 0;
  std::uint64_t self_loops = 0;
  std::uint64_t duplicates = 0;
  component_sizes components;
  bool undirected = false;  ///< the file says so
  double built_bytes = 0;   ///< as a graph on one PE,
  double most_bytes = 0;    ///< and while it is built, the edges of the file included
  std::optional<std::pair<std::int64_t, std::int64_t>> weights;  ///< lowest and highest
  std::string why_no_weights;       ///< the first that is none, where others are
  std::uint64_t weight_column = 0;  ///< of a text with any number of columns; 0: none
  std::uint64_t columns_left_out = 0;
  std::vector<std::string> remarks;  ///< about how the file was understood
  std::vector<degrees_info> degrees;
};

/// Each edge as an arc in both directions, duplicates and loops included.
std::uint64_t symmetrised_edges(const graph_info& info);

/// Those for each vertex.
double edges_per_vertex(const graph_info& info);

/// Reads the file of edges, and the names of its vertices where there is a file of them. Shows its
/// progress on a terminal. Throws `error` (input) for what it cannot read.
graph_info look_at_graph(const graph_files& files, bool directed);

/// For people.
std::string text_of(const graph_info& info);

/// Adds all of it as metrics and sections.
void add_to(report& result, const graph_info& info);

}  // namespace atl::app
