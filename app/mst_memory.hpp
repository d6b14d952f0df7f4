#pragma once
// What `atoll mst` takes, told before it is taken.

#include "app/mst_flags.hpp"

namespace atl::app {

/// Of symmetric memory for the lists that a PE has for others; those that are longer go in waves.
std::uint64_t exchange_bytes(graph_size size, double pes);

/// Throws `error` (out_of_memory) unless there is room to find the forest.
void check_memory(const mst_flags& flags, const settings& options, graph_size size,
                  std::uint64_t pes);

}  // namespace atl::app
