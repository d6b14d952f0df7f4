#pragma once
// The owner's side of ordered cells: transfers are served in the order of their tickets.

#include "atoll/combine/gate.hpp"
#include "atoll/container/stretch.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace atl::container {

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

}  // namespace atl::container
