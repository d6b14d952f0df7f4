#pragma once
// How much memory ranks take, told before it is taken.

#include "app/pagerank_flags.hpp"

namespace atl::app {

/// Throws `error` (out_of_memory) unless there is room to build a graph of this size and to rank
/// its vertices. Any time before the graph is built.
void check_memory(const pagerank_flags& flags, const settings& options, graph_size size,
                  std::uint64_t pes);

}  // namespace atl::app
