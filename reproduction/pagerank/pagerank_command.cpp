// Implements `atoll-papers pagerank`, PageRank with one delegate (a message with a function) per
// arc.

#include "app/command.hpp"
#include "app/kernels/pagerank.hpp"
#include "reproduction/pagerank/delegates.hpp"

#include <memory>
#include <variant>

namespace atl::reproduction {
namespace {

/// The data of runs on a graph. `Id` is the type of vertex numbers.
template <class Id>
struct delegates_run {
  pagerank::workspace<Id> on;

  /// Runs the algorithm once and copies the ranks to `to`.
  task<pagerank::run_outcome> run(vertex_array<double> to, pagerank_options with) const {
    const pagerank::parameters same{with.damping, with.tolerance, with.max_iterations};
    const auto all = [on = on, to, same]() -> task<pagerank::run_outcome> {
      const auto outcome = co_await all_run_by_delegates(on, same, nullptr);
      const auto& ranks = on.ranks.local();
      const auto mine = to.local();
      for (std::size_t row = 0; row < mine.size(); ++row) mine[row] = ranks.rank_of_row(row);
      co_return outcome;
    };
    return from_all_pes(all);
  }
};

using any_run = std::variant<delegates_run<std::uint32_t>, delegates_run<std::uint64_t>>;

class delegates_command : public app::pagerank_command {
 public:
  delegates_command(app::pagerank_flags& flags, const settings& options)
      : app::pagerank_command(flags, options), with_(flags.with) {}

 private:
  std::string_view algorithm() const override { return "plain"; }
  bool plans_sums() const override { return false; }

  task<page_ranks> rank() override {
    page_ranks found;
    found.with = with_;
    found.plan_seconds = plan_seconds_;
    found.rank = co_await make_vertex_array<double>(graph_, elements_are::numbers);
    const pagerank::run_outcome outcome =
        co_await std::visit([&](const auto& by) { return by.run(found.rank, with_); }, run_);
    found.iterations = outcome.ended.iterations;
    found.change = outcome.ended.residual;
    found.seconds = outcome.seconds;
    co_return found;
  }

  task<> prepare(global_graph graph) override {
    graph_ = graph;
    const auto start = now();
    const auto make = []<class Id>(distributed_graph<Id> rows) -> task<any_run> {
      co_return delegates_run<Id>{co_await make_delegates_workspace(rows)};
    };
    run_ = co_await graph.on_ids(make);
    plan_seconds_ = seconds_since(start);
  }

  task<> end_ranking() override {
    co_await std::visit([](const auto& by) { return by.on.destroy(); }, run_);
  }

  const pagerank_options with_;
  global_graph graph_;
  any_run run_;
  double plan_seconds_ = 0;
};

constexpr const char* k_explanation =
    "\nA loop over vertices and arcs sends a delegate for each arc (Nelson and others,\n"
    "\"Latency-Tolerant Software Distributed Shared Memory\", USENIX ATC 2015). The rate is the\n"
    "number of edges of the input, times iterations, by the time of a trial.\n\n"
    "  atoll-papers pagerank --scale 18 --pes 2 --verify";

}  // namespace

void add_pagerank(CLI::App& root, app::command_context& context) {
  const auto flags = std::make_shared<app::pagerank_flags>();
  const auto action = [&context, flags] {
    return delegates_command(*flags, context.settings).run();
  };
  auto& command =
      app::add_command(root, context, "pagerank", "PageRank by a delegate for each arc", action);
  app::add_pagerank_flags(command, context, *flags);
  app::add_explanation(command, k_explanation);
}

}  // namespace atl::reproduction
