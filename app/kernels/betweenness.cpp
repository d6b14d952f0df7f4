// Implements `atoll betweenness` and `atoll bench betweenness`.

#include "atoll/kernels/betweenness.hpp"

#include "app/driver/one_call_kernel.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace atl::app {
namespace {

struct betweenness_flags : graph_flags {
  betweenness_options with;
  bool directed = false;
  bool unnormalized = false;
  std::uint64_t top = 10;  ///< number of vertices that are shown
};

struct shown_betweenness {
  shown_vertex of;
  double betweenness = 0;
};

struct betweenness_findings : graph_findings {
  std::uint64_t sources = 0;
  double plan_seconds = 0;
  std::vector<shown_betweenness> top;
};

// ---- Memory.

// Returns the peak memory in bytes of all PEs together.
double bytes_to_add_up(const betweenness_flags& flags, const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const auto input = static_cast<double>(demand.size.edges);
  constexpr double number = 8;
  const bytes_of_graph graph(demand);
  // For each vertex, this estimate of memory counts five numbers, such as the number of shortest
  // paths and the resulting betweenness. For each vertex, the estimate also counts two ids: in the
  // lists of reached vertices and of candidates for the next level.
  const double of_vertices = vertices * (5 * number + 2 * id);
  // A slot stores the values of a vertex that another PE owns. Each PE has at most one slot per
  // vertex, and the owner of the vertex also stores an entry for the slot. During the preparation,
  // each PE has a list of its slots, and each owner has a list of the slots of its vertices.
  const double slots = std::min(2 * input, vertices * pes);
  const double of_slots = slots * (number + 2 * id + (1 + k_gathered_copies) * 2 * id);
  const double rows = input * id * (flags.directed ? 3 : 2);
  constexpr double edge_at_first = 80;
  const double verifying = flags.common.verify ? input * edge_at_first + vertices * 5 * number : 0;
  const double stored = demand.edges == file_edges::kept ? graph.stored : 0;
  return std::max(graph.building,
                  stored + graph.built + of_vertices + std::max(of_slots + rows, verifying));
}

// The functions below show the result as text and as JSON.

void describe_betweenness(report& result, const betweenness_flags& flags,
                          const betweenness_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  result.add({"plan_seconds", "s", found.plan_seconds});
  add_graph_sections(result, found);
  add_graph_lines(result, found, flags.name());
  if (result.wrong()) {
    add_fault(result, found);
    return;
  }
  result.section("sources", found.sources);
  for (const auto& one : found.top) {
    result.add_to_section("top", {{"vertex", one.of.input_id.value_or(one.of.id)},
                                  {"name", one.of.text},
                                  {"betweenness", one.betweenness}});
  }
  result.line(
      found.sources == found.size.vertices
          ? "paths from all vertices"
          : fmt::format("an estimate by paths from {}", plural(found.sources, "random source")));
  if (found.top.empty()) return;
  result.line("");
  result.line("vertices of the largest betweenness");
  for (const auto& one : found.top)
    result.line(fmt::format("{:>15.6g}  {}", one.betweenness, short_name(one.of.text)));
}

// ---- The command.

class betweenness_command
    : public one_call_kernel<betweenness_flags, betweenness_values, betweenness_findings> {
 public:
  betweenness_command(betweenness_flags& of_user, const settings& options)
      : one_call_kernel({.command = "betweenness",
                         .doing = "following paths",
                         .needs = "following paths in",
                         .checks = "following paths on one PE",
                         .limit = "atoll-limit-betweenness"},
                        of_user, options) {
    of_user.files.form.without_weights = true;
    if (of_user.common.measures && !of_user.with.sources) of_user.with.sources = k_measured_sources;
  }

 private:
  static constexpr std::uint64_t k_measured_sources = 10;

  task<betweenness_values> call(global_graph graph) override {
    betweenness_options with = flags().with;
    with.seed = flags().random.seed;
    with.normalized = !flags().unnormalized;
    return betweenness(graph, with);
  }

  task<> take(global_graph graph, const betweenness_values& last) override {
    found().sources = last.sources;
    found().plan_seconds = last.plan_seconds;
    if (!right()) co_return;
    for (const auto& one : co_await last.top(flags().top)) {
      auto vertex = co_await shown(graph.names(), one.vertex);
      found().top.push_back({std::move(vertex), one.betweenness});
    }
  }

  double edges_of_call(global_graph graph, const betweenness_values& last) const override {
    return static_cast<double>(graph.edges()) * static_cast<double>(last.sources);
  }
  double bytes_needed(const load_demand& demand) const override {
    return bytes_to_add_up(flags(), demand);
  }
  bool counts_both_ways() const override { return !flags().directed; }
  void describe() override { describe_betweenness(result(), flags(), found()); }

  void add_limit_flags(std::vector<std::string>& command) const override {
    command.insert(command.end(), {"--sources", std::to_string(flags().with.sources.value_or(0))});
  }

  void add_parameters() override {
    library_kernel::add_parameters();
    result().parameter("directed", flags().directed);
    result().parameter("normalized", !flags().unnormalized);
    if (flags().with.sources) result().parameter("sources", *flags().with.sources);
  }

  graph_options building() const override {
    return {.directed = flags().directed,
            .keep_edges = flags().common.verify,
            .ascending_neighbours = true};
  }
};

// ---- Flags.

/// Sets the number of sources from the text of --sources. If `text` is neither "all" nor a number
/// above 0, throws `error` (input).
void take_sources(betweenness_options& with, const std::string& text) {
  with.sources.reset();
  if (text == "all") return;
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, count);
  if (read.ec != std::errc() || read.ptr != end || count == 0)
    fail(errc::input, "--sources: \"{}\" is neither a number above 0 nor all", text);
  with.sources = count;
}

