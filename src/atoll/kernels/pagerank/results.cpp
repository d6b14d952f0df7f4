// Implements the functions of atoll/kernels/pagerank.hpp.

#include "atoll/kernels/common/negative_weights.hpp"
#include "atoll/kernels/common/repeated.hpp"
#include "atoll/kernels/common/top_vertices.hpp"
#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/kernels/pagerank.hpp"
#include "atoll/kernels/pagerank/run.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace atl {
namespace {

namespace kernel = kernels::pagerank;

kernel::parameters parameters_of(const pagerank_options& options) {
  if (!(options.damping >= 0 && options.damping <= 1))
    fail(errc::input, "damping: {} is out of range (0 to 1)", options.damping);
  if (!(options.tolerance >= 0))
    fail(errc::input, "tolerance: {} is below 0, or no number", options.tolerance);
  if (options.max_iterations == 0) fail(errc::input, "max_iterations: 0 is below 1");
  return {options.damping, options.tolerance, options.max_iterations};
}

/// Returns the estimated fraction that is done after `iterations` iterations. The last iteration
/// changed the ranks by `change`. The estimate assumes that each iteration multiplies the change by
/// the damping, and that the first change is at most 2.
double part_done(const pagerank_options& with, std::uint64_t iterations, double change) {
  double part = static_cast<double>(iterations) / static_cast<double>(with.max_iterations);
  if (with.tolerance > 0 && change > 0)
    part = std::max(part, std::log(2 / change) / std::log(2 / with.tolerance));
  return change < with.tolerance ? 1 : std::clamp(part, 0.0, 1.0);
}

template <class Id>
task<page_ranks> rank(kernel::workspace<Id> on, page_ranks found, progress_view progress) {
  const kernels::travelling_progress heard(progress);
  const auto run = [on, found, heard]() -> task<kernel::run_outcome> {
    on.ranks->progress = [heard, with = found.with](std::uint64_t iterations, double change) {
      heard.tell("ranking", part_done(with, iterations, change));
    };
    const auto ended = co_await kernel::all_run(on, parameters_of(found.with), nullptr);
    const auto& ranks = on.ranks.local();
    const auto mine = found.rank.local();
    for (std::size_t row = 0; row < mine.size(); ++row) mine[row] = ranks.rank_of_row(row);
    co_return ended;
  };
  const kernel::run_outcome outcome = co_await from_all_pes(run);
  found.iterations = outcome.ended.iterations;
  found.change = outcome.ended.residual;
  found.seconds = outcome.seconds;
  progress("ranking", 1);
  co_return found;
}

/// The number of wrong ranks on all PEs, and the smallest vertex with a wrong rank.
struct wrong_ranks {
  std::uint64_t count = 0;
  vertex_id first = no_vertex;
  double has = 0;    ///< rank of the vertex `first`
  double needs = 0;  ///< expected rank of the vertex `first`

  static wrong_ranks of_both(const wrong_ranks& a, const wrong_ranks& b) {
    wrong_ranks both = a.first <= b.first ? a : b;
    both.count = a.count + b.count;
    return both;
  }
};

/// Compares the ranks with the expected ranks. Every PE calls this function.
template <class Id>
task<wrong_ranks> all_find_wrong(distributed_graph<Id> rows, page_ranks found,
                                 per_pe<stored_edges> stored, bool weighted) {
  const graph_part<Id>& part = rows.local();
  const stored_edges& edges = stored.local();
  const auto with = parameters_of(found.with);
  const auto weight = [&edges](std::uint64_t i, edge of) { return edges.real_weight(i, of); };
  kernel::expected_ranks expected;
  if (!weighted)  // a PE without arcs has no weights even in a graph with weights
    expected = co_await kernel::all_expected_ranks<Id>(part.shape, edges, part.arcs_are, with,
                                                       found.iterations);
  else
    expected = co_await kernel::all_expected_ranks<Id>(part.shape, edges, part.arcs_are, with,
                                                       found.iterations, weight,
                                                       turned_edges::are_the_same);
  wrong_ranks wrong;
  const auto mine = found.rank.local();
  for (std::size_t row = 0; row < mine.size(); ++row) {
    if (mine[row] == expected[row]) continue;  // equal values, including 0
    const double deviation = std::abs(mine[row] - expected[row]) / expected[row];
    if (deviation <= kernel::k_allowed_deviation) continue;  // a NaN counts as a wrong rank
    if (wrong.count++ != 0) continue;
    wrong.first = found.rank.first_vertex() + row;
    wrong.has = mine[row];
    wrong.needs = expected[row];
  }
  co_return co_await all_reduce(wrong, &wrong_ranks::of_both);
}

constexpr memory::call_of_one k_pagerank{"pagerank", "all_pagerank"},
    k_all_pagerank{"all_pagerank", nullptr}, k_verify{"verify", "all_verify"},
    k_top{"top", "all_top"}, k_write{"write", "all_write"};

}  // namespace

