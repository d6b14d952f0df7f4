#pragma once
// Building a distributed graph: every PE has a part of the edges, counts them, agrees with the others
// on the partition, sends each arc to where it belongs, and turns what it got into rows.

#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/memory/collectives.hpp"
#include "atoll/task/awaitables.hpp"

#include <unordered_map>

namespace atoll {

/// The edges of one PE: `size()` of them, any of which `operator()(i)` gives again and again.
template <class Edges>
concept edge_source = requires(const Edges& edges) {
  { edges.size() } -> std::convertible_to<std::uint64_t>;
  { edges(std::uint64_t{0}) } -> std::convertible_to<edge>;
};

namespace graph {

struct arc {
  std::uint64_t source;
  std::uint64_t target;
};

/// Calls `visit(arc)` for the arcs that an edge stands for.
template <class Visit>
void for_each_arc(edge e, orientation arcs_are, Visit visit) {
  if (arcs_are != orientation::in) visit(arc{e.from, e.to});
  if (arcs_are != orientation::out) visit(arc{e.to, e.from});
}

template <edge_source Edges, class Visit>
void for_each_arc(const Edges& edges, orientation arcs_are, Visit visit) {
  const std::uint64_t count = edges.size();
  for (std::uint64_t i = 0; i < count; ++i) for_each_arc(edges(i), arcs_are, visit);
}

inline constexpr auto k_sum = [](auto a, auto b) { return a + b; };

/// The vertices of at least `threshold` arcs, sorted, on every PE. A vertex of that many arcs has its
/// share of them on some PE, and fills a bucket.
task<std::vector<std::uint64_t>> all_vertices_above(
    std::uint64_t threshold, const std::unordered_map<std::uint64_t, std::uint64_t>& here);

/// The partition of the arcs of all PEs' edges. Every PE calls it.
template <edge_source Edges>
task<partition> all_partition(const Edges& edges, std::uint64_t vertices, orientation arcs_are) {
  const vertex_buckets buckets(vertices);
  std::vector<std::uint64_t> counts(buckets.count());
  for_each_arc(edges, arcs_are, [&](arc a) { ++counts[buckets.of(a.source)]; });
  counts = co_await all_reduce(std::move(counts), k_sum);
  std::uint64_t arcs = 0;
  for (const auto in_bucket : counts) arcs += in_bucket;

  partition result;
  result.vertices = vertices;
  const std::uint64_t threshold = hub_threshold(arcs, pes());
  if (pes() > 1 && std::ranges::any_of(counts, [&](auto n) { return n >= threshold; })) {
    std::unordered_map<std::uint64_t, std::uint64_t> in_full_buckets;
    for_each_arc(edges, arcs_are, [&](arc a) {
      if (counts[buckets.of(a.source)] >= threshold) ++in_full_buckets[a.source];
    });
    result.hubs = co_await all_vertices_above(threshold, in_full_buckets);
    std::ranges::fill(counts, 0);
    for_each_arc(edges, arcs_are, [&](arc a) {
      ++counts[buckets.of(result.hub_number(a.source) ? a.target : a.source)];
    });
    counts = co_await all_reduce(std::move(counts), k_sum);
  }
  result.boundaries = balanced_boundaries(buckets, counts, pes());
  co_return result;
}

/// An arc where its row is.
template <class Id>
struct placed_arc {
  Id row;
  Id target;
};

/// What a PE collects while arcs arrive.
template <class Id>
struct arrivals {
  huge_vector<placed_arc<Id>> arcs;
};

/// Sends the arcs of edges [begin, ...) while there is room; returns where it stopped.
template <class Id, edge_source Edges>
std::uint64_t send_while_room(const Edges& edges, std::uint64_t begin, const graph_part<Id>& part,
                              per_pe<arrivals<Id>> everywhere) {
  const std::uint64_t count = edges.size();
  std::uint64_t i = begin;
  for (; i < count && has_room(); ++i) {
    for_each_arc(edges(i), part.arcs_are, [&](arc a) {
      const auto hub = part.shape.hub_number(a.source);
      const int owner = part.shape.owner(hub ? a.target : a.source);
      const std::uint64_t row =
          hub ? part.shape.end(owner) - part.shape.begin(owner) + *hub
              : a.source - part.shape.begin(owner);
      async_call(owner, [everywhere, placed = placed_arc<Id>{static_cast<Id>(row),
                                                             static_cast<Id>(a.target)}] {
        everywhere.local().arcs.push_back(placed);
      });
    });
  }
  return i;
}

/// Counting sort by row, then each row sorted by target and freed of duplicates and self loops.
template <class Id>
void make_rows(graph_part<Id>& part, huge_vector<placed_arc<Id>>& arcs) {
  const std::uint64_t rows = part.rows();
  part.input_arcs.assign(rows, 0);
  for (const auto& a : arcs) ++part.input_arcs[a.row];
  part.offsets.assign(rows + 1, 0);
  for (std::uint64_t r = 0; r < rows; ++r) {
    part.offsets[r + 1] = part.offsets[r] + part.input_arcs[r];
  }
  part.targets.resize(arcs.size());
  {
    huge_vector<std::uint64_t> next(part.offsets.begin(), part.offsets.end() - 1);
    for (const auto& a : arcs) part.targets[next[a.row]++] = a.target;
  }
  huge_vector<placed_arc<Id>>().swap(arcs);
  std::uint64_t kept = 0;
  for (std::uint64_t r = 0; r < rows; ++r) {
    const auto begin = part.targets.begin() + static_cast<std::ptrdiff_t>(part.offsets[r]);
    const auto end = part.targets.begin() + static_cast<std::ptrdiff_t>(part.offsets[r + 1]);
    std::sort(begin, end);
    auto last = std::unique(begin, end);
    last = std::remove(begin, last, static_cast<Id>(part.vertex_of_row(r)));
    const auto to = part.targets.begin() + static_cast<std::ptrdiff_t>(kept);
    part.offsets[r] = kept;
    kept += static_cast<std::uint64_t>(last - begin);
    std::move(begin, last, to);
  }
  part.offsets[rows] = kept;
  part.targets.resize(kept);
  part.targets.shrink_to_fit();
}

/// Orders each row so that targets of many arcs come first: a search from below stops at the first
/// neighbour it finds in the frontier, and those are the likeliest. Every PE calls it.
template <class Id>
task<> all_order_by_degree(graph_part<Id>& part);

}  // namespace graph

/// Builds the graph from the edges of all PEs, each giving its part. `everywhere` are objects made
/// before, `input_edges` is the number of edges of all PEs. Every PE calls it.
template <class Id, edge_source Edges>
task<> all_build(distributed_graph<Id> everywhere, per_pe<graph::arrivals<Id>> arriving,
                 const Edges& edges, std::uint64_t vertices, std::uint64_t input_edges,
                 orientation arcs_are) {
  graph_part<Id>& part = everywhere.local();
  part.shape = co_await graph::all_partition(edges, vertices, arcs_are);
  part.arcs_are = arcs_are;
  part.input_edges = input_edges;
  part.first_vertex = part.shape.begin(my_pe());
  part.vertices = part.shape.end(my_pe()) - part.first_vertex;
  const auto send_all = [&]() -> task<> {
    for (std::uint64_t i = 0; i < edges.size();) {
      i = graph::send_while_room(edges, i, part, arriving);
      co_await room();
    }
  };
  co_await finish(send_all);
  co_await all_barrier();
  graph::make_rows(part, arriving.local().arcs);
  if (arcs_are == orientation::undirected) co_await graph::all_order_by_degree(part);
  co_await all_barrier();
}

}  // namespace atoll

#include "atoll/graph/degree_order.hpp"
