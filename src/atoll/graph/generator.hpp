#pragma once
// Common parts of the generators of random graphs: a random stream per purpose, parameters, weights
// of edges without weights, and the renumbering of vertices.

#include "atoll/random.hpp"
#include "atoll/random_graph.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace atl::graph {

enum class random_purpose : std::uint64_t {
  kronecker,
  uniform,
  scramble,
  roots,
  weights,
  weights_of_ends,
  web
};

constexpr std::uint64_t key_of(std::uint64_t seed, random_purpose purpose) {
  return random_key(seed, 0x67726170'68000000u + static_cast<std::uint64_t>(purpose));
}

constexpr std::uint64_t key_of(const generator_parameters& parameters, random_purpose purpose) {
  return key_of(parameters.seed, purpose);
}

}  // namespace atl::graph

namespace atl {

constexpr std::uint32_t hashed_weight(std::uint64_t u, std::uint64_t v, std::uint64_t seed) {
  const auto key = graph::key_of(seed, graph::random_purpose::weights_of_ends);
  const auto key_of_smaller = random_at(key, std::min(u, v));
  return static_cast<std::uint32_t>(random_at(key_of_smaller, std::max(u, v)) >> 32);
}

// Renumbering hides the order in which a generator numbers vertices. Without it, vertex 0 of a
// Kronecker graph has the most edges, and numbers reveal degrees.

/// A pseudo-random bijection of [0, 2^bits) selected by a key. Each step of a round is invertible:
/// an addition, the product with an odd number, the exclusive or with the upper half.
class scramble {
 public:
  /// Makes a bijection; `bits` is at most 63.
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
