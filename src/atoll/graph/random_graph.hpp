#pragma once
// This file lists the generators of random graphs, and defines the generator of uniform graphs. A
// `random_graph_generator` contains one of the generators.

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

// Uniform random graphs. Both endpoints of every edge are chosen from all vertices with equal
// probability.

/// Generates edges. The function object is cheap to copy.
class uniform_generator {
 public:
  /// Makes a generator. Throws `error` (input) if a parameter is out of range.
  explicit uniform_generator(const generator_parameters& parameters)
      : key_(graph::key_of(parameters, graph::random_purpose::uniform)) {
    parameters.check();
    vertices_ = parameters.vertices();
  }

  /// Returns the edge with the number `index`, which is less than parameters.edges().
  edge operator()(std::uint64_t index) const {
    return {vertex(random_at(key_, 2 * index)), vertex(random_at(key_, 2 * index + 1))};
  }

 private:
  /// Returns a vertex for the random number. If the number of vertices is a power of two, the
  /// vertex is the lower bits, which avoids a multiplication.
  std::uint64_t vertex(std::uint64_t random) const {
    return std::has_single_bit(vertices_) ? random & (vertices_ - 1)
                                          : uniform_below(random, vertices_);
  }

  std::uint64_t key_;
  std::uint64_t vertices_ = 1;
};

}  // namespace atl

// A `random_graph_generator` contains one of the generators in the type `any_generator`. A loop
// over many edges of one kind of graph should use the generator of that kind directly.
namespace atl::graph {

using any_generator = std::variant<kronecker_generator, uniform_generator, web_generator>;

}  // namespace atl::graph
