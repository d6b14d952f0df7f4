#pragma once
// The cells of an ordered structure, as their owner and as commits see them.

#include "atoll/collectives.hpp"
#include "atoll/combine/gate.hpp"
#include "atoll/container/ledger.hpp"
#include "atoll/container/reserving.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace atl::container {

// The owner of ordered cells serves transfers in the order of their tickets.

/// The PE that asked for a transfer, the gate that counts the transfer and, for reads, the
/// destination.
struct transfer_origin {
  std::int32_t pe;
  bool reads;
  std::uint64_t gate_word;
  std::uint64_t destination;
};

/// The owner of cells; only its own PE calls it.
class cell_owner {
 public:
  explicit cell_owner(cell_geometry geometry) : geometry_(geometry) {}

  /// Writes `bytes` to the cells, or reads the cells, when their ticket is served, and notifies the
  /// origin. Returns false if other tickets come first and memory is too short to keep the transfer
  /// until then.
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

// The cells of an ordered structure, as commits see them.

/// The state of the cells per PE.
struct cell_part {
  std::optional<cell_owner> owner;
  std::optional<relay> asks;
  int asks_by = 0;               ///< the PE whose relay asks the master for this PE
  std::optional<ledger> master;  ///< PE 0 only
};

/// The cells of all PEs; a small trivially copyable value.
class cells {
 public:
  /// One task makes it for all PEs.
  static task<cells> make(discipline order, std::uint32_t cell_bytes, site where);

  /// Reserves cells in one step at the master, at most `most_reserved` in all. Waits for the step
  /// and for buffer space for the transfers that follow. Throws atl::error (out_of_memory), and has
  /// reserved nothing then.
  task<reservation> reserve(std::uint32_t pushes, std::uint32_t pops, site where) const;
  std::uint32_t most_reserved() const;

  /// Writes `values` to the reserved cells, in their order. The gate `written` counts each stretch.
  void write(std::span<const stretch> reserved, std::span<const std::byte> values,
             combine::gate& written, site where) const;

  /// Reads the reserved cells into `values`, in their order. The gate `read` counts each stretch.
  void read(std::span<const stretch> reserved, std::span<std::byte> values, combine::gate& read,
            site where) const;

  /// Returns the number of elements, including those with reserved cells that are not stored yet.
  task<std::uint64_t> size(site where) const;

  task<> destroy(site where) const;

 private:
  void transfer(const stretch& reserved, const transfer_origin& origin,
                std::span<const std::byte> bytes, site where) const;

  per_pe<cell_part> parts_;
  cell_geometry geometry_;
};

}  // namespace atl::container
