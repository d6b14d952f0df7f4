#pragma once
// Writing formats that have the neighbours of each vertex in a row: METIS, .sg and .wsg.

#include "atoll/graph/io/byte_sink.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/output_file.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace atl::graph {

/// An edge as one of its ends sees it.
struct seen_arc {
  std::uint64_t from;
  std::uint64_t to;
  std::int64_t weight;

  friend bool operator<(const seen_arc& a, const seen_arc& b) {
    return std::tie(a.from, a.to, a.weight) < std::tie(b.from, b.to, b.weight);
  }
};

enum class seen_from : std::uint8_t { source, target, both };

/// By vertex, then by neighbour; duplicates and self-loops are kept.
std::vector<seen_arc> sorted_arcs(const graph_to_write& graph, seen_from ends);

/// Bytes on their way into the file of a graph.
class row_file {
 public:
  /// `steps`: how often `next` will be called. Throws `error` (input) if the file cannot be made.
  row_file(const graph_to_write& graph, std::uint64_t steps);

  /// What is written next is appended here.
  std::string& bytes() { return bytes_; }

  /// After each line or number. Throws `error` (environment) when the file takes no more.
  void next() {
    if (bytes_.size() >= k_flushed_bytes) flush();
    if (++done_ % k_steps_between_reports == 0) report();
  }

  /// Completes the file, and tells of it.
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

}  // namespace atl::graph
