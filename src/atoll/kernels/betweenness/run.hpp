#pragma once
// Computes the betweenness of the vertices of a graph that is already built.

#include "atoll/kernels/betweenness/search.hpp"
#include "atoll/kernels/betweenness/sources.hpp"

#include <functional>
#include <limits>

namespace atl::kernels::betweenness {

/// Handles to the graph and to the memory that a computation of betweenness needs on every PE.
template <class Id>
struct workspace {
  distributed_graph<Id> graph;
  bool directed = false;
  per_pe<source_rows<Id>> sources;  ///< sources of arcs; filled only for a directed graph
  per_pe<slot_part<Id>> slots;
  per_pe<search_part<Id>> searches;
  boxes<Id> boxes_of_all;

  /// Prepares the data that all sources share. One task calls this function and waits.
  static task<workspace> make(distributed_graph<Id> graph, bool directed);

  /// For each row, sets `scores[row]` to the total contribution of all sources to the vertex of the
  /// row. If `progress` is not empty, calls `progress` after each source, with the fraction of the
  /// sources that is done. If the number of shortest paths from a source to some vertex is too
  /// large for a double, returns the first such source. If all numbers of paths fit into a double,
  /// returns `no_source`. Every PE calls this function and gets the same result.
  task<std::uint64_t> all_add_up(source_choice from, std::span<double> scores,
                                 std::function<void(double)> progress) const;

  /// Frees all memory. One task calls this function and waits.
  task<> destroy() const;

 private:
  const source_rows<Id>* sources_here() const { return directed ? &sources.local() : nullptr; }
  task<std::uint64_t> all_prepare() const;
};

inline constexpr std::uint64_t no_source = std::numeric_limits<std::uint64_t>::max();

template <class Id>
task<workspace<Id>> workspace<Id>::make(distributed_graph<Id> graph, bool directed) {
  workspace made;
  made.graph = graph;
  made.directed = directed;
  if (directed) made.sources = co_await per_pe<source_rows<Id>>::make();
  made.slots = co_await per_pe<slot_part<Id>>::make();
  made.searches = co_await per_pe<search_part<Id>>::make();
  const auto prepare = [made] { return made.all_prepare(); };
  const std::uint64_t most = co_await from_all_pes(prepare);
  made.boxes_of_all.values =
      co_await make_symmetric_array<boxed_value<Id>>(std::max<std::uint64_t>(1, most));
  made.boxes_of_all.counts =
      co_await make_symmetric_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
  co_return made;
}

template <class Id>
task<std::uint64_t> workspace<Id>::all_prepare() const {
  if (directed) co_await all_make_source_rows(graph.local(), sources);
  co_return co_await all_make_slots(graph.local(), sources_here(), slots.local());
}

template <class Id>
task<std::uint64_t> workspace<Id>::all_add_up(source_choice from, std::span<double> scores,
                                              std::function<void(double)> progress) const {
  searcher<Id> search(graph.local(), sources_here(), slots.local(), boxes_of_all, searches);
  std::ranges::fill(scores, 0);
  for (std::uint64_t i = 0; i < from.count; ++i) {
    const std::uint64_t source = from.at(i);
    if (!co_await search.all_add(source, scores)) co_return source;
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(from.count));
  }
  co_return no_source;
}

template <class Id>
task<> workspace<Id>::destroy() const {
  co_await boxes_of_all.values.destroy();
  co_await boxes_of_all.counts.destroy();
  co_await searches.destroy();
  co_await slots.destroy();
  if (directed) co_await sources.destroy();
}

/// Returns the factor by which the sums of `all_add_up` must be multiplied. The factor extrapolates
/// from the chosen sources to all vertices. If `normalized` is true and there are n > 2 vertices,
/// the factor also divides by (n - 1)(n - 2). If `normalized` is false, the factor also halves the
/// sums of an undirected graph, in which each pair of vertices is counted twice.
inline double factor_of(const source_choice& from, bool directed, bool normalized) {
  const auto n = static_cast<double>(from.vertices);
  const double of_sources = from.count == 0 ? 1 : n / static_cast<double>(from.count);
  if (!normalized) return of_sources * (directed ? 1 : 0.5);
  return from.vertices <= 2 ? of_sources : of_sources / ((n - 1) * (n - 2));
}

// The templates are compiled once for 32-bit and once for 64-bit vertex ids, in betweenness.cpp.
#define ATOLL_BETWEENNESS(kind, Id) kind template struct workspace<Id>;
ATOLL_BETWEENNESS(extern, std::uint32_t)
ATOLL_BETWEENNESS(extern, std::uint64_t)

}  // namespace atl::kernels::betweenness
