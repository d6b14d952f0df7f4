#pragma once
// Functions that compute PageRank of small graphs, and a plain computation for comparison.

#include "atoll/graph/arc_weights.hpp"
#include "atoll/kernels/pagerank/run.hpp"
#include "kernels/graph_job.hpp"

#include <fmt/format.h>
#include <map>
#include <string>

namespace pagerank_job {

using namespace graph_job;
namespace pr = kernels::pagerank;

struct answer {
  std::vector<double> ranks;
  std::uint64_t iterations = 0;
  double residual = 0;
};

/// Returns the weight of edge `number`. Weights vary, even between the same two vertices, and some
/// are 0.
inline double weight_of(const edge& e, std::uint64_t number) {
  return static_cast<double>((e.from + 3 * e.to + number) % 5);
}

/// The weights of the edges that a PE holds.
struct weights_of_dealt {
  double operator()(std::uint64_t i, edge e) const {
    const auto all = static_cast<std::uint64_t>(pes());
    return weight_of(e, i * all + static_cast<std::uint64_t>(my_pe()));
  }
};

/// For each source, the weights of its arcs, as a map from the target of an arc to its weight.
using arc_table = std::vector<std::map<std::uint64_t, double>>;

inline arc_table arcs_of(const bfs_graphs::graph& of, orientation arcs_are, bool weighted) {
  arc_table arcs(of.vertices);
  for (std::uint64_t i = 0; i < of.edges.size(); ++i) {
    atl::graph::for_each_arc(of.edges[i], arcs_are, [&](atl::graph::arc a) {
      if (a.source == a.target) return;
      double& weight = arcs[a.source][a.target];
      weight = weighted ? weight + weight_of(of.edges[i], i) : 1;
    });
  }
  return arcs;
}

/// Computes the ranks by definition, applying the matrix of the graph column by column.
inline answer compute_by_definition(const bfs_graphs::graph& of, orientation arcs_are,
                                    pr::parameters with, bool weighted) {
  const arc_table arcs = arcs_of(of, arcs_are, weighted);
  const auto all = static_cast<double>(of.vertices);
  answer found{std::vector<double>(of.vertices, 1 / all)};
  do {
    std::vector<double> next(of.vertices, (1 - with.damping) / all);
    double everybody = 0;
    for (std::uint64_t v = 0; v < of.vertices; ++v) {
      const double given = with.damping * found.ranks[v];
      double sum = 0;
      for (const auto& [target, weight] : arcs[v]) sum += weight;
      if (sum == 0) everybody += given / all;
      for (const auto& [target, weight] : arcs[v])
        if (sum > 0) next[target] += given * weight / sum;
    }
    found.residual = 0;
    for (std::uint64_t v = 0; v < of.vertices; ++v) {
      next[v] += everybody;
      found.residual += std::abs(next[v] - found.ranks[v]);
    }
    found.ranks = next;
  } while (++found.iterations < with.max_iterations && found.residual >= with.tolerance);
  return found;
}

inline const answer& ranks_by_definition(const bfs_graphs::graph& of, orientation arcs_are,
                                         pr::parameters with, bool weighted = false) {
  const std::string question =
      fmt::format("{} {} {} {} {} {}", bfs_graphs::title_of(of), static_cast<int>(arcs_are),
                  with.damping, with.tolerance, with.max_iterations, weighted);
  return bfs_graphs::computed_once(
      question, [&] { return compute_by_definition(of, arcs_are, with, weighted); });
}

/// Returns a graph in which two thirds of the vertices have arcs to the other third. The last
/// vertices have no arcs.
inline bfs_graphs::graph dangling() {
  bfs_graphs::graph made{"dangling", 1000, {}};
  for (std::uint64_t v = 0; v < 600; ++v) {
    made.edges.push_back({v, 600 + v * 7 % 300});
    made.edges.push_back({v, 600 + v * 11 % 300});
  }
  return made;
}

inline const std::vector<bfs_graphs::graph>& ranked_shapes() {
  static const auto graphs = [] {
    auto all = bfs_graphs::all(test::sanitized ? 9 : 10);
    all.push_back(dangling());
    all.push_back({"nothing", 0, {}});
    all.push_back({"no edge", 9, {}});
    return all;
  }();
  return graphs;
}

template <class Id>
struct pagerank_built {
  distributed_graph<Id> graph;
  pr::workspace<Id> on;

