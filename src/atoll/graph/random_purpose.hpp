#pragma once
// The random numbers of graphs: a stream for each purpose, so that none depends on another.

#include "atoll/random.hpp"

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

}  // namespace atl::graph
