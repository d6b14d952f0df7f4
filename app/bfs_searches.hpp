#pragma once
// Building and searching a graph whose size is known, as the main task of the job. One instance for
// each width of ids.

#include "app/bfs_findings.hpp"
#include "app/bfs_flags.hpp"
#include "atoll/graph/kronecker.hpp"
#include "atoll/graph/make_graph.hpp"
#include "atoll/kernels/bfs_roots.hpp"
#include "atoll/kernels/bfs_tree.hpp"

#include <fmt/format.h>

namespace atl::app {

namespace bfs = kernels::bfs;

/// What is shown of a vertex.
task<shown_vertex> shown(vertex_names names, std::uint64_t vertex);

/// The most this process has held in memory, as the system counts it.
std::uint64_t peak_of_process();

/// What the searches are given.
struct bfs_input {
  const bfs_flags& flags;
  trial_series& trials;
  per_pe<stored_edges> edges;
  vertex_names names;
  graph_size size;
  std::vector<std::uint64_t> roots;  ///< chosen by the user; else they are random
  std::optional<std::uint64_t> goal;
};

/// The edges of a file or, where `stored` is null, of a random graph. One type for both halves what
/// is compiled to build a graph; the branch for each edge is always predicted.
class input_edges {
 public:
  input_edges(const generator_parameters& random, const stored_edges* stored)
      : generated_(random), stored_(stored) {}

  std::uint64_t size() const { return stored_ != nullptr ? stored_->size() : generated_.size(); }
  edge operator()(std::uint64_t i) const {
    return stored_ != nullptr ? (*stored_)(i) : generated_(i);
  }

 private:
  generated_edges<kronecker_generator> generated_;
  const stored_edges* stored_;
};

template <class Id>
class bfs_searches {
 public:
  bfs_searches(const bfs_input& input, bfs_findings& findings)
      : input_(input), flags_(input.flags), findings_(findings) {}

  /// Does everything. Once.
  task<> run() {
    co_await build();
    on_ = co_await bfs::workspace<Id>::make(graph_);
    co_await choose_roots();
    while (input_.trials.begin()) input_.trials.end(co_await trial());
    co_await gather_facts();
    co_await look_at_first_tree();
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
  task<> gather_facts();
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
  const auto start = this_pe().transport->now();
  input_.trials.show("building the graph");
  const auto edges_of_pe = [random = flags_.random, generated = flags_.generated(),
                            stored = input_.edges] {
    return input_edges(random, generated ? nullptr : &stored.local());
  };
  graph_ = co_await make_graph<Id>(input_.size, flags_.arcs_are, edges_of_pe, hub_rows::split);
  findings_.build_seconds = static_cast<double>(this_pe().transport->now() - start) * 1e-9;
  if (flags_.common.verify) {
    input_.trials.show("comparing the graph with its edges");
    findings_.input = co_await compare_with_input(graph_, edges_of_pe);
  }
  co_await on_all_pes([stored = input_.edges] { std::vector<edge>().swap(stored->edges); });
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
  if (roots.empty())
    fail(errc::input, "{}: there is no edge to search",
         flags_.generated() ? fmt::format("--scale {}", flags_.random.scale) : flags_.files.edges);
  for (const auto root : roots) {
    auto vertex = co_await shown(input_.names, root);
    findings_.roots.push_back(std::move(vertex));
  }
}

/// One search from each root.
template <class Id>
task<measurements> bfs_searches<Id>::trial() {
  const auto forget_scans = [on = on_]() -> task<> {
    on.parts->scanned_arcs = 0;
    co_return;
  };
  co_await together(forget_scans);
  const bool verify = flags_.common.verify && !input_.trials.warming_up();
  std::vector<bfs::search_outcome> searches;
  double seconds = 0;
  for (const auto& root : findings_.roots) {
    input_.trials.show(fmt::format("search {} of {}", searches.size() + 1, findings_.roots.size()));
    const auto search = [on = on_, root = root.id, verify] {
      return bfs::all_run(on, root, verify);
    };
    const bfs::search_outcome outcome = co_await from_all_pes(search);
    searches.push_back(outcome);
    seconds += outcome.seconds;
  }
  const double rate = bfs::harmonic_mean_rate(searches);
  const auto count = static_cast<double>(searches.size());
  if (!input_.trials.warming_up()) findings_.trials.push_back(std::move(searches));
  measurements measured;
  measured.emplace_back("rate", "edges/s", rate);
  measured.emplace_back("seconds", "s", seconds / count);
  co_return measured;
}

template <class Id>
task<> bfs_searches<Id>::gather_facts() {
  const auto gather = [on = on_]() -> task<std::vector<bfs_pe_facts>> {
    bfs_pe_facts mine;
    mine.vertices = on.graph->vertices;
    mine.arcs = on.graph->arcs();
    mine.bytes = on.graph->bytes();
    mine.scanned_edges = on.parts->scanned_arcs;
    const bool own_process = job_settings().pe_kind == pe_kind::process || my_pe() == 0;
    mine.bytes_peak = own_process ? peak_of_process() : 0;
    co_return co_await all_gather(mine);
  };
  findings_.pes = co_await from_all_pes(gather);
  findings_.id_bits = 8 * sizeof(Id);
  findings_.hubs = graph_->shape.hubs.size();
}

template <class Id>
task<> bfs_searches<Id>::look_at_first_tree() {
  const auto look = [on = on_, root = findings_.roots.front().id]()
      -> task<std::pair<std::vector<std::uint64_t>, std::vector<bfs::level_example>>> {
    co_await bfs::all_run(on, root, false);
    const auto& tree = on.parts.local();
    auto sizes = co_await bfs::all_level_sizes(tree);
    auto examples = co_await bfs::all_level_examples(on.graph.local(), tree, k_levels, k_examples);
    co_return std::pair(std::move(sizes), std::move(examples));
  };
  const auto [sizes, examples] = co_await from_all_pes(look);
  co_await name_levels(sizes, examples);
  if (!input_.goal) co_return;
  for (const auto vertex : co_await bfs::path_from_root(graph_, on_.parts, *input_.goal)) {
    auto step = co_await shown(input_.names, vertex);
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
    auto vertex = co_await shown(input_.names, example.vertex);
    findings_.levels[example.level].examples.push_back(std::move(vertex.text));
  }
}

}  // namespace atl::app
