// Implements `atoll label-propagation` and `atoll bench label-propagation`.

#include "atoll/kernels/label_propagation.hpp"

#include "app/command.hpp"
#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
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
  // A place for each neighbour. Rows of sources are there while the places of a directed graph are
  // made.
  const double places = input * id * (flags.directed ? 3 : 2);
  // Each PE has a copy of a label for each vertex of others that is a neighbour. Copies and
  // requests for them are also listed, and labels are gathered to be sent.
  const double copies = std::min(2 * input, vertices * pes) * id * (3 + k_gathered_copies);
  const double of_vertices = vertices * (2 * id + 3 * number + pes / 4);
  // --verify makes graphs of all edges on PE 0, and two labels for each vertex.
  constexpr double of_edge = 100, of_vertex = 64;
  const double verifying = flags.common.verify ? input * of_edge + vertices * of_vertex : 0;
  const double stored = demand.edges == file_edges::kept ? graph.stored : 0;
  return std::max(graph.building,
                  stored + graph.built + of_vertices + std::max(places + copies, verifying));
}

// ---- Text and JSON.

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

class propagation_command : public library_kernel {
 public:
  propagation_command(propagation_flags& flags, const settings& options)
      : library_kernel("label-propagation", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights = true;
  }

 protected:
  void check_before_start() override {
    check_graph_flags(flags_);
    if (flags_.generated())
      check_memory({flags_.random.vertices(), flags_.random.edges()});
    else
      check_memory_to_load(flags_, options(), !flags_.directed, pes(), flags_.common.verify);
  }

  void add_parameters() override {
    library_kernel::add_parameters();
    result().parameter("directed", flags_.directed);
    result().parameter("iterations", flags_.iterations);
  }

  std::vector<compared_program> programs() override {
    if (!limit_takes_graph(flags_) || flags_.directed) {
      if (flags_.common.compare)
        result().line("limit is left out: it takes undirected Kronecker graphs and .el files");
      return {};
    }
    auto command = limit_command("atoll-limit-label-propagation", flags_, result());
    command.insert(command.end(), {"--iterations", std::to_string(flags_.iterations)});
    if (flags_.common.verify) command.emplace_back("--verify");
    return {{"limit", command}};
  }

  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "propagating"; }
  void describe() override { describe_labels(result(), flags_, findings_); }
  bool may_divide_hubs() const override { return false; }

  graph_options building() const override {
    return {.directed = flags_.directed,
            .keep_edges = flags_.common.verify,
            .ascending_neighbours = true};
  }

  void check_memory(graph_size size) override {
    const load_demand demand =
        demand_to_load(flags_, size, !flags_.directed, pes(), flags_.common.verify);
    check_memory_for(flags_, options(),
                     {"propagating labels in", size, pes(), bytes_to_propagate(flags_, demand),
                      bytes_of_graph(demand).stored});
  }

  task<> look_at(graph_builder& read) override {
    if (flags_.directed && read.notes().undirected)
      fail(errc::input, "--directed: the edges of {} have no direction", flags_.files.edges);
    output_.check_names(read.names(), flags_.files.names.empty());
    co_return;
  }

  task<> compute(global_graph graph) override {
    bool first = true;
    while (trials().begin()) {
      if (!first) co_await last_.destroy();
      first = false;
      trials().end(co_await trial(graph));
    }
    co_await gather_facts(graph, findings_);
    findings_.iterations = last_.iterations;
    findings_.changed = last_.changed;
    findings_.plan_seconds = last_.plan_seconds;
    findings_.scanned_edges = findings_.arcs() * last_.iterations * (flags_.directed ? 2 : 1);
    if (right()) co_await count_communities(graph);
    co_await write(last_);
    co_await last_.destroy();
  }

 private:
  task<measurements> trial(global_graph graph) {
    last_ = co_await label_propagation(graph, {.iterations = flags_.iterations});
    if (flags_.common.verify && right() && !trials().warming_up()) {
      trials().show("propagating on one PE");
      const auto check = [graph, found = last_](site where) { return verify(graph, found, where); };
      co_await keep_fault(check, findings_);
    }
    const auto visits = static_cast<double>(graph.edges()) * static_cast<double>(last_.iterations);
    measurements measured;
    measured.emplace_back("rate", "edges/s", visits / last_.seconds);
    measured.emplace_back("seconds", "s", last_.seconds);
    co_return measured;
  }

  task<> count_communities(global_graph graph) {
    findings_.sizes = co_await last_.sizes(flags_.largest);
    for (const auto& one : findings_.sizes.largest) {
      auto label = co_await shown(graph.names(), one.label);
      findings_.largest.push_back({std::move(label), one.vertices});
    }
  }

  const propagation_flags& flags_;
  vertex_output output_;
  propagation_findings findings_;
  propagated_labels last_;  // of the last trial
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

void add_propagation_flags(CLI::App& command, propagation_flags& flags, bool measures) {
  constexpr std::uint64_t most_iterations = 1'000'000, most_shown = 1000;
  add_count_flag(command, "--iterations", flags.iterations, 0, most_iterations,
                 "Compute N iterations, fewer if one changes no label")
      .under("Communities");
  add_count_flag(command, "--largest", flags.largest, 0, most_shown,
                 "Show the N largest one by one")
      .under("Communities");
  add_switch(command, "--directed", flags.directed,
             measures ? "Edges of the graph have a direction" : "Edges of GRAPH have a direction")
      .under("Graph");
}

void add_command_of(CLI::App& parent, command_context& context, bool measures) {
  const auto flags = std::make_shared<propagation_flags>();
  flags->common.measures = measures;
  const auto action = [&context, flags] {
    return propagation_command(*flags, context.settings).run();
  };
  auto& command = add_command(parent, context, "label-propagation",
                              measures ? "Communities of a random graph or a file"
                                       : "Communities: labels that most neighbours share",
                              action);
  add_propagation_flags(command, *flags, measures);
  add_graph_flags(command, *flags);
  add_output_flag(command, *flags, "Write the label of each vertex");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, context, measures ? k_bench_text : k_answer_text,
                  measures ? k_bench_details : k_answer_details);
}

}  // namespace

void add_label_propagation(CLI::App& root, command_context& context) {
  add_command_of(root, context, false);
}
void add_bench_label_propagation(CLI::App& bench, command_context& context) {
  add_command_of(bench, context, true);
}

}  // namespace atl::app
