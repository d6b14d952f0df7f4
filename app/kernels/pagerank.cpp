// `atoll pagerank` and `atoll bench pagerank`

#include "app/command.hpp"
#include "app/driver/forms.hpp"
#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "app/input_flags.hpp"
#include "atoll/collectives.hpp"
#include "atoll/graph/arc_weights.hpp"
#include "atoll/kernels/pagerank/run.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace atl::app {
namespace {

namespace pr = kernels::pagerank;

// ---- What was asked for, and what was found.

struct pagerank_flags : graph_flags {
  pr::parameters with;
  std::shared_ptr<rank_form> form;
  bool directed = false;    ///< said so
  bool undirected = false;  ///< said so
  bool weighted = false;
  std::uint64_t top = 10;  ///< vertices that are shown

  /// Files hold links from one to another unless it is said otherwise; random graphs do not.
  orientation arcs_are() const {
    const bool ways = undirected || (generated() && !directed);
    return ways ? orientation::undirected : orientation::out;
  }
};

struct shown_rank {
  shown_vertex of;
  double rank = 0;
};

struct pagerank_findings : graph_findings {
  std::vector<pr::run_outcome> trials;  ///< timed ones
  double plan_seconds = 0;              ///< to prepare what is the same in all trials
  std::vector<shown_rank> top;
  bool directed = false;  ///< edges lead one way

  bool right() const { return found().vertices == 0; }

  /// The ranks of all trials that are wrong.
  pr::wrong_ranks found() const {
    pr::wrong_ranks sum;
    for (const auto& trial : trials) sum = sum + trial.found;
    return sum;
  }

