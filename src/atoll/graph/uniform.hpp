#pragma once
// Uniform random graphs: both ends of every edge are drawn from all vertices alike.

#include "atoll/base/random.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/graph/generator.hpp"

#include <cstdint>

namespace atl {

/// Makes edges: a function object, cheap to copy.
class uniform_generator {
 public:
  /// Throws `error` (input) for parameters out of range.
  explicit uniform_generator(const generator_parameters& parameters)
      : key_(graph::key_of(parameters, graph::random_purpose::uniform)) {
    parameters.check();
    mask_ = parameters.vertices() - 1;
  }

  /// The edge at `index`, in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const {
    return {random_at(key_, 2 * index) & mask_, random_at(key_, 2 * index + 1) & mask_};
  }

 private:
  std::uint64_t key_;
  std::uint64_t mask_ = 0;
};

}  // namespace atl
