#pragma once
// This file converts the result of an algorithm of the kernel to a `spanning_forest`, which
// programs get.

#include "atoll/kernels/forest.hpp"
#include "atoll/kernels/mst/find.hpp"
#include "atoll/kernels/mst/weights.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <variant>

namespace atl {

/// Gives the functions below access to the private members of a forest, which show whether the
/// forest and its graph still exist.
struct forest_lives {
  static void begin(spanning_forest& made, const global_graph& graph) {
    made.of_edges_ = made.edges.life();
    made.of_graph_ = graph.life();
    made.names_ = graph.names();
    made.has_names_ = made.names_.any();
  }
  /// Returns the names of the forest's vertices. Returns no value if vertices have no names.
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

/// Number of chunks in which a list is fetched. Each chunk is processed while the next chunks are
/// in flight.
inline constexpr int k_usual_pieces = 8;

/// A *Way* is an algorithm that finds a minimum spanning forest. Every PE calls the Way (the
/// algorithm) with its input in `here`, and with the memory `memory` for communication. A Way is a
/// small value, which can be sent to other PEs. The Way `usual_way` is the algorithm MND-MST
/// (mnd.hpp).
struct usual_way {
  template <class Word>
  task<run_outcome> all_find(forest_part<Word>& here, const one_sided_memory& memory,
                             forest_facts known) const {
    return all_run_on(here, here.by(memory, k_usual_pieces), parameters(), known);
  }
};

/// The data that all steps on all PEs need, in a form that can be sent.
template <class Word>
struct forest_work {
  per_pe<stored_edges> stored;
  per_pe<forest_part<Word>> parts;
  one_sided_memory memory;
  forest_facts known;
};

/// Returns the smallest and the largest weight of the edges of all PEs. One task calls this
/// function.
inline task<weight_range> range_of_all(per_pe<stored_edges> stored) {
  const auto look = [stored]() -> task<weight_range> {
    const stored_weights weight(stored.local());
    const auto mine = range_of(stored.local(), weight);
    co_return co_await all_reduce(mine, &weight_range::of_both);
  };
  return from_all_pes(look);
}

/// Returns the edges of the forest that this PE has numbered during the run. Every PE calls this
/// function.
template <class Word>
task<std::vector<weighted_edge>> all_edges_here(forest_work<Word> work) {
  forest_part<Word>& here = work.parts.local();
  const auto found =
      co_await all_forest_edges(here.mine, here.numbered, here.by(work.memory, k_usual_pieces));
  std::vector<weighted_edge> mine;
  for (const auto& each : found) {
    const std::uint64_t weight = each.weight + static_cast<std::uint64_t>(work.known.lightest);
    mine.push_back({each.u, each.v, static_cast<std::int64_t>(weight)});
  }
  co_return mine;
}

/// Stores this PE's edges of the forest in `to`, behind the edges of PEs with smaller numbers.
/// Every PE calls this function.
template <class Word>
task<> all_store(forest_work<Word> work, global_array<weighted_edge> to) {
  const auto mine = co_await all_edges_here(work);
  const auto counts = co_await all_gather(std::uint64_t{mine.size()});
  std::uint64_t first = 0;
  for (int pe = 0; pe < my_pe(); ++pe) first += counts[static_cast<std::size_t>(pe)];
  co_await put(to, first, std::span<const weighted_edge>(mine));
}

/// Makes the result of a run on a graph of `vertices` vertices, but without the edges of the
/// forest.
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

/// Makes the input of the run from this PE's edges, which the graph has kept. Every PE calls this
/// function.
template <class Word>
void take_input(forest_work<Word> work) {
  const stored_edges& edges = work.stored.local();
  work.parts->input = raw_edges<Word>(edges, stored_weights(edges), work.known.lightest);
}

template <class Word>
task<forest_work<Word>> make_work(global_graph graph, per_pe<stored_edges> stored,
                                  std::int64_t lightest) {
  forest_work<Word> work;
  work.stored = stored;
  work.known = {graph.vertices(), lightest, true};
  work.parts = co_await per_pe<forest_part<Word>>::make();
  work.memory = co_await one_sided_memory::make(usual_exchange_bytes(graph.edges(), pes()));
  co_await on_all_pes([work] { take_input(work); });
  co_return work;
}

template <class Word, class Way>
task<spanning_forest> find_by(forest_work<Word> work, Way how, progress_view progress) {
  const auto all_find = [work, how] {
    return how.all_find(work.parts.local(), work.memory, work.known);
  };
  const run_outcome outcome = co_await from_all_pes(all_find);
  progress("spanning", 0.8);
  spanning_forest found = told_of(outcome, work.known.vertices);
  found.id_bits = 8 * sizeof(Word);
  found.edges = co_await make_array<weighted_edge>(outcome.forest_edges);
  co_await together([work, to = found.edges] { return all_store(work, to); });
  co_return found;
}

/// A graph whose forest can be found repeatedly in the same memory. One task calls the functions of
/// the object.
class forest_input {
 public:
  /// Prepares the input. Throws the errors of `minimum_spanning_forest`.
  static task<forest_input> make(global_graph graph, site where) {
    const auto stored = graph.kept_edges("minimum_spanning_forest", where);
    if (graph.edges() != 0 && (!graph.has_weights() || stored->has_real_weights())) {
      const char* const complaint = graph.has_weights()
                                        ? "the weights of edges are real numbers, and no integers"
                                        : "the edges of the graph have no weights";
      const auto& fault = stored->weights_fault;
      fail(errc::input, "{}: minimum_spanning_forest: {}", to_string(where),
           fault ? fault->what() : complaint);
    }
    const weight_range weights = co_await range_of_all(stored);
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    const bool is_narrow =
        std::max(graph.vertices(), graph.edges()) < most && weights.span() <= most;
    forest_input made;
    made.graph_ = graph;
    if (is_narrow && !graph.has_wide_ids())
      made.work_ = co_await make_work<std::uint32_t>(graph, stored, weights.lightest);
    else
      made.work_ = co_await make_work<std::uint64_t>(graph, stored, weights.lightest);
    co_return made;
  }

  template <class Way>
  task<spanning_forest> find(Way how, progress_view progress) const {
    const auto by = [&](const auto& work) { return find_by(work, how, progress); };
    spanning_forest found = co_await std::visit(by, work_);
    forest_lives::begin(found, graph_);
    progress("spanning", 1);
    co_return found;
  }

  const global_graph& graph() const { return graph_; }

  task<> destroy() const {
    const auto destroy = [](const auto& work) -> task<> {
      const auto mine = work;
      co_await mine.memory.destroy();
      co_await mine.parts.destroy();
    };
    return std::visit(destroy, work_);
  }

 private:
  global_graph graph_;
  std::variant<forest_work<std::uint32_t>, forest_work<std::uint64_t>> work_;
};

}  // namespace kernels::mst

}  // namespace atl
