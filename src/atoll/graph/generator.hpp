#pragma once
// Functions for the generators of random graphs. The functions select random streams, check
// parameters, and compute weights for edges without weights.

#include "atoll/random.hpp"
#include "atoll/random_graph.hpp"

#include <algorithm>
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

}  // namespace atl
