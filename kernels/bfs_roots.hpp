#pragma once
// Roots for searches, as Graph500 wants them: random vertices that have an edge, the same for every
// number of PEs.

#include "atoll/atoll.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/generator.hpp"
#include "atoll/graph/stretches.hpp"

namespace atoll::kernels::bfs {

/// How many vertices have an arc, on all PEs together. Every PE calls it.
template <class Id>
task<std::uint64_t> all_count_candidates(const graph_part<Id>& graph) {
  std::uint64_t mine = 0;
  const auto count = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) mine += graph.row(row).empty() ? 0 : 1;
  };
  co_await graph::in_stretches(0, graph.vertices, count);
  const std::uint64_t all = co_await all_reduce(mine, [](auto a, auto b) { return a + b; });
  co_return all + graph.shape.hubs.size();  // whose own rows are empty
}

/// The next candidates, from the `k`-th on, and whether each has an arc; the same on every PE.
template <class Id>
task<std::vector<std::uint8_t>> all_look_at_candidates(const graph_part<Id>& graph,
                                                       std::uint64_t seed, std::uint64_t k,
                                                       std::uint64_t count) {
  std::vector<std::uint8_t> has_arc(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t vertex = root_candidate(seed, graph.shape.vertices, k + i);
    const std::uint64_t row = vertex - graph.first_vertex;
    const bool here = vertex >= graph.first_vertex && row < graph.vertices;
    has_arc[i] = graph.shape.hub_number(vertex) || (here && !graph.row(row).empty()) ? 1 : 0;
  }
  co_return co_await all_reduce(std::move(has_arc), [](auto a, auto b) { return std::max(a, b); });
}

/// `count` different vertices that have an arc, or all where there are fewer. Every PE calls it.
template <class Id>
task<std::vector<std::uint64_t>> all_choose_roots(const graph_part<Id>& graph, std::uint64_t seed,
                                                  std::uint64_t count) {
  constexpr std::uint64_t candidates_a_turn = 1024;
  const std::uint64_t wanted = std::min(count, co_await all_count_candidates(graph));
  std::vector<std::uint64_t> roots;
  for (std::uint64_t k = 0; roots.size() < wanted; k += candidates_a_turn) {
    const auto has_arc = co_await all_look_at_candidates(graph, seed, k, candidates_a_turn);
    for (std::uint64_t i = 0; i < candidates_a_turn && roots.size() < wanted; ++i) {
      const std::uint64_t vertex = root_candidate(seed, graph.shape.vertices, k + i);
      const bool had = std::ranges::find(roots, vertex) != roots.end();
      if (has_arc[i] != 0 && !had) roots.push_back(vertex);
    }
  }
  co_return roots;
}

}  // namespace atoll::kernels::bfs
