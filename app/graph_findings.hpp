#pragma once
// What a job finds out about the graph it works on.

#include "atoll/graph/load.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace atl::app {

/// A vertex as people see it: by its name, or its number where it has none.
struct shown_vertex {
  std::uint64_t id = 0;
  std::string text;
  std::optional<std::uint64_t> input_id = {};  ///< where the input numbers it otherwise
};

struct graph_pe_facts {
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;
  std::uint64_t bytes = 0;          ///< of its part of the graph
  std::uint64_t scanned_edges = 0;  ///< arcs looked at in the last trial
  std::uint64_t bytes_peak = 0;     ///< of the process, as the system counts them
};

struct graph_findings {
  graph_size size;
  bool named = false;
  std::vector<std::string> remarks;  ///< about how the file was understood
  std::uint64_t weight_column = 0;   ///< of a text with any number of columns; 0: none
  std::uint64_t columns_left_out = 0;
  unsigned id_bits = 32;
  std::uint64_t hubs = 0;
  double read_seconds = 0;
  double scan_seconds = 0;  ///< of these, to find where the parts of a BVGraph begin
  double build_seconds = 0;
  std::vector<graph_pe_facts> pes;

  std::uint64_t arcs() const {
    std::uint64_t sum = 0;
    for (const auto& pe : pes) sum += pe.arcs;
    return sum;
  }

  /// The arcs of the largest PE over the average.
  double balance() const {
    std::uint64_t most = 0;
    for (const auto& pe : pes) most = std::max(most, pe.arcs);
    if (most == 0) return 1;
    return static_cast<double>(most) * static_cast<double>(pes.size()) /
           static_cast<double>(arcs());
  }
};

}  // namespace atl::app
