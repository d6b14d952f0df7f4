// Implements `atoll pagerank` and `atoll bench pagerank`.

#include "app/kernels/pagerank.hpp"

#include "app/command.hpp"
#include "app/driver/memory.hpp"
#include "app/flags.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace atl::app {
namespace {

// ---- Memory.

// Returns the peak memory in bytes of all PEs together.
double bytes_to_rank(const pagerank_flags& flags, const load_demand& demand, bool plans_sums) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const auto input = static_cast<double>(demand.size.edges);
  const double arcs = input * (demand.undirected ? 2 : 1);
  constexpr double real = 8, count = 8;
  const bytes_of_graph graph(demand);
  // Memory of the iterations and of the result.
  const double ranks = vertices * (5 * real + 2 * id);
  // Each PE sends at most one sum per vertex. PEs exchange lists of vertex ids in advance, so that
  // later messages contain only the sums.
  const double sums = plans_sums ? std::min(arcs, vertices * pes) : 0;
  const double agreed = sums * (2 * real + (1 + k_gathered_copies) * id);
  const double weights = flags.weighted ? arcs * real : 0;
  const double stored = demand.edges == file_edges::kept ? graph.stored : 0;
  const double terms =
      plans_sums ? arcs * (2 + 1) * id + 2 * weights + vertices * (2 * count + 2 * id) : 0;
  // --verify gathers all edges and their weights on PE 0 in growing lists, and makes arcs of the
  // edges. For --verify, PE 0 also stores four numbers per vertex.
  const double edges = input * (2 * id + real);
  const double gathered = edges * 1.5 + arcs * 2 * real;
  const double verifying =
      flags.common.verify ? gathered + vertices * (4 + k_gathered_copies) * real : 0;
  return std::max(graph.building,
                  stored + graph.built + ranks + agreed + std::max(terms, verifying));
}

load_demand demand_of(const pagerank_flags& flags, graph_size size, std::uint64_t pes) {
  return demand_to_load(flags, size, flags.lead_both_ways(), pes, flags.common.verify,
                        flags.weighted);
}

// The functions below show the result as text and as JSON.

bool has_converged(const pagerank_flags& flags, const pagerank_findings& found) {
  return found.change < flags.with.tolerance;
}

