#pragma once
// Counts the triangles of a graph that is already built.

#include "atoll/kernels/triangles/count.hpp"

namespace atl::kernels::triangles {

/// The memory for the counts of this PE's vertices, by row of the graph.
struct vertex_results {
  std::span<std::uint64_t> triangles;
  std::span<double> clustering;
};

/// Sums over all vertices.
struct graph_totals {
  std::uint64_t triangles = 0;  ///< each triangle is counted three times, once per vertex
  std::uint64_t pairs = 0;      ///< number of pairs of neighbours of the same vertex

  static graph_totals of_both(const graph_totals& a, const graph_totals& b) {
    return {a.triangles + b.triangles, a.pairs + b.pairs};
  }
};

/// Returns the clustering coefficient of a vertex with `degree` neighbours.
inline double clustering_of(std::uint64_t degree, std::uint64_t arcs_between_neighbours) {
  if (degree < 2) return 0;
  const double pairs = static_cast<double>(degree) * static_cast<double>(degree - 1);
  return static_cast<double>(arcs_between_neighbours) / pairs;
}

/// The data of a count on every PE.
template <class Id, class Form>
struct workspace {
  using word = typename Form::word;

  distributed_graph<Id> graph;
  per_pe<source_rows<Id>> sources;  ///< sources of arcs; filled only for a directed graph
  per_pe<row_part<Form>> rows;
  per_pe<count_part<Form>> counts;
  row_arrays<Form> arrays;
  /// Smallest number of entries of a block that is copied from another node.
  std::uint64_t least_block = k_least_block;

  /// Orders the vertices of the graph and makes its oriented rows. One task calls this function and
  /// waits.
  static task<workspace> make(distributed_graph<Id> graph);

  /// Counts the triangles of all vertices. A PE may pass an empty `progress`; the call then reports
  /// no progress on that PE. Every PE calls this function.
  task<graph_totals> all_count(vertex_results results, std::function<void(double)> progress) const;

  /// Frees all memory. One task calls this function and waits.
  task<> destroy() const;

 private:
  task<std::uint64_t> all_prepare() const;
};

template <class Id, class Form>
task<workspace<Id, Form>> workspace<Id, Form>::make(distributed_graph<Id> graph) {
  workspace made;
  made.graph = graph;
  if constexpr (Form::directed) made.sources = co_await per_pe<source_rows<Id>>::make();
  made.rows = co_await per_pe<row_part<Form>>::make();
  made.counts = co_await per_pe<count_part<Form>>::make();
  const std::uint64_t vertices = graph->shape.vertices;
  const std::uint64_t rows_of_pe = ceil_divide(vertices, static_cast<std::uint64_t>(pes()));
  made.arrays.places =
      co_await make_symmetric_array<row_place>(std::max<std::uint64_t>(1, rows_of_pe));
  const auto prepare = [made] { return made.all_prepare(); };
  const std::uint64_t entries = co_await from_all_pes(prepare);
  if constexpr (Form::directed) co_await made.sources.destroy();
  made.arrays.entries = co_await make_symmetric_array<word>(std::max<std::uint64_t>(1, entries));
  const auto send = [made] { return all_send_rows(made.rows.local(), made.arrays.entries); };
  co_await together(send);
  co_return made;
}

template <class Id, class Form>
task<std::uint64_t> workspace<Id, Form>::all_prepare() const {
  const graph_part<Id>& part = graph.local();
  const source_rows<Id>* in = nullptr;
  if constexpr (Form::directed) {
    co_await all_make_source_rows(part, sources);
    in = &sources.local();
  }
  co_return co_await all_prepare_rows(part, in, rows.local(), arrays.places.local());
}

template <class Id, class Form>
task<graph_totals> workspace<Id, Form>::all_count(vertex_results results,
                                                  std::function<void(double)> progress) const {
  count_part<Form>& mine = counts.local();
  const std::uint64_t vertices = graph->shape.vertices;
  mine.totals.assign(arrays.places.size(), {});
  mine.of_entry.assign(rows->entries, 0);
  if constexpr (Form::directed) mine.both_of_entry.assign(rows->entries, 0);
  mine.progress = std::move(progress);
  if (vertices <= graph::window_of(vertices, static_cast<std::uint64_t>(pes())))
    co_await all_count_rows(arrays, mine, direct_marks<Form>(vertices), least_block);
  else
    co_await all_count_rows(arrays, mine, hashed_marks<Form>(), least_block);
  co_await all_add_up(arrays, counts);
  graph_totals sums;
  const auto take = [&](std::uint64_t row, const triangle_totals& found) {
    const std::uint64_t degree = rows->degrees[row];
    const std::uint64_t arcs = found.all + (Form::directed ? found.both : found.all);
    results.triangles[row] = found.all;
    results.clustering[row] = clustering_of(degree, arcs);
    sums.triangles += found.all;
    if (degree > 1)
      sums.pairs += degree % 2 == 0 ? degree / 2 * (degree - 1) : (degree - 1) / 2 * degree;
  };
  co_await all_answer(rows.local(), mine, take);
  co_return co_await all_reduce(sums, &graph_totals::of_both);
}

template <class Id, class Form>
task<> workspace<Id, Form>::destroy() const {
  co_await arrays.entries.destroy();
  co_await arrays.places.destroy();
  co_await counts.destroy();
  co_await rows.destroy();
}

// The templates are compiled once for 32-bit and once for 64-bit vertex numbers, in triangles.cpp.
#define ATOLL_TRIANGLES(kind, Id, Word, directed)                                                  \
  kind template struct workspace<Id, form<Word, directed>>;
#define ATOLL_ALL_TRIANGLES(kind)                                                                  \
  ATOLL_TRIANGLES(kind, std::uint32_t, std::uint32_t, false)                                       \
  ATOLL_TRIANGLES(kind, std::uint64_t, std::uint64_t, false)                                       \
  ATOLL_TRIANGLES(kind, std::uint32_t, std::uint32_t, true)                                        \
  ATOLL_TRIANGLES(kind, std::uint32_t, std::uint64_t, true)                                        \
  ATOLL_TRIANGLES(kind, std::uint64_t, std::uint64_t, true)
ATOLL_ALL_TRIANGLES(extern)

}  // namespace atl::kernels::triangles
