#pragma once
// The Kronecker graphs of the Graph500 benchmark: the adjacency matrix is split into quadrants
// again and again, and an edge falls into each quadrant with a fixed probability.

#include "atoll/graph/edge.hpp"
#include "atoll/graph/generator.hpp"
#include "atoll/graph/quadrant_table.hpp"
#include "atoll/graph/scramble.hpp"

#include <cstdint>

namespace atl {

/// Makes edges: a function object, cheap to copy.
class kronecker_generator {
 public:
  /// The probabilities of three quadrants; the fourth has the rest to 1.
  static constexpr double a = 0.57, b = 0.19, c = 0.19;

  /// Throws `error` (input) for parameters out of range.
  explicit kronecker_generator(const generator_parameters& parameters);

  /// The edge at `index`, in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const {
    const edge plain = in_order(index);
    return {scramble_(plain.from), scramble_(plain.to)};
  }

  /// The same edge before the vertices are renamed.
  edge in_order(std::uint64_t index) const {
    edge result{0, 0};
    for (auto word = index * words_; word < (index + 1) * words_; ++word) {
      const auto random = random_at(key_, word);
      descend(result, static_cast<std::uint32_t>(random));
      descend(result, static_cast<std::uint32_t>(random >> 32));
    }
    return {result.from >> excess_, result.to >> excess_};
  }

 private:
  static constexpr graph::quadrant_table table_{a, b, c};
  static constexpr unsigned levels_a_word = 2 * graph::quadrant_table::levels;

  static void descend(edge& e, std::uint32_t random) {
    const auto block = table_(random);
    e.from = e.from << graph::quadrant_table::levels | block.row;
    e.to = e.to << graph::quadrant_table::levels | block.column;
  }

  std::uint64_t words_;
  unsigned excess_;  // levels drawn beyond the scale; the last ones, so the first keep their law
  std::uint64_t key_;
  scramble scramble_;
};

/// One edge alone; for many, keep a kronecker_generator.
inline edge kronecker_edge(const generator_parameters& parameters, std::uint64_t index) {
  return kronecker_generator(parameters)(index);
}

}  // namespace atl
