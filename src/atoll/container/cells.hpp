#pragma once
// The cells of an ordered structure, as commits see them.

#include "atoll/collectives.hpp"
#include "atoll/container/cell_owner.hpp"
#include "atoll/container/reserving.hpp"

#include <optional>

namespace atl::container {

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
