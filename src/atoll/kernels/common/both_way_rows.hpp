#pragma once
// The neighbours of vertices, whatever the direction of the arcs between them. In an undirected
// graph, the neighbours are the targets in the vertex's row. In a directed graph, the sources of
// arcs that lead to the vertex are neighbours, too.

#include "atoll/kernels/common/source_rows.hpp"

#include <cstdint>

namespace atl::kernels {

/// The neighbours of the vertices of one PE. Rows have the same numbers as in the graph. The graph
/// must outlive this object, and must not have split hubs.
template <class Id>
class both_way_rows {
 public:
  /// Gathers the sources of arcs in a directed graph. For an undirected graph `sources` stays
  /// empty. `sources` must outlive this object. Every PE calls this function.
  task<> all_prepare(const graph_part<Id>& graph, per_pe<source_rows<Id>> sources) {
    graph_ = &graph;
    sources_ = &sources.local();
    is_directed_ = graph.arcs_are != orientation::undirected;
    if (is_directed_) co_await all_make_source_rows(graph, sources);
  }

  std::uint64_t rows() const { return graph_->vertices; }

  /// Returns the number of arcs that `for_each` reads for row `r`.
  std::uint64_t arcs(std::uint64_t r) const {
    return graph_->row(r).size() + (is_directed_ ? sources_->row(r).size() : 0);
  }

  /// Returns the number of different neighbours of the vertex of row `r`.
  std::uint64_t degree(std::uint64_t r) const {
    if (!is_directed_) return graph_->row(r).size();
    std::uint64_t count = 0;
    for_each(r, [&](Id) { ++count; });
    return count;
  }

  /// Calls `visit(neighbour)` for each different neighbour of the vertex of row `r`.
  template <class Visit>
  void for_each(std::uint64_t r, Visit visit) const {
    const auto targets = graph_->row(r);
    if (!is_directed_) {
      for (const Id target : targets) visit(target);
      return;
    }
    const auto sources = sources_->row(r);
    auto out = targets.begin();
    auto in = sources.begin();
    while (out != targets.end() || in != sources.end()) {
      const bool is_out = in == sources.end() || (out != targets.end() && *out <= *in);
      const Id next = is_out ? *out++ : *in++;
      if (is_out && in != sources.end() && *in == next) ++in;
      visit(next);
    }
  }

 private:
  const graph_part<Id>* graph_ = nullptr;
  const source_rows<Id>* sources_ = nullptr;
  bool is_directed_ = false;
};

}  // namespace atl::kernels
