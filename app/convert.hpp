#pragma once
// What `atoll convert` does.

#include "atoll/graph/io/bvgraph/parameters.hpp"

#include <cstdint>
#include <string>

namespace atl::app {

struct convert_flags {
  std::string input;
  std::string output;
  std::string format;                ///< of the output; "": as its name says
  bool undirected = false;           ///< an edge stands for both directions, where that can be told
  std::uint64_t vertices = 0;        ///< at least so many, if the output says how many there are
  graph::bvgraph::parameters lists;  ///< how a BVGraph is written
};

struct converted_graph {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;       ///< written
  std::uint64_t duplicates = 0;  ///< not written, as lists of successors have none
  std::uint64_t bytes = 0;       ///< of the output; of a BVGraph, of its lists
  bool loses_weights = false;
  bool loses_directions = false;
  std::string why_no_weights;  ///< the first that is no integer, if that is why
};

/// Reads the input as one part, holds its edges in memory, and writes them. Shows its progress on a
/// terminal. Throws `error` (input) for what it cannot read or write; nothing half-written stays
/// behind.
converted_graph convert_graph(const convert_flags& flags);

}  // namespace atl::app
