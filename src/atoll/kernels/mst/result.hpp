#pragma once
// A forest as programs have it, found in any way.

#include "atoll/kernels/forest.hpp"
#include "atoll/kernels/mst/find.hpp"
#include "atoll/kernels/mst/weights.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace atl {

/// Which memory a forest has, and of which graph it is.
struct forest_lives {
  static void begin(spanning_forest& made, const global_graph& graph) {
    made.of_edges_ = made.edges.life();
    made.of_graph_ = graph.life();
    made.names_ = graph.names();
    made.has_names_ = made.names_.any();
  }
  /// The names of its vertices, if they have any.
  static std::optional<vertex_names> names(const spanning_forest& one, site where) {
    if (!one.has_names_) return std::nullopt;
    one.of_graph_.check("the graph of the forest", where);
    return one.names_;
  }
  static void check(const spanning_forest& one, site where) {
    one.of_edges_.check("the forest", where);
  }
  static void check_graph(const spanning_forest& one, const global_graph& graph, site where) {
    graph.check(where);
    check(one, where);
    graph.check_graph_of_result(one.of_graph_, where);
  }
};

namespace kernels::mst {

/// A *Way* finds the forest of the input of `here`, on every PE; a small value that travels. The
/// exchange may use the memory.
struct usual_way {
  template <class Word>
  task<run_outcome> all_find(forest_part<Word>& here, const one_sided_memory& memory,
                             forest_facts known) const {
    return all_run_on(here, here.by(memory, 1), parameters(), known);
  }
};

/// What the steps on all PEs need to know, as it travels.
template <class Word>
struct forest_work {
  per_pe<stored_edges> stored;
  per_pe<forest_part<Word>> parts;
  one_sided_memory memory;
  forest_facts known;
};

/// The least and the largest weight of all PEs. One task calls it.
inline task<weight_range> range_of_all(per_pe<stored_edges> stored) {
  const auto look = [stored]() -> task<weight_range> {
    const stored_weights weight(stored.local());
    const auto mine = range_of(stored.local(), weight);
    co_return co_await all_reduce(mine, &weight_range::of_both);
  };
  return from_all_pes(look);
}

template <class Word, class Way>
task<run_outcome> all_find(forest_work<Word> work, Way how) {
  const stored_edges& edges = work.stored.local();
  forest_part<Word>& here = work.parts.local();
  here.input = raw_edges<Word>(edges, stored_weights(edges), work.known.lightest);
  const run_outcome outcome = co_await how.all_find(here, work.memory, work.known);
  here.input = {};
  co_return outcome;
}

/// The edges of the forest that this PE has numbered.
template <class Word>
task<std::vector<weighted_edge>> all_edges_here(forest_work<Word> work) {
  forest_part<Word>& here = work.parts.local();
  const auto found = co_await all_forest_edges(here.mine, here.numbered, here.by(work.memory, 1));
  std::vector<weighted_edge> mine;
  for (const auto& each : found) {
    const std::uint64_t weight = each.weight + static_cast<std::uint64_t>(work.known.lightest);
    mine.push_back({each.u, each.v, static_cast<std::int64_t>(weight)});
  }
  co_return mine;
}

/// Stores them behind those of the PEs before.
template <class Word>
task<> all_store(forest_work<Word> work, global_array<weighted_edge> to) {
  const auto mine = co_await all_edges_here(work);
  const auto counts = co_await all_gather(std::uint64_t{mine.size()});
  std::uint64_t first = 0;
  for (int pe = 0; pe < my_pe(); ++pe) first += counts[static_cast<std::size_t>(pe)];
  co_await put(to, first, std::span<const weighted_edge>(mine));
}

/// What is known of a run on a graph of so many vertices.
inline spanning_forest told_of(const run_outcome& outcome, std::uint64_t vertices) {
  spanning_forest found;
  found.trees = vertices - outcome.forest_edges;
  const auto total = outcome.weight.value();
  found.weight = {static_cast<std::int64_t>(total >> 64), static_cast<std::uint64_t>(total)};
  found.seconds = outcome.seconds;
  found.edges_left = outcome.edges;
  found.iterations = outcome.iterations;
  const auto& spent = outcome.spent;
  found.spent = {spent.filter, spent.build, spent.contract, spent.ghosts,
                 spent.merge,  spent.ring,  spent.post};
  return found;
}

template <class Word, class Way>
task<spanning_forest> find_in_width(global_graph graph, per_pe<stored_edges> stored,
                                    std::int64_t lightest, Way how, progress_view progress) {
  forest_work<Word> work;
  work.stored = stored;
  work.known = {graph.vertices(), lightest, true};
  work.parts = co_await per_pe<forest_part<Word>>::make();
  work.memory = co_await one_sided_memory::make(usual_exchange_bytes(graph.edges(), pes()));
  const run_outcome outcome = co_await from_all_pes([work, how] { return all_find(work, how); });
  progress("spanning", 0.8);
  spanning_forest found = told_of(outcome, graph.vertices());
  found.id_bits = 8 * sizeof(Word);
  found.edges = co_await make_array<weighted_edge>(outcome.forest_edges);
  co_await together([work, to = found.edges] { return all_store(work, to); });
  co_await work.memory.destroy();
  co_await work.parts.destroy();
  forest_lives::begin(found, graph);
  progress("spanning", 1);
  co_return found;
}

/// Finds the forest, as `minimum_spanning_forest` does. One task calls it.
template <class Way>
task<spanning_forest> find_forest(global_graph graph, Way how, progress_view progress, site where) {
  const auto stored = graph.kept_edges("minimum_spanning_forest", where);
  if (!graph.has_weights() && graph.edges() != 0) {
    const auto& fault = stored->weights_fault;
    fail(errc::input, "{}: minimum_spanning_forest: {}", to_string(where),
         fault ? fault->what() : "the edges of the graph have no weights");
  }
  const weight_range weights = co_await range_of_all(stored);
  progress("spanning", 0.1);
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const bool is_narrow = std::max(graph.vertices(), graph.edges()) < most && weights.span() <= most;
  if (is_narrow && !graph.has_wide_ids())
    co_return co_await find_in_width<std::uint32_t>(graph, stored, weights.lightest, how, progress);
  co_return co_await find_in_width<std::uint64_t>(graph, stored, weights.lightest, how, progress);
}

}  // namespace kernels::mst

}  // namespace atl