struct repeated_rankings::state {
  global_graph graph;
  std::variant<kernel::workspace<std::uint32_t>, kernel::workspace<std::uint64_t>> on;
  double plan_seconds = 0;
};

task<repeated_rankings> repeated_rankings::make(global_graph graph, site where) {
  graph.check_neighbours(where);
  if (graph.has_arc_weights() && graph.parallel() == parallel_edges::least)
    fail(errc::input,
         "{}: pagerank follows sums of weights: set parallel of graph_options to "
         "parallel_edges::add_up",
         to_string(where));
  if (graph.has_arc_weights()) co_await kernels::refuse_negative_weights(graph, "pagerank", where);
  repeated_rankings made;
  made.state_ = std::make_shared<state>();
  made.state_->graph = graph;
  const auto start = now();
  const auto plan = [to = made.state_.get()]<class Id>(distributed_graph<Id> rows) -> task<> {
    to->on = co_await kernel::workspace<Id>::make(rows);
  };
  co_await graph.on_ids(plan);
  made.state_->plan_seconds = seconds_since(start);
  co_return made;
}

task<page_ranks> repeated_rankings::rank(pagerank_options options, site where) {
  const state& own = kernels::state_of(state_, "repeated rankings", where);
  own.graph.check(where);
  static_cast<void>(parameters_of(options));
  page_ranks found;
  found.with = options;
  found.with.progress = {};
  found.plan_seconds = own.plan_seconds;
  found.rank = co_await make_vertex_array<double>(own.graph, elements_are::numbers, where);
  const auto by = [&](const auto& on) { return atl::rank(on, found, options.progress); };
  co_return co_await std::visit(by, own.on);
}

task<> repeated_rankings::destroy(site where) {
  const state& own = kernels::state_of(state_, "repeated rankings", where);
  own.graph.check(where);
  co_await std::visit([](const auto& on) { return on.destroy(); }, own.on);
  state_.reset();
}

task<page_ranks> pagerank(global_graph graph, pagerank_options options, site where) {
  graph.check_neighbours(where);
  static_cast<void>(parameters_of(options));
  const memory::named_call call(k_pagerank, where);
  auto rankings = co_await repeated_rankings::make(graph, where);
  const page_ranks found = co_await rankings.rank(options, where);
  co_await rankings.destroy(where);
  co_return found;
}

task<page_ranks> all_pagerank(global_graph graph, pagerank_options options, site where) {
  const memory::named_call call(k_all_pagerank, where);
  const auto by_one = [=] { return pagerank(graph, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<> verify(global_graph graph, page_ranks found, site where) {
  graph.check_result(found.rank, where);
  const memory::named_call call(k_verify, where);
  const auto stored = graph.kept_edges("verify", where);
  const auto count = [&](auto rows) {
    const auto on_all = [rows, found, stored, weighted = graph.has_arc_weights()] {
      return all_find_wrong(rows, found, stored, weighted);
    };
    return from_all_pes(on_all, where);
  };
  const wrong_ranks wrong = co_await graph.on_ids(count);
  if (wrong.count == 0) co_return;
  const std::string name = co_await graph.name_of(wrong.first);
  fail(errc::wrong_result,
       "{}: vertex {} has the rank {}, and a serial program finds {}; {} of {} ranks are wrong",
       to_string(where), name, wrong.has, wrong.needs, wrong.count, graph.vertices());
}

task<> all_verify(global_graph graph, page_ranks found, site where) {
  return all_by_first([=] { return verify(graph, found, where); }, where);
}

task<std::vector<ranked_vertex>> page_ranks::top(std::size_t most, site where) const {
  const vertex_array<double> all_ranks = rank;
  all_ranks.check(where);
  const memory::named_call call(k_top, where);
  std::vector<ranked_vertex> shown;
  for (const auto& one : co_await kernels::top_vertices(all_ranks, most, where))
    shown.push_back({one.vertex, one.value});
  co_return shown;
}

task<> page_ranks::write(std::string path, site where) const {
  const vertex_array<double> ranks = rank;
  ranks.check(where);
  const memory::named_call call(k_write, where);
  const auto describe = [ranks]() -> graph::described_vertices {
    const auto value = [ranks](std::uint64_t row, std::size_t) { return ranks.written(row); };
    return {{ranks.column("rank")}, value};
  };
  co_await graph::write_vertex_file(ranks.layout(), std::move(path), describe);
}

task<> page_ranks::destroy(site where) const { return rank.destroy(where); }

task<std::vector<ranked_vertex>> page_ranks::all_top(std::size_t most, site where) const {
  return all_by_first([found = *this, most, where] { return found.top(most, where); }, where);
}

task<> page_ranks::all_write(std::string path, site where) const {
  const auto by_one = [found = *this, path = std::move(path), where] {
    return found.write(path, where);
  };
  return all_by_first(by_one, where);
}

task<> page_ranks::all_destroy(site where) const { return rank.all_destroy(where); }

}  // namespace atl
