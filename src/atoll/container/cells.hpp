#pragma once
// The cells of an ordered structure (a global stack or queue), each of which stores one element.
// The file has the side of their owner and the side of commits.

#include "atoll/collectives.hpp"
#include "atoll/combine/gate.hpp"
#include "atoll/container/ledger.hpp"
#include "atoll/container/reserving.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace atl::container {

// The owner of cells executes transfers in the order of their tickets (ledger.hpp).

/// The PE that requested a transfer, the address of the gate that counts the transfer, and for
/// reads the destination.
struct transfer_origin {
  std::int32_t pe;
  bool reads;
  std::uint64_t gate_word;
  std::uint64_t destination;
};

/// The cells that one PE owns. Only this PE may call the functions.
class cell_owner {
 public:
  explicit cell_owner(cell_geometry geometry) : geometry_(geometry) {}

  /// Writes `bytes` to the cells, or reads the cells, when it is the turn of their ticket. Notifies
  /// the origin afterwards. Returns false if other tickets come first and memory is too short to
  /// store the transfer until then.
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

// The side of commits, which reserve, write and read cells.

/// The state of one PE for the cells of a structure.
struct cell_part {
  std::optional<cell_owner> owner;
  std::optional<relay> asks;
  int asks_by = 0;               ///< PE whose relay asks the master for this PE
  std::optional<ledger> master;  ///< on PE 0 only: the master's state
};

/// The cells of all PEs. The object is a small trivially copyable value.
class cells {
 public:
  /// Makes the cells on all PEs. One task calls it.
  static task<cells> make(discipline order, std::uint32_t cell_bytes, site where);

  /// Reserves cells in one step at the master, at most `most_reserved` in all. Waits for the
  /// answer, and for buffer space for the transfers that follow. Throws atl::error (out_of_memory)
  /// without having reserved anything.
  task<reservation> reserve(std::uint32_t pushes, std::uint32_t pops, site where) const;
  std::uint32_t most_reserved() const;

  /// Writes `values` to the reserved cells, in their order. The gate `written` counts one answer
  /// for each stretch of cells.
  void write(std::span<const stretch> reserved, std::span<const std::byte> values,
             combine::gate& written, site where) const;

  /// Reads the reserved cells into `values`, in their order. The gate `read` counts one answer for
  /// each stretch of cells.
  void read(std::span<const stretch> reserved, std::span<std::byte> values, combine::gate& read,
            site where) const;

  /// Returns the number of elements. Elements whose cells are reserved but not yet written count,
  /// too.
  task<std::uint64_t> size(site where) const;

  task<> destroy(site where) const;

 private:
  void transfer(const stretch& reserved, const transfer_origin& origin,
                std::span<const std::byte> bytes, site where) const;

  per_pe<cell_part> parts_;
  cell_geometry geometry_;
};

}  // namespace atl::container
