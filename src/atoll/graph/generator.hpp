#pragma once
// What the generators of random graphs share: their parameters (random_graph.hpp) and their random
// numbers.

#include "atoll/graph/random_purpose.hpp"
#include "atoll/random_graph.hpp"

#include <cstdint>

namespace atl::graph {

constexpr std::uint64_t key_of(const generator_parameters& parameters, random_purpose purpose) {
  return key_of(parameters.seed, purpose);
}

}  // namespace atl::graph
