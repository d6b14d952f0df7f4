#pragma once
// Computes the weights of arcs from the weights of edges. This header also sorts the arcs of a row
// and combines the weights of parallel arcs. A graph without weights needs no time or memory for
// weights.

#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/edge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace atl {

/// The rule for an undirected graph whose input has edges from u to v and from v to u. The rule
/// tells whether edges of both directions count for the weight of the arc from u to v.
enum class turned_edges : std::uint8_t {
  /// Only edges in the direction of the arc count. If no edge has the direction of the arc, edges
  /// in the opposite direction count.
  are_the_same,
  add_up  ///< edges of both directions count
};

/// How the weight of an arc is computed from the weights of the input edges that became this arc.
/// `weight(i, edge)` returns the weight of edge `i` of this PE.
template <class Weight>
struct arc_weighing {
  Weight weight;
  parallel_edges of_several = parallel_edges::add_up;
  turned_edges turned = turned_edges::are_the_same;
};

/// Takes the place of an `arc_weighing` for a graph whose arcs have no weights.
struct no_weighing {};

namespace graph {

/// An arc with a weight, as stored on the PE that has the row of the arc.
template <class Id>
struct weighted_target {
  double weight;
  Id target;
  bool is_turned;  ///< whether the arc has the opposite direction of its edge
};

/// Returns a number that is larger for a larger weight. Two weights have equal numbers only if
/// their bits are equal.
inline std::uint64_t order_of(double weight) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(weight);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// Sorts the arcs of a row by target. Arcs to the same target are sorted by `is_turned` and then by
/// weight. Sums of weights therefore do not depend on the order in which arcs arrived.
template <class Id>
void sort_row(std::span<weighted_target<Id>> row) {
  const auto is_before = [](const weighted_target<Id>& a, const weighted_target<Id>& b) {
    if (a.target != b.target) return a.target < b.target;
    if (a.is_turned != b.is_turned) return b.is_turned;
    return order_of(a.weight) < order_of(b.weight);
  };
  std::ranges::sort(row, is_before);
}

/// Returns the smallest weight of parallel arcs. If one of the weights is NaN, the result is NaN
/// too, so that the caller can reject the weight.
template <class Id>
double least_weight(std::span<const weighted_target<Id>> arcs) {
  double least = arcs.front().weight;
  for (const auto& each : arcs)
    if (std::isnan(each.weight) || each.weight < least) least = each.weight;
  return least;
}

/// Returns the sum of the weights of parallel arcs, which are sorted by `sort_row`.
template <class Id>
double sum_of_weights(std::span<const weighted_target<Id>> arcs, turned_edges turned) {
  double sum = 0;
  for (const auto& each : arcs) {
    if (turned == turned_edges::are_the_same && each.is_turned != arcs.front().is_turned) break;
    sum += each.weight;
  }
  return sum;
}

/// Returns the weight of one arc. `arcs` has the parallel arcs that the input edges became.
template <class Id, class Weight>
double weight_of_arc(std::span<const weighted_target<Id>> arcs, const arc_weighing<Weight>& how) {
  return how.of_several == parallel_edges::least ? least_weight(arcs)
                                                 : sum_of_weights(arcs, how.turned);
}

}  // namespace graph

}  // namespace atl
