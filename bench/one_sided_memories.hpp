#pragma once
// Symmetric memory of collectives that are measured, and what they add.

#include "atoll/atoll.hpp"
#include "bench/one_sided.hpp"

namespace atl::bench::one_sided {

struct memories {
  symmetric_array<double> source, target;
  symmetric_array<std::byte> sent, received;  ///< the same for sizes that are no number of doubles
  symmetric_array<std::uint64_t> token;
  symmetric_array<std::byte> gathered;     ///< of sequential-reduce: what each PE has put to PE 0
  symmetric_array<std::uint64_t> arrived;  ///< up to which round it is there, by PE
};

/// Whole doubles are added as such, other sizes as bytes.
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
