#pragma once
// Random graphs: every edge is a pure function of the parameters and its index. So each PE makes
// its edges alone, and the graph is the same for every number of PEs:
//
//   const atl::generator_parameters chosen{.scale = 20};
//   const auto graph =
//       co_await atl::make_graph(chosen.edges(), atl::random_graph_generator(chosen));

#include "atoll/graph/edge.hpp"

#include <array>
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
  std::uint64_t exact_vertices =
      0;                        ///< in place of 2^scale where it is not 0; of no Kronecker graph
  double edges_per_vertex = 0;  ///< in place of edge_factor where it is not 0
  graph_kind kind = graph_kind::kronecker;

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

/// Makes the edges of a graph of any kind: a function object to call on any PE, trivially copyable.
class random_graph_generator {
 public:
  /// Throws `error` (input) for parameters out of range.
  explicit random_graph_generator(const generator_parameters& parameters);

  /// The edge at `index`, in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const;

 private:
  alignas(std::uint64_t) std::array<std::byte, 128> generator_;  // of the kind
};

/// The weight of the edge at `index` in files with weights: uniform in 1 to 255.
std::int64_t random_weight(const generator_parameters& parameters, std::uint64_t index);

/// The weight of the edge between u and v, in a graph without any: uniform in 32 bits, the same for
/// v and u. So every PE that sees an edge, in whichever direction, knows its weight, and all copies
/// of an edge weigh the same.
constexpr std::uint32_t hashed_weight(std::uint64_t u, std::uint64_t v, std::uint64_t seed);

/// The k-th candidate for the root of a search: uniform in [0, vertices()), repeats possible. The
/// caller skips vertices without an edge and vertices it has had.
std::uint64_t root_candidate(const generator_parameters& parameters, std::uint64_t k);

/// The same for any graph of so many vertices, at least 1.
std::uint64_t root_candidate(std::uint64_t seed, std::uint64_t vertices, std::uint64_t k);

}  // namespace atl

#include "atoll/graph/edge_weight.hpp"
