#pragma once
// A global stack or queue stores each element in a cell. A transfer is a write or a read of
// consecutive cells. This file has the code of the PE that owns cells and executes transfers, and
// the code of commits, which reserve cells and request transfers.

#include "atoll/collectives.hpp"
#include "atoll/combine/gate.hpp"
#include "atoll/container/ledger.hpp"
#include "atoll/container/reserving.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace atl::container {

// The owner of a block of cells executes the transfers of the block in the order of their tickets.
// The master gives each transfer a ticket, a consecutive number (ledger.hpp).

/// The address for the answer to a transfer: the requesting PE, and the gate (a counter of
/// unanswered requests) at which a task waits. For a read, `destination` is the address at which to
/// store the elements.
struct transfer_origin {
  std::int32_t pe;
  bool reads;
  std::uint64_t gate_word;
  std::uint64_t destination;
};

/// Executes the transfers of the cells that one PE owns. Only the owner of the cells may call the
/// functions.
class cell_owner {
 public:
  explicit cell_owner(cell_geometry geometry) : geometry_(geometry) {}

  /// Writes `bytes` to the cells, or reads the cells, and notifies the origin. If transfers with
  /// earlier tickets have not arrived yet, the object keeps the transfer until the earlier
  /// transfers are executed. Returns false if memory is too short to keep the transfer.
  bool transfer(const stretch& cells, const transfer_origin& origin,
                std::span<const std::byte> bytes);

 private:
  struct early {
    stretch cells;
    transfer_origin origin;
    std::vector<std::byte> bytes;
  };

  bool is_served_now(const stretch& cells) const;
  bool keep(const stretch& cells, const transfer_origin& origin, std::span<const std::byte> bytes);
  void apply(const stretch& cells, const transfer_origin& origin, std::span<const std::byte> bytes);
  bool apply_one_of(std::uint64_t block);

  cell_geometry geometry_;
  std::vector<early> early_;
};

// The next classes are used by commits, which reserve, write and read cells.

/// The state of one PE for the cells of a structure.
struct cell_part {
  std::optional<cell_owner> owner;
  std::optional<relay> asks;
  /// PE whose relay (reserving.hpp) forwards this PE's requests to the master
  int asks_by = 0;
  std::optional<ledger> master;  ///< the master's state; only PE 0 has it
};

/// A handle to the cells of a structure on all PEs. The handle is small and trivially copyable.
class cells {
 public:
  /// Makes the cells on all PEs. One task of the job calls this function.
  static task<cells> make(discipline order, std::uint32_t cell_bytes, site where);

  /// Reserves `pushes` cells for writing and up to `pops` cells for reading, in one atomic step at
  /// the master. At most `most_reserved()` cells in total are allowed. The task waits for the
  /// answer of the master, and for buffer space for the transfers that follow. Throws atl::error
  /// (out_of_memory) and reserves nothing if memory is short.
  task<reservation> reserve(std::uint32_t pushes, std::uint32_t pops, site where) const;
  std::uint32_t most_reserved() const;

  /// Writes `values` to the reserved cells in order. A task can wait at the gate `written` for the
  /// answers, one for each stretch of cells.
  void write(std::span<const stretch> reserved, std::span<const std::byte> values,
             combine::gate& written, site where) const;

  /// Reads the reserved cells into `values` in order. A task can wait at the gate `read` for the
  /// answers, one for each stretch of cells.
  void read(std::span<const stretch> reserved, std::span<std::byte> values, combine::gate& read,
            site where) const;

  /// Returns the number of elements. An element counts as soon as its cell is reserved, even if the
  /// cell has not been written yet.
  task<std::uint64_t> size(site where) const;

  task<> destroy(site where) const;

 private:
  void transfer(const stretch& reserved, const transfer_origin& origin,
                std::span<const std::byte> bytes, site where) const;

  per_pe<cell_part> parts_;
  cell_geometry geometry_;
};

}  // namespace atl::container
