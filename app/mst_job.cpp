#include "app/mst_job.hpp"

#include "app/graph_input.hpp"
#include "app/graph_memory.hpp"
#include "app/job_result.hpp"
#include "app/mst_memory.hpp"
#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/kernels/mst/find.hpp"
#include "atoll/kernels/mst/weights.hpp"

#include <optional>

namespace atl::app {
namespace {

namespace mst = kernels::mst;

/// What a PE has from one trial to the next.
template <class Word>
struct forest_part {
  huge_vector<mst::raw_edge<Word>> input;
  mst::part<Word> mine;
  mst::numbered_edges<Word> numbered;
  std::optional<mst::one_sided_exchange> by_memory;
};

/// Finding the forest of a graph whose size and weights are known. One instance for each width.
template <class Word>
class mst_trials {
 public:
  mst_trials(const graph_input& input, mst::weight_range weights, const mst_flags& flags,
             trial_series& trials, mst_output& output, mst_findings& findings)
      : input_(input),
        weights_(weights),
        flags_(flags),
        trials_(trials),
        output_(output),
        findings_(findings) {}

  /// Does everything. Once.
  task<> run() {
    parts_ = co_await per_pe<forest_part<Word>>::make();
    memory_ =
        co_await mst::one_sided_memory::make(mst::usual_exchange_bytes(input_.size.edges, pes()));
    co_await take_input();
    while (trials_.begin()) trials_.end(co_await trial());
    findings_.id_bits = 8 * sizeof(Word);
    const auto add_peaks = []() -> task<std::uint64_t> {
      co_return co_await all_reduce(peak_of_own_process(), std::plus<>());
    };
    findings_.bytes_peak = co_await from_all_pes(add_peaks);
    if (flags_.common.verify) co_await verify();
    if (output_.wanted() && findings_.right()) co_await write();
    co_await memory_.destroy();
    co_await parts_.destroy();
  }

 private:
  task<> take_input();
  task<measurements> trial();
  task<> verify();
  task<> write();

