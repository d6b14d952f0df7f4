#pragma once
// Chooses the roots of searches by the rules of Graph500. The roots are random vertices that have
// an edge, and are the same for every number of PEs.

#include "atoll/atoll.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/generator.hpp"
#include "atoll/graph/stretches.hpp"
#include "atoll/kernels/bfs/part.hpp"

namespace atl::kernels::bfs {

/// Finds the candidates for roots: the vertices that have an arc to another vertex. Every PE knows
/// which hubs are candidates for roots.
template <class Id>
class root_candidates {
 public:
  root_candidates(const graph_part<Id>& graph, std::vector<std::uint64_t> neighbours_of_hubs)
      : graph_(graph), neighbours_of_hubs_(std::move(neighbours_of_hubs)) {}

  /// Returns the number of candidates for roots on all PEs. Every PE calls this function.
  task<std::uint64_t> all_count() const {
    std::uint64_t mine = 0;
    const auto count = [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) mine += graph_.row(row).empty() ? 0 : 1;
    };
    co_await graph::in_stretches(0, graph_.vertices, count);
    const auto hubs = std::ranges::count_if(neighbours_of_hubs_, [](auto n) { return n > 0; });
    const std::uint64_t all = co_await all_reduce(mine, [](auto a, auto b) { return a + b; });
    // Hubs are counted separately: their arcs are in separate rows on all PEs, so a hub's own row
    // is empty.
    co_return all + static_cast<std::uint64_t>(hubs);
  }

  /// Returns one number for each of `vertices`: 1 if the vertex has an arc, and 0 otherwise. Every
  /// PE calls this function with the same vertices, and all PEs get the same result.
  task<std::vector<std::uint8_t>> all_look_at(std::vector<std::uint64_t> vertices) const {
    std::vector<std::uint8_t> has_arc;
    for (const auto vertex : vertices) has_arc.push_back(has_arc_here(vertex) ? 1 : 0);
    const auto either = [](std::uint8_t a, std::uint8_t b) { return std::max(a, b); };
    co_return co_await all_reduce(std::move(has_arc), either);
  }

 private:
  bool has_arc_here(std::uint64_t vertex) const {
    if (const auto hub = graph_.shape.hub_number(vertex)) return neighbours_of_hubs_[*hub] > 0;
    const std::uint64_t row = vertex - graph_.first_vertex;
    return vertex >= graph_.first_vertex && row < graph_.vertices && !graph_.row(row).empty();
  }

  const graph_part<Id>& graph_;
  std::vector<std::uint64_t> neighbours_of_hubs_;
};

/// Returns `count` different vertices that have an arc. If fewer vertices have an arc, returns all
/// vertices that have an arc. Every PE calls this function.
template <class Id>
task<std::vector<std::uint64_t>> all_choose_roots(const graph_part<Id>& graph, std::uint64_t seed,
                                                  std::uint64_t count) {
  constexpr std::uint64_t candidates_a_round = 1024;
  const root_candidates<Id> candidates(graph, co_await all_neighbours_of_hubs(graph));
  const std::uint64_t wanted = std::min(count, co_await candidates.all_count());
  std::vector<std::uint64_t> roots;
  for (std::uint64_t k = 0; roots.size() < wanted; k += candidates_a_round) {
    std::vector<std::uint64_t> vertices;
    for (std::uint64_t i = 0; i < candidates_a_round; ++i) {
      vertices.push_back(root_candidate(seed, graph.shape.vertices, k + i));
    }
    const auto has_arc = co_await candidates.all_look_at(vertices);
    for (std::uint64_t i = 0; i < candidates_a_round && roots.size() < wanted; ++i) {
      const bool had = std::ranges::find(roots, vertices[i]) != roots.end();
      if (has_arc[i] != 0 && !had) roots.push_back(vertices[i]);
    }
  }
  co_return roots;
}

// The templates are compiled once for 32-bit and once for 64-bit vertex ids, in bfs.cpp.
#define ATOLL_BFS_ROOTS(kind, Id)                                                                  \
  kind template task<std::vector<std::uint64_t>> all_choose_roots(const graph_part<Id>&,           \
                                                                  std::uint64_t, std::uint64_t);
ATOLL_BFS_ROOTS(extern, std::uint32_t)
ATOLL_BFS_ROOTS(extern, std::uint64_t)

}  // namespace atl::kernels::bfs
