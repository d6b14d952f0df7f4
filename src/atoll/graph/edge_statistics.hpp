#pragma once
// What a list of edges looks like as a graph: sizes, degrees, what is there twice. Serial.

#include "atoll/graph/edge.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace atl {

/// Which ends of an edge count for the degree of a vertex.
enum class counted_ends : std::uint8_t {
  from,  ///< out-degree
  to,    ///< in-degree
  both   ///< degree; an edge from a vertex to itself counts twice
};

/// The degrees of all vertices that have one above 0.
struct degree_distribution {
  std::uint64_t vertices = 0;
  std::uint64_t least = 0;
  std::uint64_t median = 0;
  std::uint64_t percentile_99 = 0;
  std::uint64_t most = 0;
  double mean = 0;
  /// The first vertex with the largest degree.
  std::uint64_t most_vertex = 0;
  /// How many have a degree of 2^k up to 2^(k+1) - 1, for each k up to the last that has any.
  std::vector<std::uint64_t> by_power;
};

/// Takes at most 16 bytes an edge and 8 a vertex of working memory.
degree_distribution degrees_of(std::span<const edge> edges, counted_ends ends);

/// The largest id + 1; 0 without edges.
std::uint64_t vertices_of(std::span<const edge> edges);

/// The smallest id; 2^64 - 1 without edges.
std::uint64_t least_vertex_of(std::span<const edge> edges);

/// Vertices that edges connect, their direction aside.
struct component_sizes {
  std::uint64_t count = 0;    ///< those that have an edge
  std::uint64_t largest = 0;  ///< vertices of the largest one
};

/// Takes at most 16 bytes an edge and 16 a vertex of working memory.
component_sizes components_of(std::span<const edge> edges);

/// Edges whose ends are the same vertex.
std::uint64_t self_loops_of(std::span<const edge> edges);

/// Edges that repeat another one. If they are not directed, the order of the ends does not matter.
/// Leaves the edges sorted, and undirected ones with the smaller end first.
std::uint64_t sort_and_count_duplicates(std::span<edge> edges, bool directed);

}  // namespace atl
