#pragma once
// The cells of an ordered structure: the side of their owner, and that of commits.

#include "atoll/collectives.hpp"
#include "atoll/combine/gate.hpp"
#include "atoll/container/ledger.hpp"
#include "atoll/container/reserving.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace atl::container {

// The owner's side of ordered cells: transfers are served in the order of their tickets.

/// Who wants a transfer, and what it must learn: the gate that counts it and, for cells that are
/// read, where they go.
struct transfer_origin {
  std::int32_t pe;
  bool reads;
  std::uint64_t gate_word;
  std::uint64_t destination;
};

/// Called by its own PE only.
class cell_owner {
 public:
  explicit cell_owner(cell_geometry geometry) : geometry_(geometry) {}

  /// Writes `bytes` to the cells, or reads them, when their ticket is served, and tells the origin.
  /// False: other tickets come before, and there is no memory to keep the transfer until then.
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

/// Of each PE.
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

  /// One step at the master: all reserved, or atl::error (out_of_memory) and nothing. Waits for
  /// it, and for room for what is to be sent next. At most `most_reserved` cells in all.
  task<reservation> reserve(std::uint32_t pushes, std::uint32_t pops, site where) const;
  std::uint32_t most_reserved() const;

  /// Writes `values` to reserved cells, in their order; each stretch counts at the gate.
  void write(std::span<const stretch> reserved, std::span<const std::byte> values,
             combine::gate& written, site where) const;

  /// Reads reserved cells into `values`, in their order; each stretch counts at the gate.
  void read(std::span<const stretch> reserved, std::span<std::byte> values, combine::gate& read,
            site where) const;

  /// The number of elements: those stored, and those with cells reserved for them.
  task<std::uint64_t> size(site where) const;

  task<> destroy(site where) const;

 private:
  void transfer(const stretch& reserved, const transfer_origin& origin,
                std::span<const std::byte> bytes, site where) const;

  per_pe<cell_part> parts_;
  cell_geometry geometry_;
};

}  // namespace atl::container
