#pragma once
// The state of the master of a global stack or queue, and the rules for the allocation of cells.

#include <cstdint>
#include <deque>
#include <vector>

namespace atl::container {

// A cell stores one element. Cells are in blocks, and blocks are distributed round-robin to the
// PEs. Cells are written and read in the order in which the master reserved them. For each block of
// its cells, a reservation gets a *ticket*: the number of earlier reservations of that block. The
// owner of a block executes transfers in the order of their tickets. A reservation is therefore one
// step at the master, without locks, and data of many reservations are in flight at the same time.

/// The reserved cells of one block, which are consecutive.
struct stretch {
  std::uint64_t block;  ///< offset of the block in the global memory of its owner
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t ticket;
  std::int32_t pe;  ///< owner of the block
};

/// The header of a block, stored before its cells. A new block has a header of zeros.
struct alignas(16) block_header {
  std::uint32_t now_serving;  ///< ticket of the transfer that is executed next
};

/// The sizes of cells and blocks, which all PEs know.
struct cell_geometry {
  std::uint32_t cell_bytes = 0;
  std::uint32_t block_cells = 0;

  std::uint64_t block_bytes() const {
    const std::uint64_t bytes = sizeof(block_header) + std::uint64_t{cell_bytes} * block_cells;
    return (bytes + 15) / 16 * 16;
  }
};

// The master knows which cells hold elements, where the blocks of the cells are, and the next
// ticket of each block.

/// The element that a pop takes: the newest (stack) or the oldest (queue).
enum class discipline : std::uint8_t { newest_first, oldest_first };

/// The cells of one reservation. Cells for pushes come first, then cells for pops.
struct reservation {
  /// Number of elements to pop; smaller than requested if the structure has too few.
  std::uint32_t popped = 0;
  std::uint32_t push_stretches = 0;
  std::vector<stretch> stretches;
};

/// The master's state, which exists on PE 0, because PE 0 allocates global memory. Memory is
/// allocated in segments of the same size on all PEs. Segments that no longer hold elements are
/// reused.
class ledger {
 public:
  ledger(discipline order, cell_geometry geometry);

  /// Reserves cells for `pushes` elements and, after them, for `pops` elements. Throws atl::error
  /// (out_of_memory) without having reserved anything.
  reservation reserve(std::uint32_t pushes, std::uint32_t pops);

  std::uint64_t size() const { return end_ - begin_; }

  /// Returns the offsets of all segments. The offset of a segment is the same on each PE.
  std::vector<std::uint64_t> segments() const;
  std::uint64_t segment_bytes() const;

 private:
  struct segment {
    std::uint64_t offset;
    std::vector<std::uint32_t> next_tickets;  // by block
  };

  void grow_to(std::uint64_t end);
  void add_stretches(std::uint64_t first, std::uint64_t count, std::vector<stretch>& to);
  void retire();
  std::uint64_t segment_blocks() const { return rows_ * pes_; }
  std::uint64_t segment_cells() const { return segment_blocks() * geometry_.block_cells; }

  discipline order_;
  cell_geometry geometry_;
  std::uint64_t pes_;
  std::uint64_t stride_;  // distance from the PE of a block to the PE of the next block
  std::uint64_t rows_;    // number of blocks of a segment on each PE
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t first_segment_ = 0;  // number of the first segment in use
  std::deque<segment> segments_;     // segments in use
  std::vector<segment> spare_;
};

}  // namespace atl::container
