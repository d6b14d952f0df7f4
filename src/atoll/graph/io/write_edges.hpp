#pragma once
// Writes graphs edge by edge, or as a row of neighbours for each vertex.

#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/output_file.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace atl::graph {

// Writers of formats that have a row of neighbours for each vertex: METIS, .sg and .wsg.

/// An edge in the row of one of its endpoints.
struct seen_arc {
  std::uint64_t from;
  std::uint64_t to;
  std::int64_t weight;

  friend bool operator<(const seen_arc& a, const seen_arc& b) {
    return std::tie(a.from, a.to, a.weight) < std::tie(b.from, b.to, b.weight);
  }
};

enum class seen_from : std::uint8_t { source, target, both };

/// Returns the arcs sorted by vertex, then by neighbour. Duplicates and self loops are kept.
std::vector<seen_arc> sorted_arcs(const graph_to_write& graph, seen_from ends);

/// Collects bytes in a buffer, and writes them to the file of a graph.
class row_file {
 public:
  /// Makes the file. `steps` is the number of calls of `next` that will follow, from which the
  /// object computes the progress. Throws `error` (input) if the file cannot be made.
  row_file(const graph_to_write& graph, std::uint64_t steps);

  /// Returns the buffer, to which the caller appends output.
  std::string& bytes() { return bytes_; }

  /// Tells the object that a line or a number is complete. The caller calls this function after
  /// each line or number. Throws `error` (environment) if the disk is full.
  void next() {
    if (bytes_.size() >= k_flushed_bytes) flush();
    if (++done_ % k_steps_between_reports == 0) report();
  }

  /// Completes the file and returns its description.
  written_graph commit();

 private:
  static constexpr std::size_t k_flushed_bytes = 256 * 1024;
  static constexpr std::uint64_t k_steps_between_reports = std::uint64_t{1} << 18;

  void flush();
  void report() const;

  const graph_to_write& graph_;
  std::uint64_t steps_;
  std::uint64_t done_ = 0;
  output_file file_;
  std::unique_ptr<byte_sink> sink_;
  std::string bytes_;
};

// This part tells how an `edge_writer` (graph_files.hpp) writes edges one after another.

struct edge_lines {
  std::string head =
      "";  ///< text before the first edge; if it is not empty, it contains the number of edges
  std::string_view before = "";
  char separator = '\t';
  std::uint64_t first_id = 0;
  bool larger_end_first = false;
};

}  // namespace atl::graph
