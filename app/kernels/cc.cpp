// Implements `atoll cc` and `atoll bench cc`.

#include "app/kernels/cc.hpp"

#include "app/command.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>

namespace atl::app {
namespace {

// ---- Memory.

// Returns the peak memory in bytes of all PEs together.
double bytes_to_label(const cc_flags& flags, const load_demand& demand, double of_algorithm) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const bytes_of_graph graph(demand);
  // The algorithm stores a label for each vertex: the parent of the vertex in a tree. A growing
  // list has the vertices whose parent in the tree is on another PE. Requests and replies about
  // parents on other PEs also take memory. At the end, the algorithm stores the resulting labels
  // and the sizes of the components.
  constexpr double result = 8;
  const double labels = vertices * (id * (1 + 3 + 2 * k_gathered_copies) + result);
  // --verify builds disjoint sets of all vertices on PE 0, which sends the expected labels to the
  // other PEs.
  const double expecting =
      flags.common.verify ? graph.stored + vertices * result * (2 + k_gathered_copies) : 0;
  return std::max({graph.building, graph.built + labels + of_algorithm + expecting});
}

// The functions below show the result as text and as JSON.

std::string share_text(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return "";
  return fmt::format("({:.1f} %)", 100 * static_cast<double>(part) / static_cast<double>(all));
}

std::string components_line(const cc_findings& found) {
  const auto& sizes = found.sizes;
  return fmt::format("{}, {} of them a single vertex", plural(sizes.components, "component"),
                     grouped_digits(sizes.single_vertices));
}

void add_largest_lines(report& result, const cc_findings& found) {
  if (found.largest.empty()) return;
  result.line("");
  result.line("vertices of the largest components, with the smallest vertex of each");
  for (const auto& one : found.largest) {
    result.line(fmt::format("{:>15} {:>9}  {}", grouped_digits(one.vertices),
                            share_text(one.vertices, found.size.vertices),
                            short_name(one.smallest.text)));
  }
}

void add_size_lines(report& result, const cc_findings& found) {
  const auto& counts = found.sizes.by_power_of_two;
  if (counts.empty()) return;
  result.line("");
  result.line("components by their number of vertices");
  for (std::size_t power = 0; power < counts.size(); ++power) {
    if (counts[power] == 0) continue;
    const std::uint64_t least = std::uint64_t{1} << power;
    const auto range =
        power == 0 ? "1"
                   : fmt::format("{} to {}", grouped_digits(least), grouped_digits(2 * least - 1));
    result.line(fmt::format("{:>15}  of {}", grouped_digits(counts[power]), range));
  }
}

void add_sections(report& result, const cc_findings& found) {
  add_graph_sections(result, found);
  if (result.wrong()) return;
  const auto& sizes = found.sizes;
  result.section("components", sizes.components);
  result.section("single_vertices", sizes.single_vertices);
  result.section("components_by_power_of_two", sizes.by_power_of_two);
  for (const auto& one : found.largest) {
    result.add_to_section("largest",
                          {{"smallest_vertex", one.smallest.input_id.value_or(one.smallest.id)},
                           {"name", one.smallest.text},
                           {"vertices", one.vertices}});
  }
}

void describe_components(report& result, const cc_flags& flags, const cc_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  add_sections(result, found);
  add_graph_lines(result, found, flags.name());
  if (result.wrong()) {
    add_fault(result, found);
    return;
  }
  result.line(components_line(found));
  add_largest_lines(result, found);
  add_size_lines(result, found);
}

// ---- The command.

}  // namespace

void cc_command::describe() { describe_components(result(), flags_, findings_); }

void cc_command::check_memory(graph_size size) {
  const load_demand demand = demand_to_load(flags_, size, true, pes(), flags_.common.verify);
  const double bytes = bytes_to_label(flags_, demand, bytes_of_algorithm(demand));
  check_memory_for(flags_, options(),
                   {"finding components of", size, pes(), bytes, bytes_of_graph(demand).stored});
}

task<> cc_command::compute(global_graph graph) {
  bool first = true;
  while (trials().begin()) {
    if (!first) co_await last_.destroy();
    first = false;
    trials().end(co_await trial(graph));
  }
  co_await end_labelling();
  co_await gather_facts(graph, findings_);
  if (right()) co_await count_components(graph);
  co_await write(last_);
  co_await last_.destroy();
}

