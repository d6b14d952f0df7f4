// Implements `atoll cores` and `atoll bench cores`.

#include "app/command.hpp"
#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "atoll/kernels/core_numbers.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace atl::app {
namespace {

struct cores_findings : graph_findings {
  std::uint64_t largest = 0;
  std::uint64_t largest_vertices = 0;
  std::uint64_t levels = 0;
};

// ---- Memory.

// Returns the peak memory in bytes of all PEs together.
double bytes_to_peel(const graph_flags& flags, const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const auto edges = static_cast<double>(demand.size.edges);
  const bytes_of_graph graph(demand);
  // A PE stores the degree of each vertex and lists of vertices to remove. Each loss of a neighbour
  // may enter a bucket. The result has 4 bytes per vertex.
  constexpr double result = 4;
  const double peeling = vertices * (4 * id + result) + edges * id;
  // --verify makes a graph of all edges on PE 0, with several numbers per vertex.
  constexpr double of_edge = 80, of_vertex = 64;
  const double verifying =
      flags.common.verify ? graph.stored + edges * of_edge + vertices * of_vertex : 0;
  return std::max(graph.building, graph.built + peeling + verifying);
}

// ---- Text and JSON.

void describe_cores(report& result, const graph_flags& flags, const cores_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  add_graph_sections(result, found);
  add_graph_lines(result, found, flags.name());
  if (result.wrong()) {
    add_fault(result, found);
    return;
  }
  result.section("largest_core_number", found.largest);
  result.section("vertices_of_largest", found.largest_vertices);
  result.section("levels", found.levels);
  if (found.size.vertices == 0) return;
  result.line(fmt::format("largest core number: {}, of {}", grouped_digits(found.largest),
                          vertices_text(found.largest_vertices)));
  result.line(fmt::format("{} occur{}", plural(found.levels, "different core number"),
                          found.levels == 1 ? "s" : ""));
}

// ---- The command.

class cores_command : public library_kernel {
 public:
  cores_command(graph_flags& flags, const settings& options)
      : library_kernel("cores", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights = true;
  }

 protected:
  void check_before_start() override {
    check_graph_flags(flags_);
    if (flags_.generated())
      check_memory({flags_.random.vertices(), flags_.random.edges()});
    else
      check_memory_to_load(flags_, options(), true, pes(), flags_.common.verify);
  }

  std::vector<compared_program> programs() override {
    if (!limit_takes_graph(flags_)) {
      if (flags_.common.compare)
        result().line("limit is left out: it takes Kronecker graphs and .el files");
      return {};
    }
    auto command = limit_command("atoll-limit-core-numbers", flags_, result());
    if (flags_.common.verify) command.emplace_back("--verify");
    return {{"limit", command}};
  }

  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "peeling"; }
  void describe() override { describe_cores(result(), flags_, findings_); }
  bool may_divide_hubs() const override { return false; }
  graph_options building() const override { return {.keep_edges = flags_.common.verify}; }

  void check_memory(graph_size size) override {
    const load_demand demand = demand_to_load(flags_, size, true, pes(), flags_.common.verify);
    check_memory_for(flags_, options(),
                     {"finding the cores of", size, pes(), bytes_to_peel(flags_, demand),
                      bytes_of_graph(demand).stored});
  }

  task<> look_at(graph_builder& read) override {
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
    findings_.scanned_edges = findings_.arcs();
    findings_.largest = last_.largest;
    findings_.largest_vertices = last_.largest_vertices;
    findings_.levels = last_.levels;
    co_await write(last_);
    co_await last_.destroy();
  }

 private:
  task<measurements> trial(global_graph graph) {
    last_ = co_await core_numbers(graph);
    if (flags_.common.verify && right() && !trials().warming_up()) {
      trials().show("peeling on one PE");
      const auto check = [graph, found = last_](site where) { return verify(graph, found, where); };
      co_await keep_fault(check, findings_);
    }
    measurements measured;
    measured.emplace_back("rate", "edges/s", static_cast<double>(graph.edges()) / last_.seconds);
    measured.emplace_back("seconds", "s", last_.seconds);
    co_return measured;
  }

  const graph_flags& flags_;
  vertex_output output_;
  cores_findings findings_;
  core_decomposition last_;  // of the last trial
};

constexpr const char* k_answer_text =
    "\nFinds the core number of each vertex: the largest k such that the vertex belongs to a part\n"
    "of the graph in which every vertex has at least k neighbours. High numbers mark the dense\n"
    "centre. Edges count both ways, and duplicates once.\n\n"
    "  atoll cores packages.tsv --verify\n"
    "  atoll cores packages.tsv --output cores.csv.zst";

constexpr const char* k_answer_details =
    "\n  --verify              compares every number with a serial program, which makes a graph "
    "of\n"
    "                        all edges of the input on PE 0\n"
    "  --compact             numbers the ids that occur without gaps: else all vertices up to the\n"
    "                        largest id take memory. All output has the ids of the file, and a\n"
    "                        .npy gets them as a first column\n"
    "  --output FILE         gets a row for each vertex, vertex and core; nothing if --verify "
    "finds\n"
    "                        a wrong number. The file is the same for every number of PEs and\n"
    "                        replaces an older one when it is complete. In .tsv and .csv the\n"
    "                        first line has the titles, in .txt it is a comment; .npy is the\n"
    "                        array of core numbers by vertex, 64-bit integers";

constexpr const char* k_bench_text = "\nComputes the core number of each vertex. The rate is the "
                                     "number of edges of the input by the\n"
                                     "time of a trial.\n\n"
                                     "  atoll bench cores --scale 20 --pes 2 --verify --compare";

constexpr const char* k_bench_details =
    "\nA run removes vertices in the order of their remaining neighbours, level by level. Each PE\n"
    "follows chains of removals through its own vertices before it tells others. --compare runs\n"
    "the limit between the trials: the same in shared memory, on the same graph.";

void add_command_of(CLI::App& parent, command_context& context, bool measures) {
  const auto flags = std::make_shared<graph_flags>();
  flags->common.measures = measures;
  const auto action = [&context, flags] { return cores_command(*flags, context.settings).run(); };
  auto& command = add_command(parent, context, "cores",
                              measures ? "Core numbers of a random graph or a file"
                                       : "Core numbers: how deep vertices lie in dense parts",
                              action);
  add_graph_flags(command, *flags);
  add_output_flag(command, *flags, "Write the core number of each vertex");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, context, measures ? k_bench_text : k_answer_text,
                  measures ? k_bench_details : k_answer_details);
}

}  // namespace

void add_cores(CLI::App& root, command_context& context) { add_command_of(root, context, false); }
void add_bench_cores(CLI::App& bench, command_context& context) {
  add_command_of(bench, context, true);
}

}  // namespace atl::app
