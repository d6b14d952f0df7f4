// Implements `atoll cores` and `atoll bench cores`.

#include "app/driver/one_call_kernel.hpp"
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
  // A PE stores the degree of each vertex and lists of vertices to remove. When a vertex loses a
  // neighbour, an entry may be added to a bucket. The result has 4 bytes per vertex.
  constexpr double result = 4;
  const double peeling = vertices * (4 * id + result) + edges * id;
  // --verify makes a graph of all edges on PE 0, with several numbers per vertex.
  constexpr double of_edge = 80, of_vertex = 64;
  const double verifying =
      flags.common.verify ? graph.stored + edges * of_edge + vertices * of_vertex : 0;
  return std::max(graph.building, graph.built + peeling + verifying);
}

// The functions below show the result as text and as JSON.

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

class cores_command : public one_call_kernel<graph_flags, core_decomposition, cores_findings> {
 public:
  cores_command(graph_flags& of_user, const settings& options)
      : one_call_kernel({.command = "cores",
                         .doing = "peeling",
                         .needs = "finding the cores of",
                         .checks = "peeling on one PE",
                         .limit = "atoll-limit-core-numbers"},
                        of_user, options) {
    of_user.files.form.without_weights = true;
  }

 private:
  task<core_decomposition> call(global_graph graph) override { return core_numbers(graph); }

  task<> take(global_graph, const core_decomposition& last) override {
    found().scanned_edges = found().arcs();
    found().largest = last.largest;
    found().largest_vertices = last.largest_vertices;
    found().levels = last.levels;
    co_return;
  }

  double bytes_needed(const load_demand& demand) const override {
    return bytes_to_peel(flags(), demand);
  }
  graph_options building() const override { return {.keep_edges = flags().common.verify}; }
  void describe() override { describe_cores(result(), flags(), found()); }
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

void add_flags(CLI::App& command, command_context& context, graph_flags& flags) {
  add_graph_flags(command, flags);
  add_output_flag(command, flags, "Write the core number of each vertex");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

constexpr kernel_texts k_texts = {.name = "cores",
                                  .answers = "Core numbers: how deep vertices lie in dense parts",
                                  .measures = "Core numbers of a random graph or a file",
                                  .answer = k_answer_text,
                                  .answer_details = k_answer_details,
                                  .bench = k_bench_text,
                                  .bench_details = k_bench_details};

}  // namespace

void add_cores(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<cores_command, graph_flags>(parent, context, measures, k_texts, add_flags);
}

}  // namespace atl::app