  const graph_input& input_;
  const mst::weight_range weights_;
  const mst_flags& flags_;
  trial_series& trials_;
  mst_output& output_;
  mst_findings& findings_;
  per_pe<forest_part<Word>> parts_;
  mst::one_sided_memory memory_;
};

/// Runs `body(edges, weight)` with what this PE has of the input. Every PE calls it.
template <class EdgesOfPe, class Body>
auto with_weights(const EdgesOfPe& edges_of_pe, per_pe<stored_edges> stored, bool hashed,
                  std::uint64_t seed, Body body) {
  const auto edges = edges_of_pe();
  if (!hashed) return body(edges, mst::stored_weights(stored->edges));
  return body(edges, mst::hashed_weights(seed));
}

/// What the runs of all PEs need to know, as it travels.
struct forest_run {
  mst::parameters how;
  mst_exchange exchange;
  int chunks;
  bool keeps_numbers;
  std::uint64_t vertices;
  std::int64_t lightest;
};

template <class Word>
task<> mst_trials<Word>::take_input() {
  trials_.show("weighing the edges");
  const auto take = [parts = parts_, edges = input_.edges_of_pe(flags_), stored = input_.edges,
                     hashed = !findings_.weights_of_file, seed = flags_.random.seed,
                     lightest = weights_.lightest]() {
    with_weights(edges, stored, hashed, seed, [&](const auto& of_pe, const auto& weight) {
      parts->input = mst::raw_edges<Word>(of_pe, weight, lightest);
    });
  };
  co_await on_all_pes(take);
  if (!flags_.common.verify) co_await input_.forget_edges();
}

template <class Word, class Exchange>
task<mst::run_outcome> all_try(per_pe<forest_part<Word>> parts, const forest_run& wanted,
                               Exchange& others) {
  forest_part<Word>& here = parts.local();
  here.mine = {};
  here.numbered = {};
  co_return co_await mst::all_run(here.mine, others, wanted.how, here.input, wanted.vertices,
                                  wanted.lightest, wanted.keeps_numbers ? &here.numbered : nullptr);
}

/// Every PE calls it. By `memory` where the exchange is one-sided.
template <class Word>
task<mst::run_outcome> all_try(per_pe<forest_part<Word>> parts, const forest_run& wanted,
                               const mst::one_sided_memory& memory) {
  if (wanted.exchange == mst_exchange::two_sided) {
    mst::two_sided_exchange others(wanted.chunks);
    co_return co_await all_try(parts, wanted, others);
  }
  auto& others = parts->by_memory;
  if (!others) others.emplace(memory, wanted.chunks);
  co_return co_await all_try(parts, wanted, *others);
}

template <class Word>
task<measurements> mst_trials<Word>::trial() {
  const forest_run wanted{flags_.how,
                          flags_.exchange,
                          static_cast<int>(flags_.chunks),
                          flags_.common.verify || output_.wanted(),
                          input_.size.vertices,
                          weights_.lightest};
  const auto find = [parts = parts_, wanted, memory = memory_]() -> task<mst::run_outcome> {
    co_return co_await all_try(parts, wanted, memory);
  };
  const mst::run_outcome outcome = co_await from_all_pes(find);
  if (!trials_.warming_up()) findings_.trials.push_back(outcome);
  measurements measured;
  measured.emplace_back("rate", "edges/s",
                        static_cast<double>(findings_.size.edges) / outcome.seconds);
  measured.emplace_back("seconds", "s", outcome.seconds);
  measured.emplace_back("weight", "", static_cast<double>(outcome.weight.value()));
  co_return measured;
}

using weighted_edges = std::vector<mst::plain_edge<std::int64_t>>;

/// What `of_pe()`, a coroutine, gives on each PE, all of it on this one.
template <class OfPe>
task<weighted_edges> gathered_edges(OfPe of_pe) {
  const auto gather = [of_pe,
                       here = my_pe()]() -> task<received_parts<mst::plain_edge<std::int64_t>>> {
    const weighted_edges mine = co_await of_pe();
    co_return co_await all_gather_to(here, std::span<const mst::plain_edge<std::int64_t>>(mine));
  };
  weighted_edges all;
  const auto of_all = co_await from_all_pes(gather);
  for (const auto& mine : of_all) all.insert(all.end(), mine.begin(), mine.end());
  co_return all;
}

/// The forest of the last trial, in the order of the ends of its edges.
template <class Word>
task<weighted_edges> forest_of(per_pe<forest_part<Word>> parts, std::int64_t lightest,
                               std::uint64_t exchange_bytes) {
  const auto memory = co_await mst::one_sided_memory::make(exchange_bytes);
  const auto of_pe = [parts, memory, lightest]() -> task<weighted_edges> {
    mst::one_sided_exchange others(memory, 1);
    const auto found = co_await mst::all_forest_edges(parts->mine, parts->numbered, others);
    weighted_edges mine;
    for (const auto& each : found) {
      const std::uint64_t weight = each.weight + static_cast<std::uint64_t>(lightest);
      mine.push_back({each.u, each.v, static_cast<std::int64_t>(weight)});
    }
    co_return mine;
  };
  auto edges = co_await gathered_edges(of_pe);
  co_await memory.destroy();
  co_return edges;
}

/// Against the edges as they were read or made, not as the run took them.
template <class Word>
task<> mst_trials<Word>::verify() {
  trials_.show("finding the forest again by Kruskal's algorithm");
  const auto of_pe = [edges = input_.edges_of_pe(flags_), stored = input_.edges,
                      hashed = !findings_.weights_of_file,
                      seed = flags_.random.seed]() -> task<weighted_edges> {
    weighted_edges mine;
    with_weights(edges, stored, hashed, seed, [&](const auto& of_input, const auto& weight) {
      for (std::uint64_t i = 0; i < of_input.size(); ++i) {
        const edge each = of_input(i);
        mine.push_back({each.from, each.to, weight(i, each)});
      }
    });
    co_return mine;
  };
  const auto input = co_await gathered_edges(of_pe);
  const auto forest = co_await forest_of(parts_, weights_.lightest,
                                         mst::usual_exchange_bytes(input_.size.edges, pes()));
  findings_.check = mst::check_forest(input, forest);
}

template <class Word>
task<> mst_trials<Word>::write() {
  const auto forest = co_await forest_of(parts_, weights_.lightest,
                                         mst::usual_exchange_bytes(input_.size.edges, pes()));
  for (const auto& each : forest) output_.write({each.u, each.v}, each.weight);
}

class mst_job {
 public:
  mst_job(const mst_flags& flags, const settings& options, trial_series& trials, mst_output& output)
      : flags_(flags), options_(options), trials_(trials), output_(output) {}

