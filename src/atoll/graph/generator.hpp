#pragma once
// What the random graphs share. Every edge is a pure function of (parameters, index): each PE makes
// its share of the indices alone, and the graph is the same for every number of PEs.

#include "atoll/graph/edge.hpp"
#include "atoll/random.hpp"

#include <cstdint>

namespace atl {

/// Which law the edges of a random graph follow.
enum class graph_kind : std::uint8_t {
  kronecker,  ///< as Graph500 makes them
  uniform,    ///< all alike
  web         ///< as links between pages
};

/// A random graph: 2^scale vertices and edge_factor * 2^scale edges, unless other numbers are asked
/// for.
struct generator_parameters {
  std::uint64_t scale = 18;
  std::uint64_t edge_factor = 16;
  std::uint64_t seed = 1;
  std::uint64_t exact_vertices = 0;         ///< in place of 2^scale where it is not 0
  double edges_per_vertex = 0;              ///< in place of edge_factor where it is not 0
  graph_kind kind = graph_kind::kronecker;  ///< for who makes graphs of any kind (random_graph.hpp)

  static constexpr std::uint64_t largest_scale = 48;
  static constexpr std::uint64_t largest_edges_per_vertex = std::uint64_t{1} << 20;

  constexpr std::uint64_t vertices() const {
    return exact_vertices != 0 ? exact_vertices : std::uint64_t{1} << scale;
  }
  constexpr std::uint64_t edges() const {
    if (edges_per_vertex == 0) return edge_factor * vertices();
    return static_cast<std::uint64_t>(edges_per_vertex * static_cast<double>(vertices()) + 0.5);
  }

  /// Throws `error` (input) unless the graph has a vertex and numbers that fit 64 bits.
  void check() const;
};

/// The k-th candidate for the root of a search: uniform in [0, vertices()), repeats possible. The
/// caller skips vertices without an edge and vertices it has had.
std::uint64_t root_candidate(const generator_parameters& parameters, std::uint64_t k);

/// The same for any graph of so many vertices, at least 1.
std::uint64_t root_candidate(std::uint64_t seed, std::uint64_t vertices, std::uint64_t k);

/// The weight of the edge at `index` in files with weights: uniform in 1 to 255.
std::int64_t random_weight(const generator_parameters& parameters, std::uint64_t index);

namespace graph {

/// One stream of random numbers a purpose, so that none of them depends on another.
enum class random_purpose : std::uint64_t {
  kronecker,
  uniform,
  scramble,
  roots,
  weights,
  weights_of_ends,
  web
};

constexpr std::uint64_t key_of(const generator_parameters& parameters, random_purpose purpose) {
  return random_key(parameters.seed, 0x67726170'68000000u + static_cast<std::uint64_t>(purpose));
}

}  // namespace graph
}  // namespace atl
