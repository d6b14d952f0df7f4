// Implements `atoll mst` and `atoll bench mst`.

#include "app/kernels/mst.hpp"

#include "app/command.hpp"
#include "app/driver/memory.hpp"
#include "app/flags.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace atl::app {
namespace {

// ---- Memory.

// Returns the peak memory in bytes of all PEs together, without the stored edges of a file.
double bytes_of_forest(graph_size size, double pes, double id, bool verify) {
  const auto edges = static_cast<double>(size.edges);
  const auto vertices = static_cast<double>(size.vertices);
  const double raw = 3 * id, record = 4 * id;
  // An edge whose endpoints belong to two PEs is stored on both PEs. In the worst case, every edge
  // is stored on two PEs. Sorting needs a second copy of the edges.
  const double copies = pes > 1 ? 2 : 1;
  const double distributing = copies * edges * raw * 2;
  const double merging = copies * edges * record * 2;
  const double tables = copies * vertices * 4 * id;
  // Each PE has three buffers. Of the three buffers of a PE, other PEs read the first and write the
  // second. The third buffer of a PE has data that the PE has read from other PEs.
  constexpr double buffers = 3;
  constexpr double result = 24;  // bytes per edge of the forest
  const double verifying = verify ? edges * (raw + 5 * result) : 0;
  return edges * raw + vertices * result + std::max({distributing, merging + tables, verifying}) +
         pes * buffers * forest_buffer_bytes(size.edges, pes);
}

// The functions below show the result as text and as JSON.

void add_phases(report& result, const spanning_forest& last) {
  const auto& spent = last.spent;
  const std::pair<const char*, double> phases[] = {
      {"filter", spent.filter}, {"build", spent.build}, {"contract", spent.contract},
      {"ghosts", spent.ghosts}, {"merge", spent.merge}, {"ring", spent.ring},
      {"post", spent.post}};
  named_values seconds;
  std::string text = "PE 0 spent";
  for (const auto& [name, value] : phases) {
    seconds.emplace_back(name, value);
    text += fmt::format("{} {} {}", seconds.size() > 1 ? "," : "", human_seconds(value), name);
  }
  result.section("phase_seconds", seconds);
  result.line(text + fmt::format("; {}", plural(last.iterations, "iteration")));
}

std::string kind_of_weights(const mst_findings& found) {
  if (found.size.edges == 0) return "none";
  return found.weights_of_file ? weights_text(found) : "by hash";
}

void add_size_line(report& result, const mst_flags& flags, const mst_findings& found) {
  if (result.is_answer()) {
    result.line(fmt::format("{}: {}, {}, weights {}", flags.name(),
                            vertices_text(found.size.vertices), plural(found.size.edges, "edge"),
                            kind_of_weights(found)));
    return;
  }
  result.line(fmt::format("{}, {} of {} left after duplicates and filter, weights {}",
                          vertices_text(found.size.vertices),
                          grouped_digits(found.forest.edges_left), plural(found.size.edges, "edge"),
                          kind_of_weights(found)));
}

void say_if_weights_are_lost(report& result, const mst_flags& flags) {
  if (!flags.output.empty() && !forest_file_has_weights(flags.output))
    result.line(fmt::format("note: {} gets no weights, for which its format has no place; a .wel "
                            "has",
                            flags.output));
}

void describe_forest(report& result, const mst_flags& flags, const mst_findings& found) {
  if (!flags.generated())
    result.add({result.is_answer() ? "read_seconds" : "seconds_to_read", "s", found.read_seconds});
  const spanning_forest& last = found.forest;
  const std::uint64_t components = last.trees;
  result.section("graph", {{"vertices", found.size.vertices},
                           {"input_edges", found.size.edges},
                           {"edges_left", last.edges_left},
                           {"id_bits", std::uint64_t{last.id_bits}},
                           {"weights", found.weights_of_file ? "file" : "hash"}});
  result.section("forest_edges", found.counts.edges);
  result.section("components", components);
  result.section("iterations", last.iterations);
  add_size_line(result, flags, found);
  add_columns_left_out(result, found);
  add_remarks(result, found.remarks);
  if (result.wrong()) {
    add_fault(result, found);
    return;
  }
  const std::string weight = last.weight.text();
  result.section("forest_weight", weight);
  say_if_weights_are_lost(result, flags);
  if (result.is_answer()) {
    result.line(fmt::format("minimum spanning forest: weight {}, {}, {}", weight,
                            plural(found.counts.edges, "edge"), plural(components, "tree")));
  } else {
    result.line(fmt::format("weight {}, {}, {}", weight, plural(found.counts.edges, "edge"),
                            plural(components, "component")));
    add_phases(result, last);
  }
  // Every edge of the input is two arcs of the symmetrised graph, even a self loop or a duplicate.
  const double arcs = 2 * static_cast<double>(found.size.edges);
  std::uint64_t bytes_peak = 0;
  for (const auto& pe : found.pes) bytes_peak += pe.bytes_peak;
  const auto peak = static_cast<double>(bytes_peak);
  result.section("bytes_peak", bytes_peak);
  if (arcs > 0 && !result.is_answer())
    result.line(fmt::format("at most {} in memory, {:.1f} bytes for each of {} arcs",
                            human_bytes(peak), peak / arcs, human_number(arcs)));
}

// ---- The command.

using words = std::vector<std::string>;

words joined(words first, const words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

words graph_words(const generator_parameters& random) {
  constexpr const char* kinds[] = {"kronecker", "uniform", "web"};
  const double edges_per_vertex =
      static_cast<double>(random.edges()) / static_cast<double>(random.vertices());
  return {"--kind",
          kinds[static_cast<std::size_t>(random.kind)],
          "--vertices",
          std::to_string(random.exact_vertices),
          "--scale",
          std::to_string(random.scale),
          "--seed",
          std::to_string(random.seed),
          "--trials",
          "1",
          "--edges-per-vertex",
          fmt::format("{}", edges_per_vertex)};
}

std::vector<compared_program> mst_programs(const mst_flags& flags, std::uint64_t pes,
                                           const words& for_peers) {
  const words graph = graph_words(flags.random);
  const words all = joined(joined(graph, {"--processes", std::to_string(pes)}), for_peers);
  std::vector<compared_program> programs;
  programs.emplace_back("limit", joined({"atoll-limit-mst"}, graph));
  for (const std::string library : {"openmpi", "mpich"}) {
    const words command = joined({"atoll-peer-mst-" + library}, all);
    programs.emplace_back("peer:" + library, joined(command, {"--exchange", "two-sided"}));
    programs.emplace_back("peer:" + library + "_rma", joined(command, {"--exchange", "one-sided"}));
  }
  for (const std::string library : {"shmem", "openshmem"})
    programs.emplace_back("peer:" + library, joined({"atoll-peer-mst-" + library}, all));
  return programs;
}

}  // namespace

std::string forest_counts::text() const {
  return fmt::format("{} edges of weight {}", edges, weight.text());
}

void mst_command::check_before_start() {
  check_graph_flags(flags_);
  graph_size size{flags_.random.vertices(), flags_.random.edges()};
  if (!flags_.generated()) size = guess_graph(flags_.files).size;
  // The number of vertices is unknown before the file is read.
  if (flags_.files.compact) size.vertices = 0;
  check_memory(size);
}

void mst_command::add_way() {
  result().parameter("algorithm", "mnd");
  result().parameter("exchange", "one-sided");
}

void mst_command::add_parameters() {
  library_kernel::add_parameters();
  if (flags_.common.measures) add_way();
}

std::vector<compared_program> mst_command::programs() {
  if (flags_.generated()) return mst_programs(flags_, pes(), words_for_peers());
  if (flags_.common.compare)
    result().line("limit and peers are left out: they take generated graphs");
  return {};
}

void mst_command::describe() { describe_forest(result(), flags_, findings_); }

void mst_command::check_memory(graph_size size) {
  const auto id = static_cast<double>(id_bytes_for(flags_, std::max(size.vertices, size.edges)));
  const double bytes = bytes_of_forest(size, static_cast<double>(pes()), id, flags_.common.verify);
  const double stored = bytes_of_graph(demand_to_load(flags_, size, true, pes(), true)).stored;
  check_memory_for(flags_, options(),
                   {"finding the forest of", size, pes(), bytes + stored, stored});
}

task<> mst_command::look_at(graph_builder& read) {
  if (output_.wanted() && !is_on_other_rank())
    for_output([&] { check_forest_file(output_.path(), read.names().any()); });
  if (flags_.hashed_weights) {
    co_await read.hash_weights(flags_.random.seed);
    co_return;
  }
  const std::string& why_none = read.notes().why_no_weights;
  if (!why_none.empty())
    fail(errc::input, "{}; with --hashed-weights others take its place", why_none);
  findings_.weights_of_file = read.has_weights() && !flags_.generated();
  if (!read.has_weights() && read.edges() > 0)
    fail(errc::input,
         "{}: its edges have no weights: --weights names their column in a text, and "
         "--hashed-weights takes a hash of the ends of each edge",
         flags_.files.edges);
}

task<> mst_command::prepare(global_graph graph) {
  forests_ = co_await repeated_forests::make(graph);
}

task<> mst_command::compute(global_graph graph) {
  trials().show("weighing the edges");
  co_await prepare(graph);
  bool first = true;
  while (trials().begin()) {
    if (!first) co_await findings_.forest.destroy();
    first = false;
    auto measured = co_await trial(graph);
    trials().end(measured);
  }
  co_await end_finding();
  co_await gather_facts(graph, findings_);
  if (flags_.common.verify && right()) co_await verify_last(graph);
  co_await write(findings_.forest);
  co_await findings_.forest.destroy();
}

task<measurements> mst_command::trial(global_graph graph) {
  findings_.forest = co_await find();
  const spanning_forest& found = findings_.forest;
  const forest_counts counts{graph.vertices() - found.trees, found.weight};
  const bool is_first = findings_.counts == forest_counts();
  if (!is_first && counts != findings_.counts)
    findings_.wrong = fmt::format("two trials differ: one has {}, the last has {}",
                                  findings_.counts.text(), counts.text());
  findings_.counts = counts;
  measurements measured;
  measured.emplace_back("rate", "edges/s", static_cast<double>(graph.edges()) / found.seconds);
  measured.emplace_back("seconds", "s", found.seconds);
  measured.emplace_back("weight", "", found.weight.approximate());
  co_return measured;
}

/// Verifies the last forest against the edges that were read or generated. The verification does
/// not use the edges that PEs have received from each other.
task<> mst_command::verify_last(global_graph graph) {
  trials().show("finding the forest again by Kruskal's algorithm");
  const auto check = [graph, found = findings_.forest](site where) {
    return verify(graph, found, where);
  };
  co_await keep_fault(check, findings_);
}

namespace {

constexpr const char* k_answer_text =
    "\nFinds a minimum spanning forest: of each connected component the lightest edges that hold\n"
    "it together. Edges count both ways. Of equal weights the edge with the smaller end, then the\n"
    "smaller other end, is lighter, so there is one right forest, whatever the number of PEs.\n\n"
    "  atoll mst roads.wel --output forest.wel.zst\n"
    "  atoll mst flights.csv --weights 4 --verify";

constexpr const char* k_answer_details =
    "\n  --hashed-weights      takes a hash of the two ends of each edge and --seed as its "
    "weight;\n"
    "                        a file without weights is refused otherwise\n"
    "  --verify              compares every edge of the forest with that of Kruskal's algorithm\n"
    "                        on all edges of the input, on PE 0, and the weights of all\n"
    "  --output FILE         gets a row for each edge of the forest, by its smaller and then its\n"
    "                        larger end: both ends, by their names in .csv, .tsv and .txt, and "
    "the\n"
    "                        weight, for which .el alone has no place";

constexpr const char* k_bench_text =
    "\nThe rate is the number of edges of the input by the time from the edges in memory to the\n"
    "forest. A random graph has weights by a hash of the two ends of each edge and --seed.\n\n"
    "  atoll bench mst --scale 18 --pes 2 --verify --compare";

constexpr const char* k_bench_details =
    "\nEach PE leaves out those of its edges that close a cycle of lighter ones. One PE finishes\n"
    "where few are left; else each PE joins the components of a range of vertices as far as it\n"
    "can alone, tells its neighbours their new names, moves some along a ring of PEs, and hands\n"
    "over to fewer PEs when little is left (Panja, Vadhiyar 2018).\n"
    "--compare runs beside it, in turn and on the same edges: the limit, Kruskal's algorithm with\n"
    "a radix sort on one core; by as many processes the same algorithm by messages of openmpi and\n"
    "mpich, by their one-sided operations (openmpi_rma, mpich_rma), and by shmem.h on Atoll "
    "(shmem)\n"
    "and on Open MPI (openshmem).";

constexpr kernel_texts k_texts = {
    .name = "mst",
    .answers = "Minimum spanning forest: the lightest edges that join everything",
    .measures = "Minimum spanning forest of a random graph or a file",
    .answer = k_answer_text,
    .answer_details = k_answer_details,
    .bench = k_bench_text,
    .bench_details = k_bench_details};

}  // namespace

void add_mst_flags(CLI::App& command, command_context& context, mst_flags& flags) {
  add_graph_flags(command, flags);
  add_weights_flag(command, flags.files, "Graph");
  add_switch(command, "--hashed-weights", flags.hashed_weights,
             "Weights by hash, whether the file has some or not")
      .under("Graph");
  add_text_flag(
      command, "-o,--output", "FILE", flags.output,
      "Write the edges of the forest and their weights: .csv, .tsv, .txt or .wel, also as "
      ".gz or .zst; .el without weights")
      .under("Output");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

void add_mst(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<mst_command, mst_flags>(parent, context, measures, k_texts, add_mst_flags);
}

}  // namespace atl::app