void add_betweenness_flags(CLI::App& command, betweenness_flags& flags) {
  constexpr std::uint64_t most_shown = 1000;
  add_switch(command, "--directed", flags.directed, "Edges lead from the first end to the second")
      .under("Graph");
  const auto take = [&flags](const std::string& text) { take_sources(flags.with, text); };
  add_checked_flag(command, "--sources", "K|all", take,
                   "Follow paths from K random vertices that --seed chooses, or from all")
      .with_default(flags.common.measures ? "10" : "all")
      .under("Betweenness");
  add_switch(command, "--unnormalized", flags.unnormalized,
             "Count pairs of vertices, instead of dividing by their number")
      .under("Betweenness");
  add_count_flag(command, "--top", flags.top, 0, most_shown,
                 "Show the N vertices of largest betweenness")
      .under("Betweenness");
}

constexpr const char* k_answer_text =
    "\nFinds for each vertex which part of all shortest paths between two other vertices leads\n"
    "through it. Each edge has length 1. From all vertices, that takes as many searches of the\n"
    "graph; --sources K estimates it by paths from K vertices only.\n\n"
    "  atoll betweenness roads.tsv --sources 100 --top 20\n"
    "  atoll betweenness links.el --directed --output betweenness.csv";

constexpr const char* k_answer_details =
    "\nValues are those of betweenness_centrality of networkx. A sum over K of n sources is\n"
    "multiplied by n / K. With --unnormalized a pair of vertices counts once, or in a directed\n"
    "graph once for each direction.\n"
    "  --verify              compares all values, to 1e-9 of themselves, with what PE 0 finds\n"
    "                        from the edges of the input; needs 80 bytes for each of them there\n"
    "  --compact             numbers the ids that occur without gaps: else all vertices up to the\n"
    "                        largest id take memory. All output has the ids of the file\n"
    "  --output FILE         gets a row for each vertex, vertex and betweenness. The file is the\n"
    "                        same for every number of PEs and replaces an older one when it is\n"
    "                        complete. In .tsv and .csv the first line has the titles, in .txt it\n"
    "                        is a comment; .npy is the array of values by vertex, doubles";

constexpr const char* k_bench_text =
    "\nThe rate is the number of edges of the input, times sources, by the time of a trial. Work\n"
    "that is the same for all sources is done once, in plan_seconds.\n\n"
    "  atoll bench betweenness --scale 18 --pes 2 --verify --compare";

constexpr const char* k_bench_details =
    "\nVertices add up the numbers of paths to their neighbours, level by level, and on the way\n"
    "back what their neighbours depend on (Brandes 2001). --compare runs the limit between the\n"
    "trials: the same searches in shared memory.";

void add_flags(CLI::App& command, command_context& context, betweenness_flags& flags) {
  add_graph_flags(command, flags);
  add_betweenness_flags(command, flags);
  add_output_flag(command, flags, "Write the betweenness of each vertex");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

constexpr kernel_texts k_texts = {
    .name = "betweenness",
    .answers = "Betweenness: how many shortest paths lead through each vertex",
    .measures = "Betweenness of the vertices of a random graph or a file",
    .answer = k_answer_text,
    .answer_details = k_answer_details,
    .bench = k_bench_text,
    .bench_details = k_bench_details};

}  // namespace

void add_betweenness(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<betweenness_command, betweenness_flags>(parent, context, measures, k_texts,
                                                             add_flags);
}

}  // namespace atl::app
