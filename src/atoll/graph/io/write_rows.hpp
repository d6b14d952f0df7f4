#pragma once
// Writing graphs as the neighbours of each vertex: METIS, .sg and .wsg.

#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/file_format.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace atl {

/// A graph as it stands in memory, to be written.
struct graph_view {
  std::uint64_t vertices = 0;
  std::span<const edge> edges;
  std::span<const std::int64_t> weights;  ///< one an edge, or none: then all are 1
  bool undirected = false;                ///< an edge stands for both directions
};

/// Whether `write_rows` writes the format.
constexpr bool is_written_in_rows(edge_format format) {
  return format == edge_format::metis || format == edge_format::sg || format == edge_format::wsg;
}

/// Writes the file and returns its bytes; it has its name only when it is complete. Neighbours are
/// sorted, duplicates and self loops kept; METIS has no directions. Takes 24 bytes an arc.
/// `show_progress` gets how much was written, 0 to 1, now and then. Throws `error` (input) if the
/// file cannot be made there and for what the format has no numbers for, `error` (environment) when
/// the file takes no more.
std::uint64_t write_rows(const std::string& path, file_format format, const graph_view& graph,
                         const std::function<void(double)>& show_progress);

}  // namespace atl
