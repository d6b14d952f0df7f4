#pragma once
// Runs of the benchmark on a graph already built.

#include "atoll/collectives.hpp"
#include "atoll/kernels/cc/label.hpp"
#include "atoll/kernels/cc/sizes.hpp"
#include "atoll/kernels/cc/validation.hpp"

namespace atl::kernels::cc {

/// What a run on a graph of type Id needs on every PE.
template <class Id>
struct workspace {
  distributed_graph<Id> graph;
  per_pe<forest_part<Id>> forests;
  per_pe<size_part<Id>> sizes;
  per_pe<expected_labels<Id>> expected;  ///< as all_expect has made them

  static task<workspace> make(distributed_graph<Id> graph);
  task<> destroy() const;
};

template <class Id>
task<workspace<Id>> workspace<Id>::make(distributed_graph<Id> graph) {
  workspace made;
  made.graph = graph;
  made.forests = co_await per_pe<forest_part<Id>>::make();
  made.sizes = co_await per_pe<size_part<Id>>::make();
  made.expected = co_await per_pe<expected_labels<Id>>::make();
  co_return made;
}

template <class Id>
task<> workspace<Id>::destroy() const {
  co_await forests.destroy();
  co_await sizes.destroy();
  co_await expected.destroy();
}

/// Finds out what labels must be from the edges of the input, before runs are verified. Every PE
/// calls it.
template <class Id, edge_source Edges>
task<> all_expect(workspace<Id> on, const Edges& edges) {
  on.expected.local() = co_await all_expected_labels<Id>(on.graph->shape, edges);
}

/// One run, as all PEs saw it.
struct run_outcome {
  double seconds = 0;
  wrong_labels found;  ///< with verify
};

/// Labels all vertices by `label()`, a coroutine, timed from when all PEs are ready to forget the
/// last run to when all have ended. `verify` compares the labels with what was expected. Every PE
/// calls it.
template <class Id, class Label>
task<run_outcome> all_time(workspace<Id> on, const Label& label, bool verify) {
  forest_part<Id>& forest = on.forests.local();
  if (!forest.prepared) forest.prepare(on.graph.local());
  co_await all_barrier();
  const auto begin = now();
  forest.start();
  co_await label();
  const double seconds = seconds_since(begin);
  run_outcome all;
  all.seconds = co_await all_reduce(seconds, [](double a, double b) { return std::max(a, b); });
  if (verify) all.found = co_await all_compare(forest, on.expected.local());
  co_return all;
}

/// The same, by the kernel's algorithm.
template <class Id>
task<run_outcome> all_run(workspace<Id> on, bool verify) {
  const auto label = [&on] { return all_label(on.graph, on.forests); };
  co_return co_await all_time(on, label, verify);
}

// Compiled once for each width of ids, in cc.cpp.
#define ATOLL_CC_RUN(kind, Id)                                                                     \
  kind template struct workspace<Id>;                                                              \
  kind template task<run_outcome> all_run(workspace<Id>, bool);
ATOLL_CC_RUN(extern, std::uint32_t)
ATOLL_CC_RUN(extern, std::uint64_t)

}  // namespace atl::kernels::cc
