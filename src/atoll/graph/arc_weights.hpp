#pragma once
// Weights of the arcs of a graph, for those who ask for them. Whoever does not pays nothing.

#include "atoll/graph/build.hpp"

namespace atl {

namespace graph {

/// Adds to the weight of an arc whose row is here.
template <class Id>
void add_weight(graph_part<Id>& part, std::uint64_t row, Id target, double weight) {
  const auto begin = part.targets.begin() + static_cast<std::ptrdiff_t>(part.offsets[row]);
  const auto end = part.targets.begin() + static_cast<std::ptrdiff_t>(part.offsets[row + 1]);
  const auto found = std::lower_bound(begin, end, target);
  ATOLL_ASSERT(found != end && *found == target, "the graph was built of the same edges");
  part.weights[static_cast<std::uint64_t>(found - part.targets.begin())] += weight;
}

/// Sends the weights of edge `i` to its arcs.
template <class Id, edge_source Edges, class Weight>
void send_weights(distributed_graph<Id> everywhere, const Edges& edges, const Weight& weight,
                  std::uint64_t i) {
  const graph_part<Id>& part = everywhere.local();
  const edge e = edges(i);
  if (e.from == e.to) return;
  const double weighs = static_cast<double>(weight(i, e));
  for_each_arc(e, part.arcs_are, [&](arc a) {
    const auto [owner, row] = place_of(a, part.shape);
    async_call(owner, [everywhere, row = static_cast<Id>(row), target = static_cast<Id>(a.target),
                       weighs] { add_weight(everywhere.local(), row, target, weighs); });
  });
}

}  // namespace graph

/// Gives every arc of the graph, whose rows are by target (`row_order`), the sum of the weights of
/// the edges it stands for. `edges` and `weight(i, edge)` are of this PE, the same edges that the
/// graph was built of. Every PE calls it. Throws `error` (input) on every PE where rows are ordered
/// by degree.
template <class Id, edge_source Edges, class Weight>
task<> all_add_weights(distributed_graph<Id> everywhere, const Edges& edges, const Weight& weight) {
  graph_part<Id>& part = everywhere.local();
  if (part.rows_are != row_order::by_target)
    fail(errc::input, "arcs get weights where the rows of their graph are by target (row_order)");
  part.weights.clear();
  co_await graph::grow(part.weights, part.arcs());
  co_await all_barrier();
  const auto send_all = [&]() -> task<> {
    for (std::uint64_t i = 0; i < edges.size(); ++i) {
      graph::send_weights(everywhere, edges, weight, i);
      if (!has_room()) co_await room();
      if (i % graph::k_stretch == graph::k_stretch - 1) co_await yield();
    }
  };
  co_await finish(send_all);
  co_await all_barrier();
}

}  // namespace atl
