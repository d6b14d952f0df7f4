#pragma once
// The parts of a random_graph_generator: the generators of all kinds, of which the uniform one is
// here.

#include "atoll/graph/edge.hpp"
#include "atoll/graph/generator.hpp"
#include "atoll/graph/kronecker.hpp"
#include "atoll/graph/web.hpp"
#include "atoll/random.hpp"
#include "atoll/random_graph.hpp"

#include <bit>
#include <cstdint>
#include <variant>

namespace atl {

// Uniform random graphs: both ends of every edge are drawn uniformly from all vertices.

/// Makes edges. The function object is cheap to copy.
class uniform_generator {
 public:
  /// Throws `error` (input) for parameters out of range.
  explicit uniform_generator(const generator_parameters& parameters)
      : key_(graph::key_of(parameters, graph::random_purpose::uniform)) {
    parameters.check();
    vertices_ = parameters.vertices();
  }

  /// Returns the edge at `index`, in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const {
    return {vertex(random_at(key_, 2 * index)), vertex(random_at(key_, 2 * index + 1))};
  }

 private:
  /// Returns a vertex. A power of two takes the lower bits, which avoids a multiplication.
  std::uint64_t vertex(std::uint64_t random) const {
    return std::has_single_bit(vertices_) ? random & (vertices_ - 1)
                                          : uniform_below(random, vertices_);
  }

  std::uint64_t key_;
  std::uint64_t vertices_ = 1;
};

}  // namespace atl

// The parts of a random_graph_generator. A hot loop for one kind of edges should use the generator
// of that kind.
namespace atl::graph {

using any_generator = std::variant<kronecker_generator, uniform_generator, web_generator>;

}  // namespace atl::graph
