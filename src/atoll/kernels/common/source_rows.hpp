#pragma once
// The sources of the arcs of a directed graph, in one row per target. A graph stores only rows of
// targets. An algorithm that follows arcs backwards calls `all_make_source_rows`, which makes one
// row of sources per vertex.

#include "atoll/collectives.hpp"
#include "atoll/delegates.hpp"
#include "atoll/graph/build.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/stretches.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace atl::kernels {

/// The sources of the arcs that lead to the vertices of one PE. Row r belongs to the vertex of row
/// r in the graph. Sources of a row are sorted and different, and do not contain the row's own
/// vertex.
template <class Id>
struct source_rows {
  huge_vector<std::uint64_t> offsets;
  huge_vector<Id> sources;
  /// Weights in the order of the sources; empty if arcs have no weights.
  huge_vector<double> weights;

  std::span<const Id> row(std::uint64_t r) const {
    return {sources.data() + offsets[r], offsets[r + 1] - offsets[r]};
  }
  std::span<const double> weights_of_row(std::uint64_t r) const {
    if (weights.empty()) return {};
    return {weights.data() + offsets[r], offsets[r + 1] - offsets[r]};
  }

  /// Stores an arc at the next free place of its row. While rows are made, `offsets[r]` is the next
  /// free place of row r.
  void store(std::uint64_t r, Id source, double weight) {
    const std::uint64_t place = offsets[r]++;
    sources[place] = source;
    if (!weights.empty()) weights[place] = weight;
  }

  /// Sorts the sources of row r, with their weights.
  void sort_row(std::uint64_t r) {
    const auto begin = sources.begin() + static_cast<std::ptrdiff_t>(offsets[r]);
    const auto end = sources.begin() + static_cast<std::ptrdiff_t>(offsets[r + 1]);
    if (weights.empty()) {
      std::sort(begin, end);
      return;
    }
    std::vector<std::pair<Id, double>> both;
    for (std::uint64_t i = offsets[r]; i < offsets[r + 1]; ++i)
      both.emplace_back(sources[i], weights[i]);
    std::ranges::sort(both);
    for (std::uint64_t i = offsets[r]; const auto& [source, weight] : both) {
      sources[i] = source;
      weights[i++] = weight;
    }
  }
};

namespace rows_by_source {

/// Calls `visit(source, target, weight)` for each arc that begins at a vertex of this PE. The
/// weight is 0 if arcs have no weights. If there is no space for more messages, the task waits.
template <class Id, class Visit>
task<> for_each_arc(const graph_part<Id>& part, Visit visit) {
  std::uint64_t since_yield = 0;
  for (std::uint64_t r = 0; r < part.vertices; ++r) {
    for (std::uint64_t i = part.offsets[r]; i < part.offsets[r + 1]; ++i) {
      visit(static_cast<Id>(part.first_vertex + r), part.targets[i],
            part.weights.empty() ? 0.0 : part.weights[i]);
      if (!has_room()) co_await room();
    }
    since_yield += part.offsets[r + 1] - part.offsets[r] + 1;
    if (since_yield < graph::k_stretch) continue;
    since_yield = 0;
    co_await yield();
  }
}

/// Counts the arcs to each vertex. Turns the counts into the offsets of rows.
template <class Id>
task<> all_count(const graph_part<Id>& part, per_pe<source_rows<Id>> rows) {
  rows->offsets.assign(part.vertices + 1, 0);
  co_await all_barrier();
  const auto send = [&]() -> task<> {
    co_await for_each_arc(part, [&](Id, Id target, double) {
      const int owner = part.shape.owner(target);
      const auto row = static_cast<Id>(target - part.shape.begin(owner));
      async_call(owner, [rows, row] { ++rows.local().offsets[row]; });
    });
  };
  co_await finish(send);
  co_await all_barrier();
  auto& offsets = rows->offsets;
  std::exclusive_scan(offsets.begin(), offsets.end(), offsets.begin(), std::uint64_t{0});
}

/// Sends each arc to the owner of its target.
template <class Id>
task<> all_store(const graph_part<Id>& part, per_pe<source_rows<Id>> rows) {
  const auto send = [&]() -> task<> {
    co_await for_each_arc(part, [&](Id source, Id target, double weight) {
      const int owner = part.shape.owner(target);
      const auto row = static_cast<Id>(target - part.shape.begin(owner));
      async_call(owner, [rows, row, source, weight] { rows.local().store(row, source, weight); });
    });
  };
  co_await finish(send);
  co_await all_barrier();
}

}  // namespace rows_by_source

/// Makes the rows of sources of a graph whose hubs are not split. Every PE calls this function.
template <class Id>
task<> all_make_source_rows(const graph_part<Id>& part, per_pe<source_rows<Id>> rows) {
  co_await rows_by_source::all_count(part, rows);
  source_rows<Id>& mine = rows.local();
  co_await graph::grow(mine.sources, mine.offsets.back());
  const bool weighted =
      co_await all_reduce(part.weights.empty() ? 0 : 1, [](int a, int b) { return a | b; }) != 0;
  if (weighted) co_await graph::grow(mine.weights, mine.offsets.back());
  co_await all_barrier();
  co_await rows_by_source::all_store(part, rows);
  if (part.vertices != 0) {  // each offset is now the end of its row
    std::copy_backward(mine.offsets.begin(), mine.offsets.end() - 2, mine.offsets.end() - 1);
    mine.offsets[0] = 0;
  }
  const auto sort = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto r = begin; r < end; ++r) mine.sort_row(r);
  };
  co_await graph::in_stretches(0, part.vertices, sort);
}

}  // namespace atl::kernels
