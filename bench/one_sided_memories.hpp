#pragma once
// The symmetric memory of the measured collectives, and the addition that reductions perform.

#include "atoll/atoll.hpp"
#include "bench/one_sided.hpp"

namespace atl::bench::one_sided {

struct memories {
  symmetric_array<double> source, target;
  /// Memory for data that is added as bytes, because its size is not a multiple of the size of a
  /// double.
  symmetric_array<std::byte> sent, received;
  symmetric_array<std::uint64_t> token;
  /// On PE 0, the parts of all PEs for the operation sequential-reduce.
  symmetric_array<std::byte> gathered;
  symmetric_array<std::uint64_t> arrived;  ///< for each PE, the latest round whose part has arrived
};

/// Returns whether the data are added as doubles. If the size is not a multiple of the size of a
/// double, the data are added as bytes.
inline bool as_doubles(const load& chosen) { return chosen.bytes % sizeof(double) == 0; }

struct add_bytes {
  using value = std::byte;
  using partial = std::byte;
  constexpr std::byte identity() const { return {}; }
  constexpr void apply(std::byte& data, const std::byte& more) const {
    data = static_cast<std::byte>(static_cast<unsigned>(data) + static_cast<unsigned>(more));
  }
  constexpr void fold(std::byte& left, const std::byte& right) const { apply(left, right); }
};

}  // namespace atl::bench::one_sided
