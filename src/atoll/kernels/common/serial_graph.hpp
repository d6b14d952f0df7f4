#pragma once
// The whole graph on PE 0, made from the edges of the input. Verifiers compute expected results
// from the whole graph. The code of this file is independent of the code of the distributed graph,
// so the same fault is unlikely in both.

#include "atoll/graph/edge_sources.hpp"
#include "atoll/kernels/common/gather_edges.hpp"
#include "atoll/vertex_array.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

namespace atl::kernels {

/// Selects the weight of an arc that represents several edges of the input.
enum class merged_weight : std::uint8_t {
  none,      ///< arcs have no weights
  smallest,  ///< the smallest weight of the edges between the arc's endpoints, in both directions
  /// The sum of the weights of all edges that lead from the arc's source to its target. If all
  /// edges between the two vertices lead from the target to the source, the sum of the weights of
  /// these edges.
  sum
};

/// A whole graph: the row of each vertex lists the vertices at the other ends of its arcs. The
/// targets of a row are sorted and different, and do not contain the row's own vertex.
struct serial_graph {
  std::vector<std::uint64_t> offsets{0};
  std::vector<vertex_id> targets;
  /// Weights in the order of the targets; empty if arcs have no weights.
  std::vector<double> weights;

  std::uint64_t vertices() const { return offsets.size() - 1; }
  std::span<const vertex_id> row(vertex_id vertex) const {
    return {targets.data() + offsets[vertex], offsets[vertex + 1] - offsets[vertex]};
  }
  std::span<const double> weights_of_row(vertex_id vertex) const {
    if (weights.empty()) return {};
    return {weights.data() + offsets[vertex], offsets[vertex + 1] - offsets[vertex]};
  }
};

/// An edge of the input as PE 0 receives it.
struct serial_edge {
  vertex_id from, to;
  double weight;
};

namespace serial {

/// An arc of a row in which parallel arcs are not merged yet.
struct target {
  vertex_id to;
  double weight;
  bool turned;  // whether the edge of the input has the opposite direction

  friend bool operator<(const target& a, const target& b) {
    return std::tuple(a.to, a.turned, a.weight) < std::tuple(b.to, b.turned, b.weight);
  }
};

/// Returns the merged weight of parallel arcs, which must be sorted.
inline double merged(std::span<const target> same, merged_weight how) {
  double weight = same.front().weight;
  for (const target& one : same.subspan(1)) {
    if (how == merged_weight::smallest) weight = std::min(weight, one.weight);
    if (how == merged_weight::sum && one.turned == same.front().turned) weight += one.weight;
  }
  return weight;
}

/// Merges `arcs`, the arcs of the next vertex, and appends the merged arcs as a row to the graph
/// `to`.
inline void add_row(serial_graph& to, std::vector<target>& arcs, merged_weight how) {
  std::ranges::sort(arcs, std::less<>());
  for (std::size_t begin = 0; begin < arcs.size();) {
    std::size_t end = begin;
    while (end < arcs.size() && arcs[end].to == arcs[begin].to) ++end;
    to.targets.push_back(arcs[begin].to);
    const auto same = std::span<const target>(arcs).subspan(begin, end - begin);
    if (how != merged_weight::none) to.weights.push_back(merged(same, how));
    begin = end;
  }
  to.offsets.push_back(to.targets.size());
}

/// Calls `visit(source, target)` for each arc of an edge. A self loop has no arcs.
template <class Visit>
void for_each_arc(const serial_edge& e, orientation arcs_are, Visit visit) {
  if (e.from == e.to) return;
  if (arcs_are != orientation::in) visit(e.from, target{e.to, e.weight, false});
  if (arcs_are != orientation::out) visit(e.to, target{e.from, e.weight, true});
}

}  // namespace serial

/// Returns the graph of `edges` with rows for `vertices` vertices.
inline serial_graph serial_graph_of(std::span<const serial_edge> edges, std::uint64_t vertices,
                                    orientation arcs_are, merged_weight how) {
  std::vector<std::uint64_t> ends(vertices + 1);
  for (const serial_edge& e : edges)
    serial::for_each_arc(e, arcs_are, [&](vertex_id from, const auto&) { ++ends[from + 1]; });
  for (std::uint64_t v = 0; v < vertices; ++v) ends[v + 1] += ends[v];
  std::vector<serial::target> arcs(ends[vertices]);
  auto places = ends;
  for (const serial_edge& e : edges)
    serial::for_each_arc(e, arcs_are, [&](vertex_id from, const serial::target& arc) {
      arcs[places[from]++] = arc;
    });
  serial_graph made;
  std::vector<serial::target> row;
  for (std::uint64_t v = 0; v < vertices; ++v) {
    const auto of = std::span(arcs).subspan(ends[v], ends[v + 1] - ends[v]);
    row.assign(of.begin(), of.end());
    serial::add_row(made, row, how);
  }
  return made;
}

/// Returns the whole graph on PE 0, and a graph without vertices on other PEs. `stored` has the
/// edges of this PE. PE 0 needs about 80 bytes per edge. Every PE calls this function.
inline task<serial_graph> all_serial_graph(const stored_edges& stored, std::uint64_t vertices,
                                           orientation arcs_are, merged_weight how) {
  std::vector<serial_edge> all;
  const auto item = [&](std::uint64_t i, edge e) {
    const double weight = how == merged_weight::none ? 0 : stored.real_weight(i, e);
    return serial_edge{e.from, e.to, weight};
  };
  const auto keep = [&](std::size_t, std::span<const serial_edge> some) {
    all.insert(all.end(), some.begin(), some.end());
  };
  co_await all_gather_edges(stored, item, keep);
  if (my_pe() != 0) co_return serial_graph();
  co_return serial_graph_of(all, vertices, arcs_are, how);
}

/// Sends each PE the values of its vertices. PE 0 passes the values of all vertices in `all`.
/// Returns the values of this PE's vertices. Every PE calls this function.
template <class T>
task<std::vector<T>> all_deal_values(const partition& shape, const std::vector<T>& all) {
  std::vector<std::vector<T>> parts(static_cast<std::size_t>(pes()));
  if (my_pe() == 0) {
    for (int pe = 0; pe < pes(); ++pe) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(shape.begin(pe));
      const auto last = all.begin() + static_cast<std::ptrdiff_t>(shape.end(pe));
      parts[static_cast<std::size_t>(pe)].assign(first, last);
    }
  }
  const auto received = co_await all_to_all(parts);
  co_return std::vector<T>(received[0].begin(), received[0].end());
}

}  // namespace atl::kernels
