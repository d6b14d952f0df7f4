#pragma once
// What `atoll mst` takes, told before it is taken.

#include "app/mst_flags.hpp"

namespace atl::app {

/// Throws `error` (out_of_memory) unless there is room to find the forest.
void check_memory(const mst_flags& flags, const settings& options, graph_size size,
                  std::uint64_t pes);

}  // namespace atl::app