  task<> destroy() const {
    co_await on.destroy();
    co_await graph.destroy();
  }
};

/// Computes ranks by the algorithm of the library. Each other algorithm has a class with the same
/// functions as `by_blocks`.
struct by_blocks {
  template <class Id>
  static task<pr::workspace<Id>> make(distributed_graph<Id> graph) {
    return pr::workspace<Id>::make(graph);
  }
  /// Computes the ranks once. Every PE calls this function.
  template <class Id>
  static task<pr::run_outcome> all_run(pr::workspace<Id> on, pr::parameters with) {
    return pr::all_run(on, with, nullptr);
  }
};

template <class Id, class Way = by_blocks>
task<pagerank_built<Id>> prepare_ranks(const bfs_graphs::graph& of, orientation arcs_are,
                                       hub_rows hubs = hub_rows::split) {
  pagerank_built<Id> made;
  made.graph = co_await build_graph<Id>(of, arcs_are, hubs);
  made.on = co_await Way::make(made.graph);
  co_return made;
}

/// Builds the graph with weights, and prepares the computation of its ranks.
template <class Id, class Way = by_blocks>
task<pagerank_built<Id>> prepare_weighted(const bfs_graphs::graph& of, orientation arcs_are) {
  pagerank_built<Id> made;
  const graph_size size{of.vertices, of.edges.size()};
  const auto weighing = [] {
    return arc_weighing<weights_of_dealt>{{}, parallel_edges::add_up, turned_edges::add_up};
  };
  made.graph = co_await make_weighted_graph<Id>(size, arcs_are, edges_of(of), hub_rows::split,
                                                row_order::by_target, weighing);
  made.on = co_await Way::make(made.graph);
  co_return made;
}

template <class Way = by_blocks, class Id>
task<pr::run_outcome> rank_once(pr::workspace<Id> on, pr::parameters with) {
  const auto run = [on, with] { return Way::all_run(on, with); };
  co_return co_await from_all_pes(run);
}

template <class Id>
task<std::vector<double>> ranks_found(pr::workspace<Id> on) {
  const auto gather = [on]() -> task<std::vector<double>> {
    std::vector<double> mine;
    for (std::uint64_t row = 0; row < on.graph->vertices; ++row)
      mine.push_back(on.ranks->rank_of_row(row));
    std::vector<double> all;
    for (const auto& of_pe : co_await all_gather(std::span<const double>(mine)))
      all.insert(all.end(), of_pe.begin(), of_pe.end());
    co_return all;
  };
  co_return co_await from_all_pes(gather);
}

inline void expect_close(const std::vector<double>& found, const std::vector<double>& expected,
                         const std::string& what) {
  EXPECT_EQ(found.size(), expected.size()) << what;
  for (std::size_t v = 0; v < found.size(); ++v) {
    const double allowed = 1e-9 * expected[v];
    if (std::abs(found[v] - expected[v]) <= allowed) continue;
    ADD_FAILURE() << what << ": vertex " << v << " has " << found[v] << ", not " << expected[v];
    return;
  }
}

/// Computes the ranks twice, and compares both results with `expected`. The second computation must
/// not depend on data that the first computation has left in the workspace.
template <class Way, class Id>
task<> expect_answer(pr::workspace<Id> on, pr::parameters with, const answer& expected,
                     const std::string& name) {
  for (int repeat = 0; repeat < 2; ++repeat) {
    const auto outcome = co_await rank_once<Way>(on, with);
    EXPECT_EQ(outcome.ended.iterations, expected.iterations) << name;
    EXPECT_NEAR(outcome.ended.residual, expected.residual, 1e-12) << name;
    const auto found = co_await ranks_found(on);
    expect_close(found, expected.ranks, name);
  }
}

template <class Id, class Way = by_blocks>
task<> compare_ranks(const bfs_graphs::graph& of, orientation arcs_are,
                     hub_rows hubs = hub_rows::split, pr::parameters with = {}) {
  const auto made = co_await prepare_ranks<Id, Way>(of, arcs_are, hubs);
  co_await expect_answer<Way>(made.on, with, ranks_by_definition(of, arcs_are, with), of.name);
  co_await made.destroy();
}

template <class Id, class Way = by_blocks>
task<> compare_weighted_ranks(const bfs_graphs::graph& of, orientation arcs_are) {
  const auto made = co_await prepare_weighted<Id, Way>(of, arcs_are);
  const pr::parameters with;
  co_await expect_answer<Way>(made.on, with, ranks_by_definition(of, arcs_are, with, true),
                              of.name);
  co_await made.destroy();
}

/// Returns the `most` vertices with the highest ranks. One task calls this function.
template <class Id>
task<std::vector<pr::ranked_vertex>> top_of(distributed_graph<Id> graph, std::size_t most) {
  const auto on = co_await pr::workspace<Id>::make(graph);
  const auto rank = [on, most]() -> task<std::vector<pr::ranked_vertex>> {
    co_await pr::all_iterate(on, {});
    co_return co_await pr::all_top(on, most);
  };
  auto top = co_await from_all_pes(rank);
  co_await on.destroy();
  co_return top;
}

}  // namespace pagerank_job
