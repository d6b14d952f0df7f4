#include "app/cc_job.hpp"

#include "app/cc_memory.hpp"
#include "app/cc_output.hpp"
#include "app/graph_input.hpp"
#include "app/graph_memory.hpp"
#include "app/job_result.hpp"

namespace atl::app {
namespace {

namespace cc = kernels::cc;

/// Building and labelling a graph whose size is known. One instance for each width of ids.
template <class Id>
class cc_trials {
 public:
  cc_trials(const graph_input& input, const cc_flags& flags, trial_series& trials,
            vertex_output& output, cc_findings& findings)
      : input_(input), flags_(flags), trials_(trials), output_(output), findings_(findings) {}

  /// Does everything. Once.
  task<> run() {
    co_await build();
    while (trials_.begin()) trials_.end(co_await trial());
    const auto scanned_edges = [on = on_] { return on.forests->scanned_edges; };
    co_await gather_facts(graph_, scanned_edges, findings_);
    co_await count_components();
    if (output_.wanted() && findings_.right()) co_await write_labels(on_, input_.names, output_);
    co_await on_.destroy();
    co_await graph_.destroy();
  }

 private:
  task<> build();
  task<measurements> trial();
  task<> count_components();

  const graph_input& input_;
  const cc_flags& flags_;
  trial_series& trials_;
  vertex_output& output_;
  cc_findings& findings_;
  distributed_graph<Id> graph_;
  cc::workspace<Id> on_;
};

template <class Id>
task<> cc_trials<Id>::build() {
  const bool last = !flags_.common.verify;
  graph_ =
      co_await build_graph<Id>(input_, flags_, orientation::undirected, last, trials_, findings_);
  on_ = co_await cc::workspace<Id>::make(graph_, flags_.set);
  if (on_.by_set) {
    on_.by_set->seed = flags_.random.seed;
    on_.by_set->traversals = flags_.traversals;
  }
  if (flags_.common.verify) {
    trials_.show("uniting the ends of all edges");
    const auto expect = [on = on_, edges = input_.edges_of_pe(flags_)]() -> task<> {
      const auto mine = edges();
      co_await cc::all_expect(on, mine);
    };
    co_await together(expect);
  }
  co_await input_.forget_edges();
}

template <class Id>
task<measurements> cc_trials<Id>::trial() {
  const bool verify = flags_.common.verify && !trials_.warming_up();
  const auto label = [on = on_, verify] { return cc::all_run(on, verify); };
  const cc::run_outcome outcome = co_await from_all_pes(label);
  if (!trials_.warming_up()) findings_.trials.push_back(outcome);
  measurements measured;
  measured.emplace_back("rate", "edges/s",
                        static_cast<double>(findings_.size.edges) / outcome.seconds);
  measured.emplace_back("seconds", "s", outcome.seconds);
  co_return measured;
}

/// By the labels of the last trial. Wrong ones may belong to no vertex.
template <class Id>
task<> cc_trials<Id>::count_components() {
  if (!findings_.right()) co_return;
  const auto count = [on = on_, most = flags_.largest] {
    return cc::all_sizes(on.graph->shape, cc::labels_here<Id>(on.forests.local()), on.sizes, most);
  };
  findings_.sizes = co_await from_all_pes(count);
  for (const auto& one : findings_.sizes.largest) {
    auto smallest = co_await shown(input_.names, one.smallest);
    findings_.largest.push_back({std::move(smallest), one.vertices});
  }
}

class cc_job {
 public:
  cc_job(const cc_flags& flags, const settings& options, trial_series& trials,
         vertex_output& output)
      : flags_(flags), options_(options), trials_(trials), output_(output) {}

  task<cc_findings> main() {
    const graph_input input = co_await read_input(flags_, trials_, findings_);
    output_.check_names(input.named_by_edges(flags_) && !input.names.are_ids());
    check_memory(flags_, options_, input.size, static_cast<std::uint64_t>(pes()));
    if (id_bytes_for(flags_, input.size.vertices) == sizeof(std::uint32_t)) {
      co_await label<std::uint32_t>(input);
    } else {
      co_await label<std::uint64_t>(input);
    }
    co_await input.destroy();
    co_return std::move(findings_);
  }

 private:
  template <class Id>
  task<> label(const graph_input& input) {
    cc_trials<Id> all(input, flags_, trials_, output_, findings_);
    co_await all.run();
  }

  const cc_flags& flags_;
  const settings& options_;
  trial_series& trials_;
  vertex_output& output_;
  cc_findings findings_;
};

}  // namespace

cc_findings label_graph(const cc_flags& flags, const settings& options, trial_series& trials,
                        vertex_output& output) {
  cc_job job(flags, options, trials, output);
  return result_of_job(options, [&] { return job.main(); });
}

}  // namespace atl::app