  /// Of the last trial.
  pr::convergence ended() const { return trials.back().ended; }
};

// ---- Memory.

// The most bytes all PEs together hold at a time.
double bytes_to_rank(const pagerank_flags& flags, const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const auto input = static_cast<double>(demand.size.edges);
  const double arcs = input * (demand.undirected ? 2 : 1);
  constexpr double real = 8, count = 8;
  const bytes_of_graph graph(demand);
  const double ranks = vertices * (4 * real + 2 * id);
  // Each PE has at most one sum for each vertex; it is agreed upon in lists of ids.
  const bool plans = flags.form->plans_sums();
  const double sums = plans ? std::min(arcs, vertices * pes) : 0;
  const double agreed = sums * (2 * real + (1 + k_gathered_copies) * id);
  const double weights = flags.weighted ? arcs * real : 0;
  const double stored = demand.edges == file_edges::kept ? graph.stored : 0;
  const double terms =
      plans ? arcs * (2 + 1) * id + 2 * weights + vertices * (2 * count + 2 * id) : 0;
  // All edges with weights are gathered on PE 0, in lists that grow, which makes arcs of them; four
  // numbers of each vertex.
  const double edges = input * (2 * id + real);
  const double gathered = edges * 1.5 + arcs * 2 * real;
  const double verifying =
      flags.common.verify ? gathered + vertices * (4 + k_gathered_copies) * real : 0;
  return std::max(graph.building,
                  stored + graph.built + weights + ranks + agreed + std::max(terms, verifying));
}

load_demand demand_of(const pagerank_flags& flags, graph_size size, std::uint64_t pes) {
  const bool undirected = flags.arcs_are() == orientation::undirected;
  return demand_to_load(flags, size, undirected, pes, flags.common.verify || flags.weighted);
}

// ---- The job.

/// Writes the ranks of the last run. One task calls it, on PE 0. Blocks the task.
template <class Id>
task<> write_ranks(pr::workspace<Id> on, vertex_names names, vertex_output& output) {
  const auto write = [on, names, format = output.format(), to = &output]() -> task<> {
    static constexpr vertex_column columns[] = {{"rank", false, true}};
    const auto rank = [&](std::uint64_t row, std::size_t) {
      return std::bit_cast<std::int64_t>(on.ranks->rank_of_row(row));
    };
    const vertex_values values{on.graph->shape, columns, rank};
    const auto take = my_pe() == 0 ? to->taker() : file_taker();
    co_await all_write_vertices(values, names.local(), format, take);
  };
  co_await together(write);
}

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
  on_ = co_await flags_.form->prepare(graph_);
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
  const auto expected = verify ? std::optional(expected_) : std::nullopt;
  const pr::run_outcome outcome = co_await flags_.form->run(on_, flags_.with, expected);
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

// ---- What people and programs read.

bool has_converged(const pagerank_flags& flags, const pagerank_findings& found) {
  return found.ended().residual < flags.with.tolerance;
}

std::string convergence_line(const pagerank_flags& flags, const pagerank_findings& found) {
  const auto ended = found.ended();
  return fmt::format("{} after {}: the last changed the ranks by {:.3g} in all, {} {:g}",
                     has_converged(flags, found) ? "converged" : "not converged",
                     plural(ended.iterations, "iteration"), ended.residual,
                     has_converged(flags, found) ? "less than" : "not less than",
                     flags.with.tolerance);
}

void add_top_lines(report& result, const pagerank_findings& found) {
  if (found.top.empty()) return;
  result.line("");
  result.line("vertices of the highest ranks");
  for (const auto& one : found.top)
    result.line(fmt::format("{:>15.6g}  {}", one.rank, short_name(one.of.text)));
}

void add_wrong_ranks(report& result, const pagerank_findings& found) {
  const auto wrong = found.found();
  result.line("");
  result.line(fmt::format("wrong ranks: {} {} off the ranks of the edges read, by up to {:.3g} of "
                          "what {} must be",
                          vertices_text(wrong.vertices), wrong.vertices == 1 ? "is" : "are",
                          wrong.deviation, wrong.vertices == 1 ? "it" : "they"));
}

void add_pagerank_sections(report& result, const pagerank_flags& flags,
                           const pagerank_findings& found) {
  add_graph_sections(result, found);
  result.section("convergence", {{"iterations", found.ended().iterations},
                                 {"residual", found.ended().residual},
                                 {"converged", has_converged(flags, found)}});
  if (flags.common.verify) {
    const auto wrong = found.found();
    result.section("wrong_ranks",
                   {{"vertices", wrong.vertices}, {"largest_deviation", wrong.deviation}});
  }
  if (result.wrong()) return;
  for (const auto& one : found.top) {
    result.add_to_section("top", {{"vertex", one.of.input_id.value_or(one.of.id)},
                                  {"name", one.of.text},
                                  {"rank", one.rank}});
  }
}

void describe_ranks(report& result, const pagerank_flags& flags, const pagerank_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  result.add({"plan_seconds", "s", found.plan_seconds});
  add_pagerank_sections(result, flags, found);
  add_graph_lines(result, found, flags.name());
  if (flags.weighted && !flags.generated() && found.size.edges > 0) {
    result.line("weights: " + weights_text(found));
    add_columns_left_out(result, found);
  }
  if (result.wrong()) {
    add_wrong_ranks(result, found);
    return;
  }
  result.line(convergence_line(flags, found));
  add_top_lines(result, found);
}

// ---- The command.

std::vector<compared_program> pagerank_programs(const pagerank_flags& flags, const report& result) {
  std::vector<compared_program> programs;
  const auto add = [&](const std::string& metric, std::vector<std::string> command) {
    command.insert(command.end(), {"--damping", fmt::format("{}", flags.with.damping),
                                   "--tolerance", fmt::format("{}", flags.with.tolerance),
                                   "--max-iterations", std::to_string(flags.with.max_iterations)});
    if (flags.common.verify) command.emplace_back("--verify");
    programs.emplace_back(metric, std::move(command));
  };
  add("limit", limit_command("atoll-limit-pagerank", flags, result));
  if (!peers_take_graph(flags)) return programs;
  for (const std::string library : {"openmpi", "mpich", "tpetra"})
    add("peer:" + library, peer_command("atoll-peer-pagerank-" + library, flags, result));
  return programs;
}

class pagerank_command : public graph_kernel {
 public:
  pagerank_command(pagerank_flags& flags, const settings& options)
      : graph_kernel("pagerank", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights |= !flags.weighted;
  }

 private:
  void check_before_start() override;
  void add_parameters() override;
  std::vector<compared_program> programs() override;
  result_output& output() override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "ranking"; }
  bool right() const override { return findings_.right(); }

  void describe() override {
    result().parameter("directed", findings_.directed);
    describe_ranks(result(), flags_, findings_);
  }

  void check_memory(graph_size size) override {
    const load_demand demand = demand_of(flags_, size, pes());
    check_memory_for(
        flags_, options(),
        {"ranking", size, pes(), bytes_to_rank(flags_, demand), bytes_of_graph(demand).stored});
  }

