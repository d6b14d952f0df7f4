#pragma once
// Measures the time to find the minimum spanning forest of a random graph, as `atoll bench mst`
// does. The type `Exchange` exchanges data between processes.

#include "atoll/graph/generator.hpp"
#include "atoll/graph/random_graph.hpp"
#include "atoll/kernels/mst/run.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "reproduction/peers/mst/immediate.hpp"
#include "reproduction/peers/mst/options.hpp"
#include "support/json_line.hpp"

namespace bench::mst {

using word = std::uint32_t;
using raw = atl::kernels::mst::raw_edge<word>;
using atl::kernels::mst::run_outcome;

/// Returns the edges that this process generates, with their original weights.
inline atl::huge_vector<raw> edges_of(const atl::generator_parameters& graph, int pe, int pes) {
  const auto begin_of = [&](int number) {
    return graph.edges() * static_cast<std::uint64_t>(number) / static_cast<std::uint64_t>(pes);
  };
  const atl::random_graph_generator make(graph);
  atl::huge_vector<raw> all;
  all.reserve(begin_of(pe + 1) - begin_of(pe));
  for (std::uint64_t i = begin_of(pe); i < begin_of(pe + 1); ++i) {
    const auto [from, to] = make(i);
    all.push_back({static_cast<word>(std::min(from, to)), static_cast<word>(std::max(from, to)),
                   atl::hashed_weight(from, to, graph.seed)});
  }
  return all;
}

/// Finds the lightest weight of all processes, and subtracts it from all weights. Returns the
/// lightest weight. All processes must call this function.
template <class Exchange>
word all_lower(atl::huge_vector<raw>& edges, Exchange& others) {
  word lightest = std::numeric_limits<word>::max();
  for (const raw& each : edges) lightest = std::min(lightest, each.weight);
  lightest = static_cast<word>(-others.maximum(-static_cast<double>(lightest)).get());
  for (raw& each : edges) each.weight -= lightest;
  return lightest;
}

/// Prints the results of the run as one line of JSON.
inline void print(const run_outcome& run, const atl::generator_parameters& graph, int processes) {
  const auto edges = static_cast<double>(graph.edges());
  bench::json_line(edges / run.seconds, "edges/s")
      .add("seconds", run.seconds)
      .add_count("weight", static_cast<std::uint64_t>(run.weight.value()))
      .add_count("forest_edges", run.forest_edges)
      .add_count("iterations", run.iterations)
      .add("seconds_filter", run.spent.filter)
      .add("seconds_build", run.spent.build)
      .add("seconds_contract", run.spent.contract)
      .add("seconds_ghosts", run.spent.ghosts)
      .add("seconds_merge", run.spent.merge)
      .add("seconds_ring", run.spent.ring)
      .add("seconds_post", run.spent.post)
      .add("vertices", static_cast<double>(graph.vertices()))
      .add("input_edges", edges)
      .add("processes", processes)
      .print();
}

/// Runs an untimed trial, and then the timed trials. Process 0 prints the results of the trial with
/// the median time. Returns false if the trials have found different forests. All processes must
/// call this function.
template <class Exchange>
bool measure(const options& o, Exchange& others) {
  const auto graph = graph_of(o);
  auto edges = edges_of(graph, others.pe(), others.pes());
  const word lightest = all_lower(edges, others);
  std::vector<run_outcome> runs;
  for (std::uint64_t trial = 0; trial <= o.trials; ++trial) {
    atl::kernels::mst::part<word> mine;
    const run_outcome run =
        atl::kernels::mst::all_run(mine, others, ways_of(o), edges, graph.vertices(), lightest)
            .get();
    if (trial != 0) runs.push_back(run);
  }
  std::ranges::sort(runs, {}, &run_outcome::seconds);
  if (others.pe() == 0) print(runs[runs.size() / 2], graph, others.pes());
  return std::ranges::all_of(runs, [&](const run_outcome& run) {
    return run.weight == runs.front().weight && run.forest_edges == runs.front().forest_edges;
  });
}

}  // namespace bench::mst
