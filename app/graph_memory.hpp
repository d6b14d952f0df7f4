#pragma once
// Whether there is room for a graph and the work on it, told before it is taken.

#include "app/graph_flags.hpp"

#include <string_view>

namespace atl::app {

/// 4 while they suffice.
std::uint64_t id_bytes_for(const graph_flags& flags, std::uint64_t vertices);

/// What is to be done with a graph.
struct graph_work {
  std::string_view doing;  ///< "searching"
  graph_size size;
  std::uint64_t pes = 1;
  double bytes = 0;  ///< the most all PEs together hold at a time, beside the edges of a file
};

/// Throws `error` (out_of_memory) unless there is room for it. Any time before the graph is built.
void check_memory_for(const graph_flags& flags, const settings& options, const graph_work& work);

/// Throws `error` (out_of_memory) if the edges of the file cannot be held, as far as can be told
/// without reading it, and `error` (input) if it cannot be read.
void check_memory_to_read(const graph_flags& flags, const settings& options);

/// The most bytes it takes to build a graph, and those of the built one.
struct bytes_of_graph {
  bytes_of_graph(graph_size size, bool undirected, std::uint64_t id_bytes, std::uint64_t pes);

  double built;
  double building;
};

/// What every PE holds beside what it is for.
inline constexpr double k_fixed_bytes_a_pe = 16 << 20;

/// What is gathered from all PEs stands on each of them three times: as it came, and twice copied.
inline constexpr double k_gathered_copies = 3;

}  // namespace atl::app
