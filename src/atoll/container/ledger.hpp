#pragma once
// This file has the master's state of a global stack or queue. The master, PE 0, assigns memory
// cells to elements.

#include <cstdint>
#include <deque>
#include <vector>

namespace atl::container {

// A cell stores one element. Cells are grouped into blocks, and blocks are distributed to the PEs
// cyclically. A commit first reserves cells at the master, and then writes or reads the cells by
// transfers to their owners. For each block, a reservation gets a *ticket*: the number of earlier
// reservations of cells of the same block. The owner of a block executes the transfers in the order
// of their tickets. Because of the tickets, cells are accessed in the order in which the master
// reserved them. A reservation is one step at the master and takes no locks, so the transfers of
// many reservations may be in flight at the same time.

/// Consecutive cells of one block that a commit has reserved.
struct stretch {
  std::uint64_t block;  ///< offset of the block in the global memory of its owner
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t ticket;
  std::int32_t pe;  ///< owner of the block
};

/// The header of a block, which is stored before its cells. The header of a new block is all zeros.
struct alignas(16) block_header {
  std::uint32_t now_serving;  ///< ticket of the transfer that is executed next
};

/// The size of cells in bytes, and of blocks in cells. All PEs have the same `cell_geometry`.
struct cell_geometry {
  std::uint32_t cell_bytes = 0;
  std::uint32_t block_cells = 0;

  std::uint64_t block_bytes() const {
    const std::uint64_t bytes = sizeof(block_header) + std::uint64_t{cell_bytes} * block_cells;
    return (bytes + 15) / 16 * 16;
  }
};

// The next types are the master's state: which cells hold elements, where the blocks are, and the
// next ticket of each block.

/// Tells which element a pop takes: the newest (for a stack) or the oldest (for a queue).
enum class discipline : std::uint8_t { newest_first, oldest_first };

/// The cells that one commit has reserved. The first `push_stretches` stretches are for pushes, and
/// the remaining stretches are for pops.
struct reservation {
  /// Number of cells to read, which is smaller than requested if the structure has too few
  /// elements.
  std::uint32_t popped = 0;
  std::uint32_t push_stretches = 0;
  std::vector<stretch> stretches;
};

/// The master's state of one stack or queue. PE 0 is the master, because PE 0 allocates global
/// memory. Memory is allocated in segments, which have the same size on each PE. Segments that no
/// longer hold elements are reused.
class ledger {
 public:
  ledger(discipline order, cell_geometry geometry);

  /// Reserves cells to which `pushes` elements will be written, and then cells from which up to
  /// `pops` elements will be read. Throws atl::error (out_of_memory) and reserves nothing if memory
  /// is short.
  reservation reserve(std::uint32_t pushes, std::uint32_t pops);

  std::uint64_t size() const { return end_ - begin_; }

  /// Returns the offsets of all segments in the global memory. A segment has the same offset on
  /// each PE.
  std::vector<std::uint64_t> segments() const;
  std::uint64_t segment_bytes() const;

 private:
  struct segment {
    std::uint64_t offset;
    std::vector<std::uint32_t> next_tickets;  // indexed by block
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