  task<> look_at(const graph_input& input) override {
    settle_direction(input);
    output_.check_names(input.named_by_edges(flags_) && !input.names.are_ids());
    co_return;
  }

  /// Edges of some files lead both ways, whatever is usual.
  void settle_direction(const graph_input& input) {
    if (!flags_.generated() && input.edges->undirected) {
      if (flags_.directed)
        fail(errc::input, "--directed: the edges of {} have no direction", flags_.files.edges);
      flags_.undirected = true;
    }
    findings_.directed = flags_.arcs_are() != orientation::undirected;
  }

  task<> compute(const graph_input& input, bool narrow) override {
    co_await check_weights(flags_, input);
    if (narrow) {
      pagerank_trials<std::uint32_t> all(input, flags_, trials(), output_, findings_);
      co_await all.run();
    } else {
      pagerank_trials<std::uint64_t> all(input, flags_, trials(), output_, findings_);
      co_await all.run();
    }
  }

  pagerank_flags& flags_;
  vertex_output output_;
  pagerank_findings findings_;
};

void pagerank_command::check_before_start() {
  check_graph_flags(flags_);
  if (flags_.generated()) {
    check_memory({flags_.random.vertices(), flags_.random.edges()});
  } else {
    const bool undirected = flags_.arcs_are() == orientation::undirected;
    const bool needed_again = flags_.common.verify || flags_.weighted;
    check_memory_to_load(flags_, options(), undirected, pes(), needed_again);
  }
}

void pagerank_command::add_parameters() {
  graph_kernel::add_parameters();
  result().parameter("weighted", flags_.weighted);
  flags_.form->add_parameters(result());
  result().parameter("damping", flags_.with.damping);
  result().parameter("tolerance", flags_.with.tolerance);
  result().parameter("max_iterations", flags_.with.max_iterations);
}

std::vector<compared_program> pagerank_command::programs() {
  if (limit_takes_graph(flags_) && !flags_.weighted &&
      flags_.arcs_are() == orientation::undirected) {
    if (flags_.common.compare) say_if_peers_are_left_out(flags_, result());
    return pagerank_programs(flags_, result());
  }
  if (flags_.common.compare)
    result().line("limit and peers are left out: they take undirected Kronecker graphs, and the "
                  "limit .el files, without weights");
  return {};
}

void add_rank_flags(CLI::App& command, pagerank_flags& flags) {
  const auto directed = add_switch(command, "--directed", flags.directed,
                                   "Edges lead from the first end to the second; so in GRAPH by "
                                   "default, where its format does not say that they have none")
                            .under("Graph");
  add_switch(command, "--undirected", flags.undirected,
             "Edges lead both ways; so in random graphs by default")
      .excludes(directed)
      .under("Graph");
  add_weights_flag(command, flags.files, "Graph");
  add_switch(command, "--weighted", flags.weighted,
             "Arcs are followed as often as they weigh: in GRAPH, or at random")
      .under("Graph");
  constexpr std::uint64_t most_iterations = 1'000'000, most_shown = 1000;
  add_real_flag(command, "--damping", flags.with.damping, 0, 1,
                "How much of a rank goes over arcs; the rest to all vertices")
      .under("Ranks");
  add_real_flag(command, "--tolerance", flags.with.tolerance, 0, 2,
                "End when the ranks change by less, summed over vertices")
      .under("Ranks");
  add_count_flag(command, "--max-iterations", flags.with.max_iterations, 1, most_iterations,
                 "End after so many in any case")
      .under("Ranks");
  if (flags.common.measures) flags.form->add_flags(command);
  add_count_flag(command, "--top", flags.top, 0, most_shown, "Show the N vertices of highest rank")
      .under("Ranks");
}

constexpr const char* k_answer_text =
    "\nRanks vertices by how often somebody comes to each who follows a random arc with\n"
    "probability --damping, and else, or where no arc leads on, goes to any vertex. Ranks add up\n"
    "to 1. Duplicates of an edge count once, and self loops not at all.\n\n"
    "  atoll pagerank packages.tsv --top 20\n"
    "  atoll pagerank packages.tsv --undirected --output ranks.csv.zst";

