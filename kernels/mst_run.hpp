#pragma once
// A timed run of what finds minimum spanning forests, over any Exchange.

#include "atoll/kernels/mst.hpp"
#include "atoll/kernels/mst_filter.hpp"

namespace atl::kernels::mst {

/// What a run found out, the same on every PE, but for the seconds.
struct run_outcome {
  double seconds = 0;       ///< from the edges in memory to the forest, of the slowest PE
  std::uint64_t edges = 0;  ///< of the graph that are left, without loops and duplicates
  std::uint64_t forest_edges = 0;
  std::int64_t weight = 0;  ///< of the forest, modulo 2^64
  std::uint64_t iterations = 0;
  phase_seconds spent;  ///< by this PE
};

/// Finds the forest of the edges of all PEs, timed. `mine` is the part of this PE, as a part is at
/// first; its `chosen` are ids of edges afterwards, which `numbered` tells the ends of. Every PE
/// calls it.
template <class Word, class Exchange>
auto all_run(part<Word>& mine, Exchange& others, const parameters& how,
             const huge_vector<raw_edge<Word>>& edges, std::uint64_t vertices,
             std::int64_t lightest, numbered_edges<Word>* numbered = nullptr) ->
    typename Exchange::template task<run_outcome> {
  co_await others.barrier();
  const double begin = others.now();
  run_outcome outcome;
  part_builder<Word, Exchange> builder(mine, others);
  if (numbered != nullptr) builder.keep_numbered(*numbered);
  const bool filters = how.filter && are_worth_filtering(edges.size(), vertices);
  huge_vector<raw_edge<Word>> few;
  if (filters) {
    local_forest<Word> forest(vertices);
    few = forest.of(edges);
    charge(others, forest.work());
  }
  const double filtered = others.now();
  co_await builder.all_build(filters ? few : edges, vertices);
  few = {};
  const double built = others.now();
  mnd<Word, Exchange> run(mine, others, how);
  co_await run.all_run(vertices);
  const double seconds = others.now() - begin;
  outcome.seconds = co_await others.maximum(seconds);
  outcome.edges = builder.edges();
  outcome.forest_edges = co_await others.sum(mine.chosen.size());
  const std::uint64_t above = co_await others.sum(mine.chosen_weight);
  outcome.weight = static_cast<std::int64_t>(above + outcome.forest_edges *
                                                         static_cast<std::uint64_t>(lightest));
  outcome.iterations = run.iterations();
  outcome.spent = run.seconds();
  outcome.spent.filter = filtered - begin;
  outcome.spent.build = built - filtered;
  co_return outcome;
}

}  // namespace atl::kernels::mst