std::string convergence_line(const pagerank_flags& flags, const pagerank_findings& found) {
  return fmt::format("{} after {}: the last changed the ranks by {:.3g} in all, {} {:g}",
                     has_converged(flags, found) ? "converged" : "not converged",
                     plural(found.iterations, "iteration"), found.change,
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

void add_pagerank_sections(report& result, const pagerank_flags& flags,
                           const pagerank_findings& found) {
  add_graph_sections(result, found);
  result.section("convergence", {{"iterations", found.iterations},
                                 {"residual", found.change},
                                 {"converged", has_converged(flags, found)}});
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
    add_fault(result, found);
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

}  // namespace

void pagerank_command::describe() {
  result().parameter("directed", findings_.directed);
  describe_ranks(result(), flags_, findings_);
}

void pagerank_command::check_memory(graph_size size) {
  const load_demand demand = demand_of(flags_, size, pes());
  check_memory_for(flags_, options(),
                   {"ranking", size, pes(), bytes_to_rank(flags_, demand, plans_sums()),
                    bytes_of_graph(demand).stored});
}

graph_options pagerank_command::building() const {
  graph_options wanted;
  wanted.directed = !flags_.lead_both_ways();
  wanted.keep_edges = flags_.common.verify;
  wanted.arc_weights = flags_.weighted;
  wanted.ascending_neighbours = true;
  return wanted;
}

/// Checks the flags against the file. By default, edges of a file are directed. If the file
/// declares its edges undirected, the command treats them as undirected.
task<> pagerank_command::look_at(graph_builder& read) {
  if (read.notes().undirected) {
    if (flags_.directed)
      fail(errc::input, "--directed: the edges of {} have no direction", flags_.files.edges);
    flags_.undirected = true;
  }
  findings_.directed = !flags_.lead_both_ways();
  read.options().directed = findings_.directed;
  output_.check_names(read.names(), flags_.files.names.empty());
  co_await check_weights(read);
}

/// Throws `error` (input) if the weights of the file cannot be used to distribute ranks.
task<> pagerank_command::check_weights(const graph_builder& read) {
  if (!flags_.weighted || flags_.generated() || read.edges() == 0) co_return;
  const std::string& why_none = read.notes().why_no_weights;
  if (!why_none.empty()) fail(errc::input, "--weighted: {}", why_none);
  if (!read.has_weights()) fail(errc::input, "--weighted: {} has no weights", flags_.files.edges);
  const auto [least, most] = co_await read.weight_range();
  if (least < 0)
    fail(errc::input, "--weighted: {} has an edge of weight {}, and rank goes over none below 0",
         flags_.files.edges, least);
}

task<> pagerank_command::prepare(global_graph graph) {
  rankings_ = co_await repeated_rankings::make(graph);
}

task<> pagerank_command::compute(global_graph graph) {
  trials().show("agreeing on sums");
  co_await prepare(graph);
  bool first = true;
  while (trials().begin()) {
    if (!first) co_await last_.destroy();
    first = false;
    auto measured = co_await trial(graph);
    trials().end(measured);
  }
  co_await end_ranking();
  co_await gather_facts(graph, findings_);
  for (const auto& pe : findings_.pes) findings_.scanned_edges += pe.arcs * findings_.iterations;
  if (right()) co_await show_top(graph);
  co_await write(last_);
  co_await last_.destroy();
}

task<measurements> pagerank_command::trial(global_graph graph) {
  last_ = co_await rank();
  findings_.iterations = last_.iterations;
  findings_.change = last_.change;
  findings_.plan_seconds = last_.plan_seconds;
  if (flags_.common.verify && right() && !trials().warming_up()) {
    trials().show("ranking by one PE");
    const auto check = [graph, found = last_](site where) { return verify(graph, found, where); };
    co_await keep_fault(check, findings_);
  }
  const auto visits = static_cast<double>(graph.edges()) * static_cast<double>(last_.iterations);
  measurements measured;
  measured.emplace_back("rate", "edges/s", visits / last_.seconds);
  measured.emplace_back("seconds", "s", last_.seconds);
  co_return measured;
}

task<> pagerank_command::show_top(global_graph graph) {
  for (const auto& one : co_await last_.top(flags_.top)) {
    auto vertex = co_await shown(graph.names(), one.vertex);
    findings_.top.push_back({std::move(vertex), one.rank});
  }
}

void pagerank_command::check_before_start() {
  check_graph_flags(flags_);
  if (flags_.generated()) {
    check_memory({flags_.random.vertices(), flags_.random.edges()});
  } else {
    check_memory_to_load(flags_, options(), flags_.lead_both_ways(), pes(), flags_.common.verify,
                         flags_.weighted);
  }
}

void pagerank_command::add_parameters() {
  library_kernel::add_parameters();
  result().parameter("weighted", flags_.weighted);
  result().parameter("algorithm", algorithm());
  result().parameter("damping", flags_.with.damping);
  result().parameter("tolerance", flags_.with.tolerance);
  result().parameter("max_iterations", flags_.with.max_iterations);
}

std::vector<compared_program> pagerank_command::programs() {
  if (limit_takes_graph(flags_) && !flags_.weighted && flags_.lead_both_ways()) {
    if (flags_.common.compare) say_if_peers_are_left_out(flags_, result());
    return pagerank_programs(flags_, result());
  }
  if (flags_.common.compare)
    result().line("limit and peers are left out: they take undirected Kronecker graphs, and the "
                  "limit .el files, without weights");
  return {};
}

namespace {

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

constexpr const char* k_bench_text =
    "\nThe rate is the number of edges of the input, times iterations, by the time of a trial.\n"
    "Work that is the same in all iterations is done once, in plan_seconds.\n\n"
    "  atoll bench pagerank --scale 20 --pes 2 --verify --compare";

constexpr const char* k_bench_details =
    "\nEach PE adds up what its vertices give to each vertex. PEs have agreed once on the order "
    "of\n"
    "the sums, and nothing else travels.\n"
    "  --weighted           of random graphs: weights by a hash of the ends of edges and --seed\n"
    "  --compare            runs between the trials the same iterations on the same graph, where\n"
    "                       that is undirected: the limit, in shared memory; and, of a generated\n"
    "                       graph, openmpi and mpich, with MPI_Alltoallv; tpetra, on a matrix of\n"
    "                       Trilinos";

constexpr kernel_texts k_texts = {.name = "pagerank",
                                  .answers =
                                      "PageRank: how often a random walk comes to each vertex",
                                  .measures = "PageRank of a random graph or a file",
                                  .answer = k_answer_text,
                                  .answer_details = k_answer_details,
                                  .bench = k_bench_text,
                                  .bench_details = k_bench_details};

}  // namespace

void add_pagerank_flags(CLI::App& command, command_context& context, pagerank_flags& flags) {
  add_graph_flags(command, flags);
  add_rank_flags(command, flags);
  add_output_flag(command, flags, "Write the rank of each vertex");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

void add_pagerank(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<pagerank_command, pagerank_flags>(parent, context, measures, k_texts,
                                                       add_pagerank_flags);
}

}  // namespace atl::app
