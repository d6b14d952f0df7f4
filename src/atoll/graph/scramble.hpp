#pragma once
// Hides the order in which a generator numbers vertices: without it, vertex 0 of a Kronecker graph
// has the most edges and its number says so.

#include "atoll/random.hpp"

#include <array>
#include <cstdint>

namespace atl {

/// A pseudo-random bijection of [0, 2^bits) named by a key. Each step of a round can be undone on
/// its own: an addition, the product with an odd number, the exclusive or with the upper half.
class scramble {
 public:
  /// `bits` at most 63.
  constexpr scramble(std::uint64_t key, unsigned bits)
      : mask_((std::uint64_t{1} << bits) - 1), shift_((bits + 1) / 2) {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      addends_[i] = random_at(key, 2 * i);
      factors_[i] = random_at(key, 2 * i + 1) | 1;
    }
  }

  constexpr std::uint64_t operator()(std::uint64_t x) const {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      x = ((x + addends_[i]) * factors_[i]) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }

 private:
  static constexpr std::uint64_t rounds = 3;

  std::uint64_t mask_;
  unsigned shift_;
  std::array<std::uint64_t, rounds> addends_{};
  std::array<std::uint64_t, rounds> factors_{};
};

}  // namespace atl
