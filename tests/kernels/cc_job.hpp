#pragma once
// Functions that find the components of small graphs, and a plain sequential search for comparison.

#include "atoll/graph/random_graph.hpp"
#include "atoll/kernels/cc/run.hpp"
#include "kernels/graph_job.hpp"

#include <gmock/gmock.h>

namespace cc_job {

using namespace graph_job;
namespace cc = kernels::cc;

/// Returns for each vertex the smallest vertex that a search reaches from it.
inline std::vector<std::uint64_t> labels_by_search(const bfs_graphs::graph& of) {
  std::vector<std::vector<std::uint64_t>> targets(of.vertices);
  const auto add = [&](atl::graph::arc a) { targets[a.source].push_back(a.target); };
  for (const edge e : of.edges) atl::graph::for_each_arc(e, orientation::undirected, add);
  std::vector<std::uint64_t> labels(of.vertices, of.vertices);
  for (std::uint64_t root = 0; root < of.vertices; ++root) {
    if (labels[root] != of.vertices) continue;
    labels[root] = root;
    for (std::vector<std::uint64_t> waiting = {root}; !waiting.empty();) {
      const auto vertex = waiting.back();
      waiting.pop_back();
      for (const auto target : targets[vertex]) {
        if (labels[target] != of.vertices) continue;
        labels[target] = root;
        waiting.push_back(target);
      }
    }
  }
  return labels;
}

inline bfs_graphs::graph uniform(std::uint64_t scale, std::uint64_t edge_factor) {
  const generator_parameters parameters{scale, edge_factor, 7};
  const uniform_generator make(parameters);
  bfs_graphs::graph made{fmt::format("uniform {}", edge_factor), parameters.vertices(), {}};
  for (std::uint64_t i = 0; i < parameters.edges(); ++i) made.edges.push_back(make(i));
  return made;
}

/// Returns the graph `of` with randomly renumbered vertices, so that long paths often lead from PE
/// to PE.
inline bfs_graphs::graph shuffled(bfs_graphs::graph of) {
  std::vector<std::uint64_t> number(of.vertices);
  std::iota(number.begin(), number.end(), std::uint64_t{0});
  std::ranges::shuffle(number, random_stream(3));
  for (edge& e : of.edges) e = {number[e.from], number[e.to]};
  of.name = "shuffled " + of.name;
  return of;
}

/// Returns a graph of isolated vertices, with one component of several vertices in the middle.
inline bfs_graphs::graph dust() {
  bfs_graphs::graph made{"dust", 3000, {}};
  for (std::uint64_t v = 1000; v < 1400; ++v) made.edges.push_back({v, 1400 + (v * 7) % 400});
  return made;
}

inline const std::vector<bfs_graphs::graph>& all_shapes() {
  static const auto graphs = [] {
    auto all = bfs_graphs::all(test::sanitized ? 9 : 11);
    all.push_back(uniform(10, 1));
    all.push_back(uniform(9, 8));
    all.push_back(shuffled(bfs_graphs::path(2000)));
    all.push_back(shuffled(bfs_graphs::grid(30, 40)));
    all.push_back(dust());
    all.push_back({"nothing", 0, {}});
    return all;
  }();
  return graphs;
}

/// A graph, and the workspace for computations on it.
template <class Id>
struct cc_built {
  distributed_graph<Id> graph;
  cc::workspace<Id> on;

  task<> destroy() const {
    co_await on.destroy();
    co_await graph.destroy();
  }
};

template <class Id>
task<cc_built<Id>> prepare(const bfs_graphs::graph& of, orientation arcs_are, hub_rows hubs) {
  cc_built<Id> made;
  made.graph = co_await build_graph<Id>(of, arcs_are, hubs);
  made.on = co_await cc::workspace<Id>::make(made.graph);
  const auto expect = [on = made.on, edges = edges_of(of)]() -> task<> {
    const auto mine = edges();
    co_await cc::all_expect(on, mine);
  };
  co_await together(expect);
  co_return made;
}

template <class Id>
task<cc::run_outcome> run_once(cc::workspace<Id> on) {
  const auto run = [on] { return cc::all_run(on, true); };
  co_return co_await from_all_pes(run);
}

template <class Id>
task<std::vector<std::uint64_t>> labels_found(cc::workspace<Id> on) {
  const auto gather = [on]() -> task<std::vector<std::uint64_t>> {
    const auto& mine = on.forests->labels;
    std::vector<std::uint64_t> all;
    for (const auto& of_pe : co_await all_gather(std::span<const Id>(mine)))
      all.insert(all.end(), of_pe.begin(), of_pe.end());
    co_return all;
  };
  co_return co_await from_all_pes(gather);
}

/// Compares the labels that the coroutine `run(workspace)` finds with the labels of a sequential
/// search. `run` must also verify the labels that it finds.
template <class Id, class Run>
task<> compare_labels_by(const bfs_graphs::graph& of, orientation arcs_are, hub_rows hubs,
                         const Run& run) {
  const auto made = co_await prepare<Id>(of, arcs_are, hubs);
  const auto& expected =
      bfs_graphs::computed_once(bfs_graphs::title_of(of), [&] { return labels_by_search(of); });
  for (int repeat = 0; repeat < 2; ++repeat) {
    const cc::run_outcome outcome = co_await run(made.on);
    EXPECT_EQ(outcome.found.total(), 0u) << of.name;
    const auto found = co_await labels_found(made.on);
    EXPECT_EQ(found, expected) << of.name << ", orientation " << static_cast<int>(arcs_are);
  }
  co_await made.destroy();
}

template <class Id>
task<> compare_labels(const bfs_graphs::graph& of, orientation arcs_are, hub_rows hubs) {
  const auto run = [](cc::workspace<Id> on) { return run_once(on); };
  co_await compare_labels_by<Id>(of, arcs_are, hubs, run);
}

/// Returns the number of components and the `most` largest components. One task calls this
/// function.
template <class Id>
task<cc::component_sizes> components_of(distributed_graph<Id> graph, std::size_t most) {
  const auto on = co_await cc::workspace<Id>::make(graph);
  const auto find = [on, most]() -> task<cc::component_sizes> {
    co_await cc::all_run(on, false);
    const cc::labels_here<Id> mine(on.forests.local());
    co_return co_await cc::all_sizes(on.graph->shape, mine, on.sizes, most);
  };
  auto found = co_await from_all_pes(find);
  co_await on.destroy();
  co_return found;
}

}  // namespace cc_job
