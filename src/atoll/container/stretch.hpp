#pragma once
// Cells in blocks that are dealt to the PEs in turn, written and read in an order that the master
// gives out. Who reserves cells is told, for each block they lie in, its *turn* there: how many
// reservations of that block came before. The owner of a block lets every transfer wait for its
// turn. So a reservation is one step at the master, nothing is locked, and the data of many
// reservations move beside each other.

#include "atoll/base/namespace.hpp"

#include <cstdint>

namespace atoll::container {

/// Reserved cells of one block.
struct stretch {
  std::uint64_t block;  ///< offset in the global memory of its owner
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t turn;
  std::int32_t pe;  ///< the owner
};

/// What a block begins with, before its cells. All zero when it is new.
struct alignas(16) block_header {
  std::uint32_t turn;  ///< whose it is now
};

/// Sizes that all PEs know.
struct cell_geometry {
  std::uint32_t cell_bytes = 0;
  std::uint32_t block_cells = 0;

  std::uint64_t block_bytes() const {
    const std::uint64_t bytes = sizeof(block_header) + std::uint64_t{cell_bytes} * block_cells;
    return (bytes + 15) / 16 * 16;
  }
};

}  // namespace atoll::container
