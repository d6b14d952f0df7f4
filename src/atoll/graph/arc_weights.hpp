#pragma once
// Optional weights of the arcs of a graph. A graph without weights pays nothing for them.

#include "atoll/graph/build.hpp"

#include <algorithm>
#include <limits>

namespace atl {

/// The meaning of an edge from v to u beside one from u to v, if edges have no direction.
enum class turned_edges : std::uint8_t {
  are_the_same,  ///< an arc has the weights of edges in its direction; where there are none, of
                 ///< those in the other one
  add_up         ///< an arc has the weights of edges in both directions
};

namespace graph {

/// The edges that have weighed an arc so far. While that matters, these numbers stand behind the
/// weights of all arcs.
enum weighed_by : std::uint8_t { nothing, turned_edge, own_edge };

/// Returns the number of the arc from the vertex of a row on this PE to `target`.
template <class Id>
std::uint64_t number_of_arc(const graph_part<Id>& part, std::uint64_t row, Id target) {
  const auto begin = part.targets.begin() + static_cast<std::ptrdiff_t>(part.offsets[row]);
  const auto end = part.targets.begin() + static_cast<std::ptrdiff_t>(part.offsets[row + 1]);
  const auto found = std::lower_bound(begin, end, target);
  ATOLL_ASSERT(found != end && *found == target, "the graph was built of the same edges");
  return static_cast<std::uint64_t>(found - part.targets.begin());
}

/// Lowers the weight of an arc whose row is on this PE to `weight`, if that is less.
template <class Id>
void lower_weight(graph_part<Id>& part, std::uint64_t row, Id target, double weight) {
  double& now = part.weights[number_of_arc(part, row, target)];
  if (now == now && !(weight >= now)) now = weight;  // NaN stays, so that it can be refused
}

/// Adds to the weight of an arc whose row is on this PE.
template <class Id>
void add_weight(graph_part<Id>& part, std::uint64_t row, Id target, double weight,
                weighed_by edge) {
  const std::uint64_t arc = number_of_arc(part, row, target);
  if (part.weights.size() > part.targets.size()) {
    double& weighed = part.weights[part.targets.size() + arc];
    const auto now = static_cast<double>(edge);
    if (now < weighed) return;  // there are weights of the arc's own direction
    if (now > weighed) part.weights[arc] = 0;
    weighed = now;
  }
  part.weights[arc] += weight;
}

/// Sends the weights of edge `i` to its arcs.
template <class Id, edge_source Edges, class Weight>
void send_weights(distributed_graph<Id> everywhere, const Edges& edges, const Weight& weight,
                  parallel_edges of_several, std::uint64_t i) {
  const graph_part<Id>& part = everywhere.local();
  const edge e = edges(i);
  if (e.from == e.to) return;
  const double weighs = static_cast<double>(weight(i, e));
  for_each_arc(e, part.arcs_are, [&](arc a) {
    const auto [owner, row] = place_of(a, part.shape);
    if (of_several == parallel_edges::least) {
      async_call(owner, [everywhere, row = static_cast<Id>(row), target = static_cast<Id>(a.target),
                         weighs] { lower_weight(everywhere.local(), row, target, weighs); });
      return;
    }
    const auto by = a.source == e.from ? weighed_by::own_edge : weighed_by::turned_edge;
    async_call(owner, [everywhere, row = static_cast<Id>(row), target = static_cast<Id>(a.target),
                       weighs, by] { add_weight(everywhere.local(), row, target, weighs, by); });
  });
}

}  // namespace graph

/// Gives every arc of the graph a weight: by default the sum of the weights of the edges that it
/// stands for. Rows must be by target (`row_order`), or every PE gets an `error` (input). `turned`
/// matters for sums in undirected graphs, whose file may list an edge in both directions. By
/// default both lines are one edge: each arc gets the weight of its own direction. With
/// `parallel_edges::least` the arc gets the smallest weight of its edges, in both directions.
/// `edges` and `weight(i, edge)` describe the edges of this PE from which the graph was built.
/// Every PE calls it.
template <class Id, edge_source Edges, class Weight>
task<> all_add_weights(distributed_graph<Id> everywhere, const Edges& edges, const Weight& weight,
                       turned_edges turned = turned_edges::are_the_same,
                       parallel_edges of_several = parallel_edges::add_up) {
  graph_part<Id>& part = everywhere.local();
  if (part.rows_are != row_order::by_target)
    fail(errc::input, "arcs get weights where the rows of their graph are by target (row_order)");
  const bool finds_least = of_several == parallel_edges::least;
  const bool by_direction = !finds_least && part.arcs_are == orientation::undirected &&
                            turned == turned_edges::are_the_same;
  part.weights.clear();
  co_await graph::grow(part.weights, part.arcs() * (by_direction ? 2 : 1));
  if (finds_least) std::ranges::fill(part.weights, std::numeric_limits<double>::infinity());
  co_await all_barrier();
  const auto send_all = [&]() -> task<> {
    for (std::uint64_t i = 0; i < edges.size(); ++i) {
      graph::send_weights(everywhere, edges, weight, of_several, i);
      if (!has_room()) co_await room();
      if (i % graph::k_stretch == graph::k_stretch - 1) co_await yield();
    }
  };
  co_await finish(send_all);
  co_await all_barrier();
  part.weights.resize(part.arcs());
  if (by_direction) part.weights.shrink_to_fit();
}

}  // namespace atl
