#pragma once
// Timed searches of a graph that is already built.

#include "atoll/kernels/shortest_paths/parents.hpp"

namespace atl::kernels::shortest_paths {

/// The results of one search, the same on all PEs.
struct run_outcome {
  std::uint64_t rounds = 0;
  std::uint64_t reached = 0;
  double farthest = 0;  ///< the largest distance of the reached vertices
  std::uint64_t arcs_looked_at = 0;
  double seconds = 0;

  static run_outcome of_both(const run_outcome& a, const run_outcome& b) {
    return {std::max(a.rounds, b.rounds), a.reached + b.reached, std::max(a.farthest, b.farthest),
            a.arcs_looked_at + b.arcs_looked_at, std::max(a.seconds, b.seconds)};
  }
};

template <class Id, class Weights>
task<std::uint64_t> all_search_by(workspace<Id> on, std::uint64_t root, double width) {
  search<Id, Weights> distances(on);
  const std::uint64_t rounds = co_await distances.all_search(root, width);
  parent_finder<Id, Weights> parents(on);
  co_await parents.all_find(root);
  co_return rounds;
}

/// Finds all distances and parents from `root`. The time begins when all PEs are ready, and ends
/// when all PEs have finished. Every PE calls this function. Every PE gets the same result.
template <class Id>
task<run_outcome> all_run(workspace<Id> on, std::uint64_t root, double width, bool weighted) {
  run_outcome mine;
  co_await all_barrier();
  const auto begin = now();
  if (weighted)
    mine.rounds = co_await all_search_by<Id, row_weights>(on, root, width);
  else
    mine.rounds = co_await all_search_by<Id, unit_weights>(on, root, width);
  co_await all_barrier();
  mine.seconds = seconds_since(begin);
  mine.arcs_looked_at = on.parts->arcs_looked_at;
  const auto distances = on.distances.local().first(on.graph->vertices);
  for (const double distance : distances) {
    if (distance == k_infinite) continue;
    ++mine.reached;
    mine.farthest = std::max(mine.farthest, distance);
  }
  co_return co_await all_reduce(mine, &run_outcome::of_both);
}

// The templates are compiled once for 32-bit and once for 64-bit vertex numbers, in
// shortest_paths.cpp.
#define ATOLL_SHORTEST_PATHS(kind, Id)                                                             \
  kind template struct workspace<Id>;                                                              \
  kind template task<weight_facts> all_look_at_weights(const graph_part<Id>&, bool);               \
  kind template task<run_outcome> all_run(workspace<Id>, std::uint64_t, double, bool);
ATOLL_SHORTEST_PATHS(extern, std::uint32_t)
ATOLL_SHORTEST_PATHS(extern, std::uint64_t)

}  // namespace atl::kernels::shortest_paths
