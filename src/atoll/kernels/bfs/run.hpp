#pragma once
// A whole run of the benchmark on a graph already built: searches from given roots, timed one by
// one, with what Graph500 asks to be reported.

#include "atoll/kernels/bfs/validation.hpp"

namespace atl::kernels::bfs {

/// One search, as all PEs saw it.
struct search_outcome {
  std::uint64_t root = 0;
  double seconds = 0;
  std::uint64_t levels = 0;
  std::uint64_t reached_vertices = 0;
  /// Edges of the input in the component of the root, each counted once (directed: those that leave
  /// a reached vertex), duplicates and self loops included.
  std::uint64_t traversed_edges = 0;
  violations found;  ///< with verify

  double rate() const { return static_cast<double>(traversed_edges) / seconds; }
};

/// What a kernel of type Id needs on every PE.
template <class Id>
struct workspace {
  distributed_graph<Id> graph;
  per_pe<search_part<Id>> parts;
  per_pe<validator<Id>*> validators;
  shared_bits bits;

  static task<workspace> make(distributed_graph<Id> graph);
  task<> destroy() const;
};

template <class Id>
task<workspace<Id>> workspace<Id>::make(distributed_graph<Id> graph) {
  workspace made;
  made.graph = graph;
  made.parts = co_await per_pe<search_part<Id>>::make();
  made.validators = co_await per_pe<validator<Id>*>::make();
  made.bits = co_await shared_bits::make(graph->shape.vertices);
  co_return made;
}

template <class Id>
task<> workspace<Id>::destroy() const {
  co_await bits.destroy();
  co_await parts.destroy();
  co_await validators.destroy();
}

/// Counts what this PE reached.
template <class Id>
search_outcome local_counts(const graph_part<Id>& graph, const search_part<Id>& tree,
                            const std::vector<std::uint64_t>& reached_hubs) {
  search_outcome counts;
  counts.reached_vertices = tree.reached.size();
  for (const Id row : tree.reached) counts.traversed_edges += graph.input_arcs[row];
  for (const auto hub : reached_hubs) {
    counts.traversed_edges += graph.input_arcs[graph.vertices + hub];
  }
  return counts;
}

/// The numbers of the hubs that were reached, on every PE.
template <class Id>
task<std::vector<std::uint64_t>> all_reached_hubs(const graph_part<Id>& graph,
                                                  const search_part<Id>& tree) {
  std::vector<std::uint64_t> mine;
  for (std::uint64_t h = 0; h < graph.shape.hubs.size(); ++h) {
    const std::uint64_t vertex = graph.shape.hubs[h];
    if (graph.shape.owner(vertex) == my_pe() &&
        tree.parents[vertex - graph.first_vertex] != k_no_parent<Id>) {
      mine.push_back(h);
    }
  }
  std::vector<std::uint64_t> all;
  for (const auto& of_pe : co_await all_gather(std::span<const std::uint64_t>(mine))) {
    all.insert(all.end(), of_pe.begin(), of_pe.end());
  }
  co_return all;
}

/// Checks the tree of the last search, from `root`, with the levels of so many vertices at a time.
/// Every PE calls it.
template <class Id>
task<violations> all_verify(workspace<Id> on, std::uint64_t root, std::uint64_t at_a_time) {
  validator<Id> checks(on.graph, on.parts, root, on.validators);
  const violations found = co_await checks.all_validate(at_a_time);
  co_await all_barrier();
  co_return found;
}

/// The same, with a window of them.
template <class Id>
task<violations> all_verify(workspace<Id> on, std::uint64_t root) {
  const auto all = static_cast<std::uint64_t>(pes());
  return all_verify(on, root, graph::window_of(on.graph->shape.vertices, all));
}

/// Searches from `root`, timed from when all PEs are ready to forget the last search to when all
/// have ended. Every PE calls it. `frontier` is what search.hpp says.
template <class Id, class Frontier = found_is_frontier>
task<search_outcome> all_run(workspace<Id> on, std::uint64_t root, bool verify,
                             Frontier frontier = {}) {
  const graph_part<Id>& graph = on.graph.local();
  search_part<Id>& tree = on.parts.local();
  if (!tree.prepared) {
    tree.prepare(graph);
    tree.arcs_of_hubs = co_await all_neighbours_of_hubs(graph);
  }
  co_await all_barrier();
  const auto begin = now();
  tree.start();
  search<Id> kernel(on.graph, on.parts, on.bits);
  const std::uint64_t levels = co_await kernel.all_search(root, frontier);
  const double seconds = seconds_since(begin);

  const auto hubs = co_await all_reached_hubs(graph, tree);
  const search_outcome mine = local_counts(graph, tree, hubs);
  search_outcome all;
  all.root = root;
  all.levels = levels;
  all.seconds = co_await all_reduce(seconds, [](double a, double b) { return std::max(a, b); });
  const auto sum = [](auto a, auto b) { return a + b; };
  all.reached_vertices = co_await all_reduce(mine.reached_vertices, sum);
  all.traversed_edges = co_await all_reduce(mine.traversed_edges, sum);
  if (graph.arcs_are == orientation::undirected) all.traversed_edges /= 2;
  if (verify) all.found = co_await all_verify(on, root);
  co_return all;
}

/// The harmonic mean of the rates, as Graph500 has it.
inline double harmonic_mean_rate(std::span<const search_outcome> searches) {
  double inverse = 0;
  for (const auto& one : searches) inverse += 1 / one.rate();
  return static_cast<double>(searches.size()) / inverse;
}

// Compiled once for each width of ids, in bfs.cpp.
#define ATOLL_BFS_RUN(kind, Id)                                                                    \
  kind template struct workspace<Id>;                                                              \
  kind template task<violations> all_verify(workspace<Id>, std::uint64_t, std::uint64_t);          \
  kind template task<search_outcome> all_run(workspace<Id>, std::uint64_t, bool, found_is_frontier);
ATOLL_BFS_RUN(extern, std::uint32_t)
ATOLL_BFS_RUN(extern, std::uint64_t)

}  // namespace atl::kernels::bfs
