#pragma once
// Symmetric memory of the measured collectives, and the addition that reductions perform.

#include "atoll/atoll.hpp"
#include "bench/one_sided.hpp"

namespace atl::bench::one_sided {

struct memories {
  symmetric_array<double> source, target;
  symmetric_array<std::byte> sent, received;  ///< for sizes that are no multiple of a double
  symmetric_array<std::uint64_t> token;
  symmetric_array<std::byte> gathered;     ///< sequential-reduce: the parts of all PEs, on PE 0
  symmetric_array<std::uint64_t> arrived;  ///< latest round whose part has arrived, by PE
};

/// Returns whether the data are added as doubles. Sizes that are no multiple of a double are added
/// as bytes.
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
