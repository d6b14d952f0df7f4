#pragma once
// Cells in blocks that are dealt round-robin to the PEs, written and read in the order in which the
// master has reserved them. With its cells a reservation gets a *ticket* for each block they lie
// in: how many reservations of that block came before. The owner of a block serves transfers in the
// order of their tickets. So a reservation is one step at the master, nothing is locked, and the
// data of many reservations move at the same time.

#include <cstdint>

namespace atl::container {

/// Reserved cells of one block.
struct stretch {
  std::uint64_t block;  ///< offset in the global memory of its owner
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t ticket;
  std::int32_t pe;  ///< the owner
};

/// What a block begins with, before its cells. All zero when it is new.
struct alignas(16) block_header {
  std::uint32_t now_serving;  ///< the ticket of the next transfer
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

}  // namespace atl::container
