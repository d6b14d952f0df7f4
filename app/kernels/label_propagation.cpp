// Implements `atoll label-propagation` and `atoll bench label-propagation`.

#include "atoll/kernels/label_propagation.hpp"

#include "app/driver/one_call_kernel.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace atl::app {
namespace {

struct propagation_flags : graph_flags {
  std::uint64_t iterations = 10;
  std::uint64_t largest = 5;  ///< number of communities that are shown
  bool directed = false;
};

struct shown_community {
  shown_vertex label;
  std::uint64_t vertices = 0;
};

struct propagation_findings : graph_findings {
  std::uint64_t iterations = 0;
  std::uint64_t changed = 0;
  double plan_seconds = 0;
  component_counts sizes;
  std::vector<shown_community> largest;
};

// ---- Memory.

// Returns the peak memory in bytes of all PEs together.
double bytes_to_propagate(const propagation_flags& flags, const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const auto input = static_cast<double>(demand.size.edges);
  constexpr double number = 8;
  const bytes_of_graph graph(demand);
  // Each PE stores an index per neighbour; with this index, the PE finds the neighbour's label. For
  // a directed graph, lists of in-neighbours also take memory while the indices are computed.
  const double places = input * id * (flags.directed ? 3 : 2);
  // Each PE stores a copy of the label of every neighbour that another PE owns. Each PE also stores
  // lists of the copied labels, of requests for copies, and of labels to send.
  const double copies = std::min(2 * input, vertices * pes) * id * (3 + k_gathered_copies);
  const double of_vertices = vertices * (2 * id + 3 * number + pes / 4);
  // --verify builds graphs of all edges on PE 0, with two labels per vertex.
  constexpr double of_edge = 100, of_vertex = 64;
  const double verifying = flags.common.verify ? input * of_edge + vertices * of_vertex : 0;
  const double stored = demand.edges == file_edges::kept ? graph.stored : 0;
  return std::max(graph.building,
                  stored + graph.built + of_vertices + std::max(places + copies, verifying));
}

// The functions below show the result as text and as JSON.

std::string iterations_line(const propagation_findings& found) {
  return fmt::format("{}: the last changed {}", plural(found.iterations, "iteration"),
                     plural(found.changed, "label"));
}

void add_communities(report& result, const propagation_findings& found) {
  result.section("iterations", found.iterations);
  result.section("changed", found.changed);
  result.section("communities", found.sizes.components);
  result.section("single_vertices", found.sizes.single_vertices);
  result.line(iterations_line(found));
  result.line(fmt::format("communities: {}, {} of them a single vertex",
                          grouped_digits(found.sizes.components),
                          grouped_digits(found.sizes.single_vertices)));
  if (found.largest.empty()) return;
  result.line("");
  result.line("vertices of the largest communities, with the label of each");
  for (const auto& one : found.largest) {
    result.line(
        fmt::format("{:>15}  {}", grouped_digits(one.vertices), short_name(one.label.text)));
    result.add_to_section("largest", {{"label", one.label.input_id.value_or(one.label.id)},
                                      {"name", one.label.text},
                                      {"vertices", one.vertices}});
  }
}

void describe_labels(report& result, const propagation_flags& flags,
                     const propagation_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  result.add({"plan_seconds", "s", found.plan_seconds});
  add_graph_sections(result, found);
  add_graph_lines(result, found, flags.name());
  if (result.wrong())
    add_fault(result, found);
  else
    add_communities(result, found);
}

// ---- The command.

class propagation_command
    : public one_call_kernel<propagation_flags, propagated_labels, propagation_findings> {
 public:
  propagation_command(propagation_flags& of_user, const settings& options)
      : one_call_kernel({.command = "label-propagation",
                         .doing = "propagating",
                         .needs = "propagating labels in",
                         .checks = "propagating on one PE",
                         .limit = "atoll-limit-label-propagation"},
                        of_user, options) {
    of_user.files.form.without_weights = true;
  }

 private:
  task<propagated_labels> call(global_graph graph) override {
    return label_propagation(graph, {.iterations = flags().iterations});
  }

  task<> take(global_graph graph, const propagated_labels& last) override {
    found().iterations = last.iterations;
    found().changed = last.changed;
    found().plan_seconds = last.plan_seconds;
    found().scanned_edges = found().arcs() * last.iterations * (flags().directed ? 2 : 1);
    if (!right()) co_return;
    found().sizes = co_await last.sizes(flags().largest);
    for (const auto& one : found().sizes.largest) {
      auto label = co_await shown(graph.names(), one.label);
      found().largest.push_back({std::move(label), one.vertices});
    }
  }

  double bytes_needed(const load_demand& demand) const override {
    return bytes_to_propagate(flags(), demand);
  }
  double edges_of_call(global_graph graph, const propagated_labels& last) const override {
    return static_cast<double>(graph.edges()) * static_cast<double>(last.iterations);
  }
  void add_limit_flags(std::vector<std::string>& command) const override {
    command.insert(command.end(), {"--iterations", std::to_string(flags().iterations)});
  }
  bool counts_both_ways() const override { return !flags().directed; }
  void describe() override { describe_labels(result(), flags(), found()); }

  void add_parameters() override {
    library_kernel::add_parameters();
    result().parameter("directed", flags().directed);
    result().parameter("iterations", flags().iterations);
  }

  graph_options building() const override {
    return {.directed = flags().directed,
            .keep_edges = flags().common.verify,
            .ascending_neighbours = true};
  }
};

constexpr const char* k_answer_text =
    "\nFinds communities: each vertex begins with itself as a label. In each iteration all take\n"
    "the most frequent label of their neighbours, the smallest if several are. This is CDLP of\n"
    "LDBC Graphalytics. Edges count both ways, and duplicates once.\n\n"
    "  atoll label-propagation links.el --iterations 20 --largest 10\n"
    "  atoll label-propagation links.el --directed --output labels.csv.zst";

constexpr const char* k_answer_details =
    "\n  --directed            two vertices with edges in both directions count twice for each\n"
    "                        other; the direction of a single edge does not matter\n"
    "  --verify              compares every label with a serial program, which makes a graph of\n"
    "                        all edges of the input on PE 0\n"
    "  --compact             numbers the ids that occur without gaps: else all vertices up to the\n"
    "                        largest id take memory. All output has the ids of the file\n"
    "  --output FILE         gets a row for each vertex, vertex and label; nothing if --verify\n"
    "                        finds a wrong label. The file is the same for every number of PEs\n"
    "                        and replaces an older one when it is complete";

constexpr const char* k_bench_text =
    "\nPropagates labels. The rate is the number of edges of the input, times iterations, by the\n"
    "time of a trial. Work that is the same in all iterations is done once, in plan_seconds.\n\n"
    "  atoll bench label-propagation --scale 20 --pes 2 --verify --compare";

constexpr const char* k_bench_details =
    "\nEach PE has copies of the labels of its vertices' neighbours on other PEs, which are\n"
    "exchanged after each iteration. An iteration that changes no label is the last. --compare\n"
    "runs the limit between the trials: the same in shared memory, on the same graph.";

void add_propagation_flags(CLI::App& command, propagation_flags& flags) {
  constexpr std::uint64_t most_iterations = 1'000'000, most_shown = 1000;
  add_count_flag(command, "--iterations", flags.iterations, 0, most_iterations,
                 "Compute N iterations, fewer if one changes no label")
      .under("Communities");
  add_count_flag(command, "--largest", flags.largest, 0, most_shown,
                 "Show the N largest one by one")
      .under("Communities");
  add_switch(command, "--directed", flags.directed,
             flags.common.measures ? "Edges of the graph have a direction"
                                   : "Edges of GRAPH have a direction")
      .under("Graph");
}

void add_flags(CLI::App& command, command_context& context, propagation_flags& flags) {
  add_propagation_flags(command, flags);
  add_graph_flags(command, flags);
  add_output_flag(command, flags, "Write the label of each vertex");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

constexpr kernel_texts k_texts = {.name = "label-propagation",
                                  .answers = "Communities: labels that most neighbours share",
                                  .measures = "Communities of a random graph or a file",
                                  .answer = k_answer_text,
                                  .answer_details = k_answer_details,
                                  .bench = k_bench_text,
                                  .bench_details = k_bench_details};

}  // namespace

void add_label_propagation(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<propagation_command, propagation_flags>(parent, context, measures, k_texts,
                                                             add_flags);
}

}  // namespace atl::app
