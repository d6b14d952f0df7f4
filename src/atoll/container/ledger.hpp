#pragma once
// The state of the master of an ordered structure, and the rules by which it hands out cells.

#include <cstdint>
#include <deque>
#include <vector>

namespace atl::container {

// Cells lie in blocks that are dealt round-robin to the PEs. They are written and read in the order
// in which the master reserved them. A reservation gets a *ticket* for each block of its cells: the
// number of earlier reservations of that block. The owner of a block serves transfers in the order
// of their tickets. A reservation is therefore one step at the master, without locks, and the data
// of many reservations move at the same time.

/// Reserved cells of one block.
struct stretch {
  std::uint64_t block;  ///< offset in the global memory of its owner
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t ticket;
  std::int32_t pe;  ///< the owner
};

/// The header of a block, before its cells. A new block has a header of zeros.
struct alignas(16) block_header {
  std::uint32_t now_serving;  ///< the ticket of the next transfer
};

/// Sizes of cells and blocks, known to all PEs.
struct cell_geometry {
  std::uint32_t cell_bytes = 0;
  std::uint32_t block_cells = 0;

  std::uint64_t block_bytes() const {
    const std::uint64_t bytes = sizeof(block_header) + std::uint64_t{cell_bytes} * block_cells;
    return (bytes + 15) / 16 * 16;
  }
};

// The master knows which cells hold elements, where cells are, and the next ticket of each block.

/// Which element a pop takes.
enum class discipline : std::uint8_t { newest_first, oldest_first };

/// The cells of one reservation: first those for pushes, then those for pops.
struct reservation {
  std::uint32_t popped = 0;  ///< elements; fewer than wanted if the structure has no more
  std::uint32_t push_stretches = 0;
  std::vector<stretch> stretches;
};

/// The ledger lives on PE 0, which allocates global memory. Memory is allocated in segments of the
/// same size on all PEs. Segments that a queue has left behind are used again.
class ledger {
 public:
  ledger(discipline order, cell_geometry geometry);

  /// Reserves cells for `pushes` elements and, after them, `pops` elements. Throws atl::error
  /// (out_of_memory), and has reserved nothing then.
  reservation reserve(std::uint32_t pushes, std::uint32_t pops);

  std::uint64_t size() const { return end_ - begin_; }

  /// Returns the offsets of all memory that the ledger holds on each PE.
  std::vector<std::uint64_t> segments() const;
  std::uint64_t segment_bytes() const;

 private:
  struct segment {
    std::uint64_t offset;
    std::vector<std::uint32_t> next_tickets;  // of each block
  };

  void grow_to(std::uint64_t end);
  void add_stretches(std::uint64_t first, std::uint64_t count, std::vector<stretch>& to);
  void retire();
  std::uint64_t segment_blocks() const { return rows_ * pes_; }
  std::uint64_t segment_cells() const { return segment_blocks() * geometry_.block_cells; }

  discipline order_;
  cell_geometry geometry_;
  std::uint64_t pes_;
  std::uint64_t stride_;  // from the PE of a block to the PE of the next block
  std::uint64_t rows_;    // blocks a segment has on each PE
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t first_segment_ = 0;  // number of the first one in use
  std::deque<segment> segments_;     // in use
  std::vector<segment> spare_;
};

}  // namespace atl::container
