#pragma once
// Weights for edges that have none: a pure function of the two ends, so that every PE that sees an
// edge, in whichever direction, knows its weight, and all copies of an edge weigh the same.

#include "atoll/graph/generator.hpp"

#include <algorithm>
#include <cstdint>

namespace atl {

/// The weight of the edge between u and v: uniform in 32 bits, the same for v and u. Anyone may
/// call it.
constexpr std::uint32_t hashed_weight(std::uint64_t u, std::uint64_t v, std::uint64_t seed) {
  const auto key = graph::key_of({.seed = seed}, graph::random_purpose::weights_of_ends);
  const auto key_of_smaller = random_at(key, std::min(u, v));
  return static_cast<std::uint32_t>(random_at(key_of_smaller, std::max(u, v)) >> 32);
}

}  // namespace atl
