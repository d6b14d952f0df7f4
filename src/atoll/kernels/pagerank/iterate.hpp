#pragma once
// PageRank over all PEs: the share of time that somebody spends at each vertex who follows a random
// arc with probability `damping`, and else, or where there is none, goes on at any vertex. Arcs of
// a graph with weights, none of them below 0, are followed as often as they weigh; in others
// duplicates of arcs count once. Self loops do not count.

#include "atoll/collectives.hpp"
#include "atoll/kernels/pagerank/blocked.hpp"

namespace atl::kernels::pagerank {

/// What a run on a graph needs on every PE.
template <class Id>
struct workspace {
  distributed_graph<Id> graph;
  per_pe<rank_part<Id>> ranks;
  per_pe<plan_part<Id>> plans;
  sum_places places;

  /// One task calls it. Blocks the task.
  static task<workspace> make(distributed_graph<Id> graph);
  /// The same, prepared by `all_prepare(on)`, a coroutine that every PE calls.
  template <class Prepare>
  static task<workspace> make(distributed_graph<Id> graph, Prepare all_prepare);
  task<> destroy() const;
};

/// Everything that is the same for all runs. Returns the most sums a PE has. Every PE calls it.
template <class Id>
task<std::uint64_t> all_prepare(workspace<Id> on) {
  co_await on.ranks->all_prepare(on.graph.local(), true);
  co_await on.plans->all_prepare(on.graph.local(), on.ranks.local());
  co_return co_await on.plans->all_most_sums();
}

template <class Id>
template <class Prepare>
task<workspace<Id>> workspace<Id>::make(distributed_graph<Id> graph, Prepare all_prepare) {
  workspace made;
  made.graph = graph;
  made.ranks = co_await per_pe<rank_part<Id>>::make();
  made.plans = co_await per_pe<plan_part<Id>>::make();
  const auto prepare = [made, all_prepare] { return all_prepare(made); };
  const std::uint64_t sums = std::max<std::uint64_t>(1, co_await from_all_pes(prepare));
  made.places.made = co_await make_symmetric_array<double>(sums);
  made.places.arrived = co_await make_symmetric_array<double>(sums);
  co_return made;
}

template <class Id>
task<workspace<Id>> workspace<Id>::make(distributed_graph<Id> graph) {
  return make(graph, [](workspace on) { return all_prepare(on); });
}

template <class Id>
task<> workspace<Id>::destroy() const {
  co_await places.made.destroy();
  co_await places.arrived.destroy();
  co_await plans.destroy();
  co_await ranks.destroy();
}

/// Iterates from equal ranks on until they change by less than the tolerance; `all_give()`, a
/// coroutine, adds up in each iteration what this PE's vertices receive. Every PE calls it; all get
/// the same.
template <class Id, class Give>
task<convergence> all_iterate_by(rank_part<Id>& ranks, parameters with, Give all_give) {
  convergence found;
  co_await ranks.all_start();
  do {
    co_await all_give();
    co_await ranks.all_update(with);
    found.residual = ranks.sums().change;
    ++found.iterations;
    if (ranks.progress) ranks.progress(found.iterations, found.residual);
  } while (found.residual >= with.tolerance && found.iterations < with.max_iterations);
  co_return found;
}

/// The same by blocks.
template <class Id>
task<convergence> all_iterate(workspace<Id> on, parameters with) {
  rank_part<Id>& ranks = on.ranks.local();
  const auto give = [&] { return all_give_in_blocks(ranks, on.plans.local(), on.places); };
  co_return co_await all_iterate_by(ranks, with, give);
}

// Compiled once for each width of ids, in pagerank.cpp.
#define ATOLL_PAGERANK(kind, Id)                                                                   \
  kind template struct workspace<Id>;                                                              \
  kind template task<convergence> all_iterate(workspace<Id>, parameters);
ATOLL_PAGERANK(extern, std::uint32_t)
ATOLL_PAGERANK(extern, std::uint64_t)

}  // namespace atl::kernels::pagerank