constexpr const char* k_answer_details =
    "\nRanks are iterated from equal ones on. With --weighted an arc is followed as often as its\n"
    "edges weigh together.\n"
    "  --verify             compares every rank, to 1e-9 of itself, with what PE 0 finds by "
    "itself\n"
    "                       from the edges of the input; needs memory for all of them on PE 0\n"
    "  --compact            numbers the ids that occur without gaps: else all vertices up to the\n"
    "                       largest id have a rank. All output has the ids of the file, and a\n"
    "                       .npy gets them as a first column\n"
    "  --output FILE        gets a row for each vertex, vertex and rank, by their names where\n"
    "                       they have any; nothing where ranks are found to be wrong. It replaces\n"
    "                       an older file when it is complete. In .tsv and .csv the first line\n"
    "                       has the titles, in .txt it is a comment; .npy is the array of ranks "
    "by\n"
    "                       vertex, doubles. The last digits depend on the number of PEs";

/// Of the benchmark in this form.
std::string bench_text(const rank_form& form) {
  return fmt::format(
      "\nThe rate is the number of edges of the input, times iterations, by the time of a trial.\n"
      "Work that is the same in all iterations is done once, in plan_seconds.\n\n"
      "  {} pagerank --scale 20 --pes 2 --verify --compare",
      form.program());
}

std::string bench_details(const rank_form& form) {
  return "\n" + form.details() +
         "  --weighted  of random graphs: weights by a hash of the ends of edges and --seed\n"
         "  --compare   runs between the trials the same iterations on the same graph, where that "
         "is\n"
         "              undirected: the limit, in shared memory; and, of a generated graph, "
         "openmpi\n"
         "              and mpich, with MPI_Alltoallv; tpetra, on a matrix of Trilinos";
}

void add_command_of(CLI::App& parent, command_context& context, bool measures,
                    std::shared_ptr<rank_form> form) {
  const auto flags = std::make_shared<pagerank_flags>();
  flags->common.measures = measures;
  flags->form = std::move(form);
  const auto action = [&context, flags] {
    return pagerank_command(*flags, context.settings).run();
  };
  auto& command = add_command(parent, context, "pagerank",
                              measures ? "PageRank of a random graph or a file"
                                       : "PageRank: how often a random walk comes to each vertex",
                              action);
  add_graph_flags(command, *flags);
  add_rank_flags(command, *flags);
  add_output_flag(command, *flags, "Write the rank of each vertex");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, context, measures ? bench_text(*flags->form) : k_answer_text,
                  measures ? bench_details(*flags->form) : k_answer_details);
}

// ---- The form.

/// What goes to a vertex is added up before it travels.
class rank_by_blocks : public rank_form {
 public:
  std::string details() const override {
    return "Each PE adds up what its vertices give to each vertex; both PEs have agreed once on "
           "the\norder of the sums, and nothing else travels.\n";
  }
  void add_parameters(report& result) const override { result.parameter("algorithm", "blocked"); }
  bool plans_sums() const override { return true; }

  task<workspace32> prepare(distributed_graph<std::uint32_t> graph) const override {
    return workspace32::make(graph);
  }
  task<workspace64> prepare(distributed_graph<std::uint64_t> graph) const override {
    return workspace64::make(graph);
  }
  task<outcome> run(workspace32 on, const pr::parameters& with,
                    expected_everywhere expected) const override {
    return ranked(on, with, expected);
  }
  task<outcome> run(workspace64 on, const pr::parameters& with,
                    expected_everywhere expected) const override {
    return ranked(on, with, expected);
  }

 private:
  template <class Id>
  static task<outcome> ranked(pr::workspace<Id> on, pr::parameters with,
                              expected_everywhere expected) {
    return from_all_pes(
        [=] { return pr::all_run(on, with, expected ? &expected->local() : nullptr); });
  }
};

}  // namespace

void add_pagerank_benchmark(CLI::App& parent, command_context& context,
                            std::shared_ptr<rank_form> form) {
  add_command_of(parent, context, true, std::move(form));
}

void add_pagerank(CLI::App& root, command_context& context) {
  add_command_of(root, context, false, std::make_shared<rank_by_blocks>());
}
void add_bench_pagerank(CLI::App& bench, command_context& context) {
  add_pagerank_benchmark(bench, context, std::make_shared<rank_by_blocks>());
}

}  // namespace atl::app
