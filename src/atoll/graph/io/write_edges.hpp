#pragma once
// How edges are written one after another, by an `edge_writer` (graph_files.hpp).

#include "atoll/graph_files.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace atl::graph {

struct edge_lines {
  std::string head =
      "";  ///< what stands before them; with the number of edges, if it says anything
  std::string_view before = "";
  char separator = '\t';
  std::uint64_t first_id = 0;
  bool larger_end_first = false;
};

}  // namespace atl::graph
