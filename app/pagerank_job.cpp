#include "app/pagerank_job.hpp"

#include "app/graph_input.hpp"
#include "app/graph_memory.hpp"
#include "app/job_result.hpp"
#include "app/pagerank_memory.hpp"
#include "app/pagerank_output.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/arc_weights.hpp"

namespace atl::app {
namespace {

namespace pr = kernels::pagerank;

/// Building and ranking a graph whose size is known. One instance for each width of ids.
template <class Id>
class pagerank_trials {
 public:
  pagerank_trials(const graph_input& input, const pagerank_flags& flags, trial_series& trials,
                  vertex_output& output, pagerank_findings& findings)
      : input_(input), flags_(flags), trials_(trials), output_(output), findings_(findings) {}

  /// Does everything. Once.
  task<> run() {
    co_await build();
    while (trials_.begin()) trials_.end(co_await trial());
    const auto scanned_edges = [graph = graph_, iterations = findings_.ended().iterations] {
      return graph->arcs() * iterations;
    };
    co_await gather_facts(graph_, scanned_edges, findings_);
    co_await show_top();
    if (output_.wanted() && findings_.right()) co_await write_ranks(on_, input_.names, output_);
    co_await on_.destroy();
    co_await expected_.destroy();
    co_await graph_.destroy();
  }

 private:
  task<> build();
  task<> weigh();
  task<> expect();
  task<measurements> trial();
  task<> show_top();

  const graph_input& input_;
  const pagerank_flags& flags_;
  trial_series& trials_;
  vertex_output& output_;
  pagerank_findings& findings_;
  distributed_graph<Id> graph_;
  pr::workspace<Id> on_;
  per_pe<pr::expected_ranks> expected_;
  bool expects_ = false;
  std::uint64_t iterations_ = 0;  // of the last trial
};

template <class Id>
task<> pagerank_trials<Id>::build() {
  const bool last = !flags_.weighted && !flags_.common.verify;
  graph_ = co_await build_graph<Id>(input_, flags_, flags_.arcs_are(), last, trials_, findings_,
                                    row_order::by_target);
  if (flags_.weighted) co_await weigh();
  expected_ = co_await per_pe<pr::expected_ranks>::make();
  if (!flags_.common.verify) co_await input_.forget_edges();
  trials_.show("agreeing on sums");
  const auto start = now();
  on_ = co_await pr::workspace<Id>::make(graph_, flags_.how);
  findings_.plan_seconds = seconds_since(start);
}

template <class Id>
task<> pagerank_trials<Id>::weigh() {
  trials_.show("weighing arcs");
  const auto weigh = [graph = graph_, edges = input_.edges_of_pe(flags_),
                      weights = input_.weights_of_pe(flags_)]() -> task<> {
    const auto mine = edges();
    co_await all_add_weights(graph, mine, weights(), turned_edges::add_up);
  };
  co_await together(weigh);
}

template <class Id>
task<> pagerank_trials<Id>::expect() {
  trials_.show("ranking by one PE");
  expects_ = true;
  const auto expect = [graph = graph_, expected = expected_, edges = input_.edges_of_pe(flags_),
                       weights = input_.weights_of_pe(flags_), weighted = flags_.weighted,
                       with = flags_.with, ended = iterations_]() -> task<> {
    const auto mine = edges();
    const partition& shape = graph->shape;
    if (weighted)
      expected.local() =
          co_await pr::all_expected_ranks<Id>(shape, mine, graph->arcs_are, with, ended, weights());
    else
      expected.local() =
          co_await pr::all_expected_ranks<Id>(shape, mine, graph->arcs_are, with, ended);
  };
  co_await together(expect);
  co_await input_.forget_edges();
}

template <class Id>
task<measurements> pagerank_trials<Id>::trial() {
  const bool verify = flags_.common.verify && !trials_.warming_up();
  if (verify && !expects_) co_await expect();
  const auto rank = [on = on_, with = flags_.with, expected = expected_, verify] {
    return pr::all_run(on, with, verify ? &expected.local() : nullptr);
  };
  const pr::run_outcome outcome = co_await from_all_pes(rank);
  iterations_ = outcome.ended.iterations;
  if (!trials_.warming_up()) findings_.trials.push_back(outcome);
  const auto visits =
      static_cast<double>(findings_.size.edges) * static_cast<double>(outcome.ended.iterations);
  measurements measured;
  measured.emplace_back("rate", "edges/s", visits / outcome.seconds);
  measured.emplace_back("seconds", "s", outcome.seconds);
  co_return measured;
}

/// By the ranks of the last trial.
template <class Id>
task<> pagerank_trials<Id>::show_top() {
  if (!findings_.right()) co_return;
  const auto find = [on = on_, most = flags_.top] { return pr::all_top(on, most); };
  for (const auto& one : co_await from_all_pes(find)) {
    auto vertex = co_await shown(input_.names, one.vertex);
    findings_.top.push_back({std::move(vertex), one.rank});
  }
}

/// The smallest of a file, or nothing where it has none. One task calls it.
task<std::optional<std::int64_t>> least_weight(const graph_input& input) {
  constexpr auto none = std::numeric_limits<std::int64_t>::max();
  const auto least = [stored = input.edges]() -> task<std::vector<std::int64_t>> {
    const packed_edges& mine = stored->edges;
    std::vector<std::int64_t> found = {0, none};
    if (mine.weighted()) found[0] = -1;
    for (std::uint64_t i = 0; mine.weighted() && i < mine.size(); ++i)
      found[1] = std::min(found[1], mine.weight(i));
    co_return co_await all_reduce(std::move(found), [](auto a, auto b) { return std::min(a, b); });
  };
  const auto found = co_await from_all_pes(least);
  co_return found[0] == 0 ? std::nullopt : std::optional(found[1]);
}

/// Throws `error` (input) where ranks cannot be given by weights. One task calls it.
task<> check_weights(const pagerank_flags& flags, const graph_input& input) {
  if (!flags.weighted || flags.generated() || input.size.edges == 0) co_return;
  const auto& fault = input.edges->weights_fault;
  if (fault) fail(errc::input, "--weighted: {}", fault->what());
  const auto least = co_await least_weight(input);
  if (!least) fail(errc::input, "--weighted: {} has no weights", flags.files.edges);
  if (*least < 0)
    fail(errc::input, "--weighted: {} has an edge of weight {}, and rank goes over none below 0",
         flags.files.edges, *least);
}

class pagerank_job {
 public:
  pagerank_job(const pagerank_flags& flags, const settings& options, trial_series& trials,
               vertex_output& output)
      : flags_(flags), options_(options), trials_(trials), output_(output) {}

