#pragma once
// Building and searching a graph whose size is known, as the main task of the job. One instance for
// each width of ids.

#include "app/bfs_findings.hpp"
#include "app/bfs_flags.hpp"
#include "app/bfs_output.hpp"
#include "app/graph_input.hpp"
#include "atoll/kernels/bfs/roots.hpp"
#include "atoll/kernels/bfs/tree.hpp"

#include <fmt/format.h>

namespace atl::app {

namespace bfs = kernels::bfs;

/// What the searches are given.
struct bfs_input {
  const bfs_flags& flags;
  trial_series& trials;
  vertex_output& output;
  graph_input graph;
  std::vector<std::uint64_t> roots;  ///< chosen by the user; else they are random
  std::optional<std::uint64_t> goal;
};

template <class Id>
class bfs_searches {
 public:
  bfs_searches(const bfs_input& input, bfs_findings& findings)
      : input_(input), flags_(input.flags), findings_(findings) {}

  /// Does everything. Once.
  task<> run() {
    co_await build();
    on_ = co_await bfs::workspace<Id>::make(graph_, flags_.queue);
    co_await choose_roots();
    while (input_.trials.begin()) input_.trials.end(co_await trial());
    const auto scanned_edges = [on = on_] { return on.parts->scanned_arcs; };
    co_await gather_facts(graph_, scanned_edges, findings_);
    co_await look_at_first_tree();
    if (input_.output.wanted() && findings_.right())
      co_await write_tree(on_, input_.graph.names, input_.output);
    co_await on_.destroy();
    co_await graph_.destroy();
  }

 private:
  /// Examples of a level, and levels that have them.
  static constexpr std::uint64_t k_examples = 5;
  static constexpr std::uint64_t k_levels = 64;

  task<> build();
  task<> choose_roots();
  task<measurements> trial();
  task<std::vector<bfs::search_outcome>> search_all(bfs::workspace<Id> on, bool verify);
  task<> search_again();
  task<> look_at_first_tree();
  task<> name_levels(const std::vector<std::uint64_t>& sizes,
                     const std::vector<bfs::level_example>& examples);

  const bfs_input& input_;
  const bfs_flags& flags_;
  bfs_findings& findings_;
  distributed_graph<Id> graph_;
  bfs::workspace<Id> on_;
};

template <class Id>
task<> bfs_searches<Id>::build() {
  const bool last = !flags_.common.verify;
  graph_ = co_await build_graph<Id>(input_.graph, flags_, flags_.arcs_are, last, input_.trials,
                                    findings_);
  if (flags_.common.verify) {
    input_.trials.show("comparing the graph with its edges");
    findings_.input = co_await compare_with_edges(graph_, input_.graph, flags_);
  }
  co_await input_.graph.forget_edges();
}

template <class Id>
task<> bfs_searches<Id>::choose_roots() {
  std::vector<std::uint64_t> roots = input_.roots;
  if (roots.empty()) {
    const auto choose = [graph = graph_, seed = flags_.random.seed, count = flags_.roots] {
      return bfs::all_choose_roots(graph.local(), seed, count);
    };
    roots = co_await from_all_pes(choose);
  }
  if (roots.empty()) fail(errc::input, "{}: there is no edge to search", flags_.name());
  for (const auto root : roots) {
    auto vertex = co_await shown(input_.graph.names, root);
    findings_.roots.push_back(std::move(vertex));
  }
}

/// Searches from each root, one after the other.
template <class Id>
task<std::vector<bfs::search_outcome>> bfs_searches<Id>::search_all(bfs::workspace<Id> on,
                                                                    bool verify) {
  const auto forget_scans = [on]() -> task<> {
    on.parts->scanned_arcs = 0;
    co_return;
  };
  co_await together(forget_scans);
  std::vector<bfs::search_outcome> searches;
  for (const auto& root : findings_.roots) {
    input_.trials.show(fmt::format("search {} of {}", searches.size() + 1, findings_.roots.size()));
    const auto search = [on, root = root.id, verify] { return bfs::all_run(on, root, verify); };
    const bfs::search_outcome outcome = co_await from_all_pes(search);
    searches.push_back(outcome);
  }
  co_return searches;
}

/// The searches that are asked for and, before them, the same without a queue where there is one.
template <class Id>
task<measurements> bfs_searches<Id>::trial() {
  std::vector<bfs::search_outcome> without_queue;
  if (on_.queue) without_queue = co_await search_all(on_.without_queue(), false);
  const bool verify = flags_.common.verify && !input_.trials.warming_up();
  auto searches = co_await search_all(on_, verify);
  double seconds = 0;
  for (const auto& one : searches) seconds += one.seconds;
  measurements measured;
  measured.emplace_back("rate", "edges/s", bfs::harmonic_mean_rate(searches));
  measured.emplace_back("seconds", "s", seconds / static_cast<double>(searches.size()));
  if (on_.queue)
    measured.emplace_back("rate_without_queue", "edges/s", bfs::harmonic_mean_rate(without_queue));
  if (!input_.trials.warming_up()) findings_.trials.push_back(std::move(searches));
  co_return measured;
}

template <class Id>
task<> bfs_searches<Id>::search_again() {
  const bool verify = flags_.common.verify && input_.output.wanted();
  const auto search = [on = on_, root = findings_.roots.front().id, verify] {
    return bfs::all_run(on, root, verify);
  };
  const bfs::search_outcome outcome = co_await from_all_pes(search);
  findings_.last_tree = outcome.found;
}

template <class Id>
task<> bfs_searches<Id>::look_at_first_tree() {
  co_await search_again();
  const auto look =
      [on = on_]() -> task<std::pair<std::vector<std::uint64_t>, std::vector<bfs::level_example>>> {
    const auto& tree = on.parts.local();
    auto sizes = co_await bfs::all_level_sizes(tree);
    auto examples = co_await bfs::all_level_examples(on.graph.local(), tree, k_levels, k_examples);
    co_return std::pair(std::move(sizes), std::move(examples));
  };
  const auto [sizes, examples] = co_await from_all_pes(look);
  co_await name_levels(sizes, examples);
  if (!input_.goal) co_return;
  for (const auto vertex : co_await bfs::path_from_root(graph_, on_.parts, *input_.goal)) {
    auto step = co_await shown(input_.graph.names, vertex);
    findings_.path.push_back(std::move(step.text));
  }
}

template <class Id>
task<> bfs_searches<Id>::name_levels(const std::vector<std::uint64_t>& sizes,
                                     const std::vector<bfs::level_example>& examples) {
  for (const auto size : sizes) {
    bfs_level level;
    level.vertices = size;
    findings_.levels.push_back(std::move(level));
  }
  for (const auto& example : examples) {
    auto vertex = co_await shown(input_.graph.names, example.vertex);
    findings_.levels[example.level].examples.push_back(std::move(vertex.text));
  }
}

}  // namespace atl::app
