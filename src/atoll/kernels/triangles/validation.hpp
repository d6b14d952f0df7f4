#pragma once
// Verifies counts of triangles, by code that is independent of the kernel's code. PE 0 makes the
// whole graph from the edges of the input, and examines each edge. If the endpoints a and b of the
// edge have a common neighbour c, the three vertices form a triangle. Each arc between a and b is
// then an arc between two neighbours of c.

#include "atoll/kernels/common/serial_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace atl::kernels::triangles {

/// The expected numbers for one vertex.
struct expected_counts {
  std::uint64_t triangles = 0;
  std::uint64_t arcs_between_neighbours = 0;
  std::uint64_t degree = 0;
};

/// Returns the number of arcs between two vertices that are neighbours: 1 or 2.
inline std::uint64_t arcs_between(const serial_graph& arcs, vertex_id a, vertex_id b) {
  const auto leads = [&](vertex_id from, vertex_id to) {
    const auto row = arcs.row(from);
    return std::binary_search(row.begin(), row.end(), to) ? 1u : 0u;
  };
  return leads(a, b) + leads(b, a);
}

/// Returns the expected counts of all vertices. `arcs` has the arcs of the graph, and `neighbours`
/// has the same arcs in both directions. Other tasks of the PE run meanwhile.
inline task<std::vector<expected_counts>> counts_by_edges(const serial_graph& arcs,
                                                          const serial_graph& neighbours) {
  std::vector<expected_counts> counts(neighbours.vertices());
  std::vector<char> is_neighbour(neighbours.vertices());
  for (vertex_id a = 0; a < counts.size(); ++a) {
    const auto row = neighbours.row(a);
    counts[a].degree = row.size();
    for (const vertex_id b : row) is_neighbour[b] = 1;
    for (const vertex_id b : row) {
      const auto of_b = neighbours.row(b);
      if (of_b.size() > row.size() || (of_b.size() == row.size() && b > a)) continue;
      const std::uint64_t between = arcs_between(arcs, a, b);
      for (const vertex_id c : of_b) {
        if (is_neighbour[c] == 0) continue;
        ++counts[c].triangles;
        counts[c].arcs_between_neighbours += between;
      }
    }
    for (const vertex_id b : row) is_neighbour[b] = 0;
    if (a % 64 == 0) co_await yield();
  }
  co_return counts;
}

/// Returns the expected counts of this PE's vertices. `stored` has this PE's edges of the input.
/// Every PE calls this function.
inline task<std::vector<expected_counts>>
all_expected_counts(const partition& shape, const stored_edges& stored, bool directed) {
  const std::uint64_t vertices = shape.vertices;
  const auto neighbours =
      co_await all_serial_graph(stored, vertices, orientation::undirected, merged_weight::none);
  std::vector<expected_counts> counts;
  if (directed) {
    const auto arcs =
        co_await all_serial_graph(stored, vertices, orientation::out, merged_weight::none);
    counts = co_await counts_by_edges(arcs, neighbours);
  } else {
    counts = co_await counts_by_edges(neighbours, neighbours);
  }
  co_return co_await all_deal_values(shape, counts);
}

}  // namespace atl::kernels::triangles
