#pragma once
// Random graphs: every edge is a pure function of the parameters and its index. Each PE therefore
// makes its edges alone, and the graph is the same for every number of PEs:
//
//   const atl::generator_parameters chosen{.scale = 20};
//   const auto graph =
//       co_await atl::make_graph(chosen.edges(), atl::random_graph_generator(chosen));

#include "atoll/graph/edge.hpp"

#include <array>
#include <cstdint>

namespace atl {

/// The distribution of the edges of a random graph.
enum class graph_kind : std::uint8_t {
  kronecker,  ///< as in Graph500
  uniform,    ///< all edges equally likely
  web         ///< like links between pages
};

/// The parameters of a random graph. By default it has 2^scale vertices and edge_factor * 2^scale
/// edges.
struct generator_parameters {
  std::uint64_t scale = 18;
  std::uint64_t edge_factor = 16;
  std::uint64_t seed = 1;
  std::uint64_t exact_vertices = 0;  ///< replaces 2^scale if it is not 0; not for a Kronecker graph
  double edges_per_vertex = 0;       ///< replaces edge_factor if it is not 0
  graph_kind kind = graph_kind::kronecker;

  static constexpr std::uint64_t largest_scale = 48;
  static constexpr std::uint64_t largest_edges_per_vertex = std::uint64_t{1} << 20;

  /// Returns the number of vertices of the graph.
  constexpr std::uint64_t vertices() const {
    return exact_vertices != 0 ? exact_vertices : std::uint64_t{1} << scale;
  }
  /// Returns the number of edges of the graph.
  constexpr std::uint64_t edges() const {
    if (edges_per_vertex == 0) return edge_factor * vertices();
    return static_cast<std::uint64_t>(edges_per_vertex * static_cast<double>(vertices()) + 0.5);
  }

  /// Throws `error` (input) unless the graph has at least one vertex and its numbers fit 64 bits.
  void check() const;
};

/// Generates the edges of a random graph of any kind. A trivially copyable function object, which
/// any PE may call.
class random_graph_generator {
 public:
  /// Makes a generator. Throws `error` (input) for parameters out of range.
  explicit random_graph_generator(const generator_parameters& parameters);

  /// Returns the edge at `index`, which is in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const;

 private:
  alignas(std::uint64_t) std::array<std::byte, 128> generator_;  // the generator of the chosen kind
};

/// Returns the weight of the edge at `index` in files with weights: uniform in 1 to 255.
std::int64_t random_weight(const generator_parameters& parameters, std::uint64_t index);

/// Returns the weight of the edge between u and v, in a graph without weights: uniform in 32 bits,
/// the same for v and u. Every PE can therefore compute the weight of any edge, in either
/// direction, and all copies of an edge have the same weight.
constexpr std::uint32_t hashed_weight(std::uint64_t u, std::uint64_t v, std::uint64_t seed);

/// Returns the k-th candidate for the root of a search: uniform in [0, vertices()), repeats
/// possible. The caller skips vertices without an edge and vertices that were chosen before.
std::uint64_t root_candidate(const generator_parameters& parameters, std::uint64_t k);

/// Returns the k-th candidate for the root of a search in any graph of `vertices` vertices, at
/// least 1: uniform in [0, vertices), repeats possible.
std::uint64_t root_candidate(std::uint64_t seed, std::uint64_t vertices, std::uint64_t k);

}  // namespace atl

#include "atoll/graph/generator.hpp"
