#pragma once
// Verifies betweenness by the serial algorithm of Brandes (2001), without code of the kernel. PE 0
// makes the whole graph from the edges of the input, and runs the serial algorithm.

#include "atoll/kernels/betweenness/sources.hpp"
#include "atoll/kernels/common/serial_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace atl::kernels::betweenness {

/// Largest allowed deviation of a value, relative to the expected value. The kernel and the serial
/// algorithm add in different orders, which causes only smaller deviations.
inline constexpr double k_allowed_deviation = 1e-9;

/// Returns true if `found` differs from `expected` by no more than the allowed deviation.
inline bool is_as_expected(double found, double expected) {
  return found == expected || std::abs(found - expected) <= k_allowed_deviation * expected;
}

/// The data of one search of the serial algorithm.
struct serial_search {
  std::vector<vertex_id> order;
  std::vector<std::uint64_t> distance;
  std::vector<double> paths, dependency;

  /// Adds to `scores` the dependency of `source` on each vertex.
  void add(const serial_graph& graph, vertex_id source, std::vector<double>& scores) {
    constexpr auto far = no_vertex;
    order.assign(1, source);
    distance.assign(graph.vertices(), far);
    paths.assign(graph.vertices(), 0);
    dependency.assign(graph.vertices(), 0);
    distance[source] = 0;
    paths[source] = 1;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const vertex_id v = order[i];
      for (const vertex_id w : graph.row(v)) {
        if (distance[w] == far) {
          distance[w] = distance[v] + 1;
          order.push_back(w);
        }
        if (distance[w] == distance[v] + 1) paths[w] += paths[v];
      }
    }
    for (std::size_t i = order.size(); i-- > 1;) {
      const vertex_id v = order[i];
      for (const vertex_id w : graph.row(v))
        if (distance[w] == distance[v] + 1)
          dependency[v] += paths[v] / paths[w] * (1 + dependency[w]);
      scores[v] += dependency[v];
    }
  }
};

/// Returns the expected values of this PE's vertices. An expected value is the sum of the
/// contributions of all sources, multiplied by `factor`. `stored` has this PE's edges of the input.
/// Every PE calls this function.
inline task<std::vector<double>> all_expected_scores(const partition& shape,
                                                     const stored_edges& stored, bool directed,
                                                     source_choice from, double factor) {
  const auto arcs_are = directed ? orientation::out : orientation::undirected;
  const auto graph =
      co_await all_serial_graph(stored, shape.vertices, arcs_are, merged_weight::none);
  std::vector<double> scores(graph.vertices());
  if (my_pe() == 0) {
    serial_search search;
    for (std::uint64_t i = 0; i < from.count; ++i) {
      search.add(graph, from.at(i), scores);
      co_await yield();
    }
    for (double& score : scores) score *= factor;
  }
  co_return co_await all_deal_values(shape, scores);
}

}  // namespace atl::kernels::betweenness
