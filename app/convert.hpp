#pragma once
// What `atoll convert` does.

#include "atoll/graph/io/bvgraph/parameters.hpp"
#include "atoll/graph/load.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace atl::app {

struct convert_flags {
  graph_files files;
  std::string output;
  std::string format;                ///< of the output; "": as its name says
  bool undirected = false;           ///< an edge stands for both directions, where that can be told
  std::uint64_t vertices = 0;        ///< at least so many, if the output says how many there are
  graph::bvgraph::parameters lists;  ///< how a BVGraph is written
};

struct converted_graph {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;       ///< written
  std::uint64_t duplicates = 0;  ///< not written, as the output has no edge twice
  std::uint64_t bytes = 0;       ///< of the output; of the file with the edges, if it is several
  bool loses_weights = false;
  bool weighs_all_alike = false;        ///< by 1, as the input has no weights and the output has
  std::uint64_t columns_left_out = 0;   ///< of the input
  std::uint64_t vertices_left_out = 0;  ///< behind the last one with an edge
  std::vector<std::string> notes;       ///< about what others may find wrong with the output
  std::vector<std::string> remarks;     ///< about how the input was understood
  bool loses_directions = false;
  std::string why_no_weights;  ///< the first that is no integer, if that is why
};

/// Reads the input as one part, holds its edges in memory, and writes them. Shows its progress on a
/// terminal. Throws `error` (input) for what it cannot read or write; nothing half-written stays
/// behind.
converted_graph convert_graph(const convert_flags& flags);

}  // namespace atl::app