  task<pagerank_findings> main() {
    const graph_input input = co_await read_input(flags_, trials_, findings_);
    settle_direction(input);
    output_.check_names(input.named_by_edges(flags_) && !input.names.are_ids());
    check_memory(flags_, options_, input.size, static_cast<std::uint64_t>(pes()));
    co_await check_weights(flags_, input);
    if (id_bytes_for(flags_, input.size.vertices) == sizeof(std::uint32_t)) {
      co_await rank<std::uint32_t>(input);
    } else {
      co_await rank<std::uint64_t>(input);
    }
    co_await input.destroy();
    co_return std::move(findings_);
  }

 private:
  /// Edges of some files lead both ways, whatever is usual.
  void settle_direction(const graph_input& input) {
    if (!flags_.generated() && input.edges->undirected) {
      if (flags_.directed)
        fail(errc::input, "--directed: the edges of {} have no direction", flags_.files.edges);
      flags_.undirected = true;
    }
    findings_.directed = flags_.arcs_are() != orientation::undirected;
  }

  template <class Id>
  task<> rank(const graph_input& input) {
    pagerank_trials<Id> all(input, flags_, trials_, output_, findings_);
    co_await all.run();
  }

  pagerank_flags flags_;
  const settings& options_;
  trial_series& trials_;
  vertex_output& output_;
  pagerank_findings findings_;
};

}  // namespace

pagerank_findings rank_graph(const pagerank_flags& flags, const settings& options,
                             trial_series& trials, vertex_output& output) {
  pagerank_job job(flags, options, trials, output);
  return result_of_job(options, [&] { return job.main(); });
}

}  // namespace atl::app