  task<mst_findings> main() {
    const graph_input input = co_await read_input(flags_, trials_, findings_);
    if (output_.wanted() && input.names.any())
      fail(errc::input,
           "--output: {}: the vertices of {} have names, and edges are written "
           "between numbers",
           flags_.output, flags_.files.edges);
    check_memory(flags_, options_, input.size, static_cast<std::uint64_t>(pes()));
    const mst::weight_range weights = co_await find_weights(input);
    const bool narrow = id_bytes_for(flags_, std::max(input.size.vertices, input.size.edges)) ==
                            sizeof(std::uint32_t) &&
                        weights.span() <= std::numeric_limits<std::uint32_t>::max();
    if (narrow) {
      co_await find<std::uint32_t>(input, weights);
    } else {
      co_await find<std::uint64_t>(input, weights);
    }
    co_await input.destroy();
    co_return std::move(findings_);
  }

 private:
  /// A file has weights on all PEs that have a part of it, or on none.
  task<mst::weight_range> find_weights(const graph_input& input) {
    const auto& fault = input.edges->weights_fault;
    if (fault && !flags_.hashed_weights)
      fail(errc::input, "{}; with --hashed-weights others take its place", fault->what());
    const auto has_weights = [stored = input.edges]() -> task<bool> {
      const int any = stored->edges.weighted() ? 1 : 0;
      const int of_any = co_await all_reduce(any, [](int a, int b) { return a | b; });
      co_return of_any != 0;
    };
    const bool of_file = co_await from_all_pes(has_weights);
    findings_.weights_of_file = of_file && !flags_.hashed_weights;
    if (!findings_.weights_of_file && !flags_.hashed_weights && !flags_.generated() &&
        input.size.edges > 0)
      fail(errc::input,
           "{}: its edges have no weights: --weights names their column in a text, and "
           "--hashed-weights takes a hash of the ends of each edge",
           flags_.files.edges);
    const auto look = [edges = input.edges_of_pe(flags_), stored = input.edges,
                       hashed = !findings_.weights_of_file,
                       seed = flags_.random.seed]() -> task<mst::weight_range> {
      const auto mine =
          with_weights(edges, stored, hashed, seed, [](const auto& of_pe, const auto& weight) {
            return mst::range_of(of_pe, weight);
          });
      co_return co_await all_reduce(mine, &mst::weight_range::of_both);
    };
    co_return co_await from_all_pes(look);
  }

  template <class Word>
  task<> find(const graph_input& input, const mst::weight_range& weights) {
    mst_trials<Word> all(input, weights, flags_, trials_, output_, findings_);
    co_await all.run();
  }

  const mst_flags& flags_;
  const settings& options_;
  trial_series& trials_;
  mst_output& output_;
  mst_findings findings_;
};

}  // namespace

mst_findings find_forest(const mst_flags& flags, const settings& options, trial_series& trials,
                         mst_output& output) {
  mst_job job(flags, options, trials, output);
  return result_of_job(options, [&] { return job.main(); });
}

}  // namespace atl::app
