#pragma once
// Chooses the sources of a computation of betweenness. A source is a vertex at which counted paths
// begin.

#include "atoll/random.hpp"

#include <bit>
#include <cstdint>

namespace atl::kernels::betweenness {

/// A random order of all vertices. The first vertices of the order are the sources. A Feistel
/// network permutes the numbers below a power of 4 that is at least the number of vertices. If a
/// permuted number is not a vertex, the network permutes the number again. The order takes no
/// memory and is the same on every PE.
class source_order {
 public:
  source_order(std::uint64_t vertices, std::uint64_t seed)
      : vertices_(vertices), key_(random_key(seed)) {
    const auto bits = static_cast<unsigned>(std::bit_width(vertices == 0 ? 0 : vertices - 1));
    half_bits_ = bits < 2 ? 1 : (bits + 1) / 2;
    mask_ = (std::uint64_t{1} << half_bits_) - 1;
  }

  /// Returns the vertex at position `i` of the order. `i` must be less than the number of vertices.
  std::uint64_t operator[](std::uint64_t i) const {
    do i = permuted(i);
    while (i >= vertices_);
    return i;
  }

 private:
  static constexpr unsigned k_rounds = 4;

  std::uint64_t permuted(std::uint64_t number) const {
    std::uint64_t left = number >> half_bits_, right = number & mask_;
    for (unsigned round = 0; round < k_rounds; ++round) {
      const std::uint64_t mixed = random_at(key_ + round, right) & mask_;
      const std::uint64_t before = left;
      left = right;
      right = before ^ mixed;
    }
    return left << half_bits_ | right;
  }

  std::uint64_t vertices_;
  std::uint64_t key_;
  unsigned half_bits_ = 1;
  std::uint64_t mask_ = 1;
};

/// The choice of the sources of a computation.
struct source_choice {
  std::uint64_t vertices = 0;
  /// Number of sources. If there are fewer sources than vertices, sources are chosen at random.
  std::uint64_t count = 0;
  std::uint64_t seed = 0;

  /// Returns source number `i`, counted from 0. `i` must be less than `count`.
  std::uint64_t at(std::uint64_t i) const {
    return count == vertices ? i : source_order(vertices, seed)[i];
  }
};

}  // namespace atl::kernels::betweenness
