#pragma once
// Weights for edges that have none, as random_graph.hpp tells of them.

#include "atoll/graph/random_purpose.hpp"
#include "atoll/random_graph.hpp"

#include <algorithm>
#include <cstdint>

namespace atl {

constexpr std::uint32_t hashed_weight(std::uint64_t u, std::uint64_t v, std::uint64_t seed) {
  const auto key = graph::key_of(seed, graph::random_purpose::weights_of_ends);
  const auto key_of_smaller = random_at(key, std::min(u, v));
  return static_cast<std::uint32_t>(random_at(key_of_smaller, std::max(u, v)) >> 32);
}

}  // namespace atl