task<measurements> cc_command::trial(global_graph graph) {
  last_ = co_await label(graph);
  if (flags_.common.verify && right() && !trials().warming_up()) {
    trials().show("uniting the ends of all edges");
    const auto check = [graph, found = last_](site where) { return verify(graph, found, where); };
    co_await keep_fault(check, findings_);
  }
  findings_.scanned_edges = last_.arcs_looked_at;
  measurements measured;
  measured.emplace_back("rate", "edges/s", static_cast<double>(graph.edges()) / last_.seconds);
  measured.emplace_back("seconds", "s", last_.seconds);
  co_return measured;
}

task<> cc_command::count_components(global_graph graph) {
  findings_.sizes = co_await last_.sizes(flags_.largest);
  for (const auto& one : findings_.sizes.largest) {
    auto smallest = co_await shown(graph.names(), one.label);
    findings_.largest.push_back({std::move(smallest), one.vertices});
  }
}

void cc_command::check_before_start() {
  check_graph_flags(flags_);
  if (flags_.generated())
    check_memory({flags_.random.vertices(), flags_.random.edges()});
  else
    check_memory_to_load(flags_, options(), true, pes(), flags_.common.verify);
}

void cc_command::add_parameters() {
  library_kernel::add_parameters();
  if (flags_.common.measures) result().parameter("algorithm", algorithm());
}

// Returns the command of the limit program, a plain program without Atoll that does the same memory
// work as the kernel. The command names the graph and the number of cores of the benchmark. Returns
// an empty list if the limit program (a plain program without Atoll) does not accept the graph.
std::vector<compared_program> cc_command::programs() {
  if (!limit_takes_graph(flags_)) {
    if (flags_.common.compare)
      result().line("limit is left out: it takes Kronecker graphs and .el files");
    return {};
  }
  auto command = limit_command("atoll-limit-cc", flags_, result());
  if (flags_.common.verify) command.emplace_back("--verify");
  return {{"limit", command}};
}

namespace {

constexpr const char* k_answer_text =
    "\nFinds the connected components: which vertices a path leads between. Edges count both "
    "ways,\n"
    "so those of a directed graph are its weakly connected components. The label of a vertex is\n"
    "the smallest vertex of its component, whatever the number of PEs.\n\n"
    "  atoll cc packages.tsv --largest 10\n"
    "  atoll cc packages.tsv --verify --output labels.csv.zst";

constexpr const char* k_answer_details =
    "\n  --verify              compares every label with plain union-find over all edges of the\n"
    "                        input; needs a number for each vertex on each PE\n"
    "  --compact             numbers the ids that occur without gaps: else all vertices up to the\n"
    "                        largest id take memory. All output has the ids of the file, and a\n"
    "                        .npy gets them as a first column\n"
    "  --output FILE         gets a row for each vertex, vertex and label, by their names where\n"
    "                        they have any; nothing where the labels are found to be wrong. The\n"
    "                        file is the same for every number of PEs and replaces an older one\n"
    "                        when it is complete. In .tsv and .csv the first line has the\n"
    "                        titles, in .txt it is a comment; .npy is the array of labels\n"
    "                        by vertex, 64-bit integers";

constexpr const char* k_bench_text =
    "\nLabels each vertex with the smallest vertex of its component. The rate is the number of\n"
    "edges of the input by the time of a trial.\n\n"
    "  atoll bench cc --scale 20 --pes 2 --verify --compare";

constexpr const char* k_bench_details =
    "\nA run links each vertex with one neighbour, or two, takes a sample to find the largest\n"
    "component, and looks at the other neighbours of vertices outside of it only (Sutton,\n"
    "Ben-Nun, Barak 2018). --compare runs the limit between the trials: the same in shared "
    "memory,\n"
    "on the same graph.";

constexpr kernel_texts k_texts = {.name = "cc",
                                  .answers =
                                      "Connected components: which vertices a path leads between",
                                  .measures = "Connected components of a random graph or a file",
                                  .answer = k_answer_text,
                                  .answer_details = k_answer_details,
                                  .bench = k_bench_text,
                                  .bench_details = k_bench_details};

}  // namespace

void add_cc_flags(CLI::App& command, command_context& context, cc_flags& flags) {
  constexpr std::uint64_t most_shown = 1000;
  add_count_flag(command, "--largest", flags.largest, 0, most_shown,
                 "Show the N largest one by one")
      .under("Components");
  add_graph_flags(command, flags);
  add_output_flag(command, flags, "Write the label of each vertex");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

void add_cc(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<cc_command, cc_flags>(parent, context, measures, k_texts, add_cc_flags);
}

}  // namespace atl::app
