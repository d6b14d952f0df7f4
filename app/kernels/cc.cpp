// `atoll cc` and `atoll bench cc`

#include "app/kernels/cc.hpp"

#include "app/command.hpp"
#include "atoll/collectives.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

namespace cc = kernels::cc;

// ---- Memory.

// The most bytes all PEs together hold at a time.
double bytes_to_label(const load_demand& demand, bool verify, double of_algorithm) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const bytes_of_graph graph(demand);
  // Labels, and what becomes of them: vertices with a parent elsewhere in a list that grows,
  // questions and answers; afterwards sizes.
  const double labels = vertices * id * (1 + 3 + 2 * k_gathered_copies);
  // Sets of all vertices on PE 0, which deals out the labels.
  const double expecting = verify ? graph.stored + vertices * id * (2 + k_gathered_copies) : 0;
  return std::max({graph.building, graph.built + labels + of_algorithm + expecting});
}

// ---- The job.

/// Writes the labels of the last run. One task calls it, on PE 0. Blocks the task.
template <class Id>
task<> write_labels(cc::workspace<Id> on, vertex_names names, vertex_output& output) {
  const auto write = [on, names, format = output.format(), to = &output]() -> task<> {
    static constexpr vertex_column columns[] = {{"label", true}};
    const auto& labels = on.forests->labels;
    const auto label = [&](std::uint64_t row, std::size_t) {
      return static_cast<std::int64_t>(labels[row]);
    };
    const vertex_values values{on.graph->shape, columns, label};
    const auto take = my_pe() == 0 ? to->taker() : file_taker();
    co_await all_write_vertices(values, names.local(), format, take);
  };
  co_await together(write);
}

}  // namespace

template <class Id>
task<> cc_trials<Id>::run() {
  co_await build();
  while (trials_.begin()) trials_.end(co_await trial());
  const auto scanned_edges = [on = on_] { return on.forests->scanned_edges; };
  co_await gather_facts(graph_, scanned_edges, findings_);
  co_await count_components();
  if (output_.wanted() && findings_.right()) co_await write_labels(on_, input_.names, output_);
  co_await destroy();
  co_await graph_.destroy();
}

template <class Id>
task<> cc_trials<Id>::make() {
  on_ = co_await cc::workspace<Id>::make(graph_);
}

template <class Id>
task<> cc_trials<Id>::destroy() {
  co_await on_.destroy();
}

template <class Id>
task<> cc_trials<Id>::build() {
  const bool last = !flags_.common.verify;
  graph_ =
      co_await build_graph<Id>(input_, flags_, orientation::undirected, last, trials_, findings_);
  co_await make();
  if (flags_.common.verify) {
    trials_.show("uniting the ends of all edges");
    const auto expect = [on = on_, edges = input_.edges_of_pe(flags_)]() -> task<> {
      const auto mine = edges();
      co_await cc::all_expect(on, mine);
    };
    co_await together(expect);
  }
  co_await input_.forget_edges();
}

template <class Id>
task<cc::run_outcome> cc_trials<Id>::label(bool verify) {
  const auto run = [on = on_, verify] { return cc::all_run(on, verify); };
  co_return co_await from_all_pes(run);
}

template <class Id>
task<measurements> cc_trials<Id>::trial() {
  const bool verify = flags_.common.verify && !trials_.warming_up();
  const cc::run_outcome outcome = co_await label(verify);
  if (!trials_.warming_up()) findings_.trials.push_back(outcome);
  measurements measured;
  measured.emplace_back("rate", "edges/s",
                        static_cast<double>(findings_.size.edges) / outcome.seconds);
  measured.emplace_back("seconds", "s", outcome.seconds);
  co_return measured;
}

/// By the labels of the last trial. Wrong ones may belong to no vertex.
template <class Id>
task<> cc_trials<Id>::count_components() {
  if (!findings_.right()) co_return;
  const auto count = [on = on_, most = flags_.largest] {
    return cc::all_sizes(on.graph->shape, cc::labels_here<Id>(on.forests.local()), on.sizes, most);
  };
  findings_.sizes = co_await from_all_pes(count);
  for (const auto& one : findings_.sizes.largest) {
    auto smallest = co_await shown(input_.names, one.smallest);
    findings_.largest.push_back({std::move(smallest), one.vertices});
  }
}

template class cc_trials<std::uint32_t>;
template class cc_trials<std::uint64_t>;

// ---- What people and programs read.

namespace {

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
  const auto& counts = found.sizes.by_power;
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

void add_wrong_lines(report& result, const cc_findings& found) {
  const auto wrong = found.found();
  result.line("");
  const auto tell = [&result](std::uint64_t count, std::string_view what) {
    if (count > 0) result.line(fmt::format("wrong labels: {} {}", plural(count, "time"), what));
  };
  tell(wrong.joined, "a vertex is in a component that no path of the input leads to");
  tell(wrong.apart, "a vertex is apart from the smallest vertex of its component");
}

void add_sections(report& result, const cc_flags& flags, const cc_findings& found) {
  add_graph_sections(result, found);
  if (flags.common.verify) {
    const auto wrong = found.found();
    result.section("wrong_labels", {{"joined", wrong.joined}, {"apart", wrong.apart}});
  }
  if (result.wrong()) return;
  const auto& sizes = found.sizes;
  result.section("components", sizes.components);
  result.section("single_vertices", sizes.single_vertices);
  result.section("components_by_power_of_two", sizes.by_power);
  for (const auto& one : found.largest) {
    result.add_to_section("largest",
                          {{"smallest_vertex", one.smallest.input_id.value_or(one.smallest.id)},
                           {"name", one.smallest.text},
                           {"vertices", one.vertices}});
  }
}

void describe_components(report& result, const cc_flags& flags, const cc_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  add_sections(result, flags, found);
  add_graph_lines(result, found, flags.name());
  if (result.wrong()) {
    add_wrong_lines(result, found);
    return;
  }
  result.line(components_line(found));
  add_largest_lines(result, found);
  add_size_lines(result, found);
}

}  // namespace

// ---- The command.

cc_command::cc_command(cc_flags& flags, const settings& options)
    : graph_kernel("cc", flags, options), flags_(flags), output_(flags) {
  flags.files.form.without_weights = true;
}

void cc_command::describe() { describe_components(result(), flags_, findings_); }

void cc_command::check_memory(graph_size size) {
  const bool verify = flags_.common.verify;
  const load_demand demand = demand_to_load(flags_, size, true, pes(), verify);
  check_memory_for(flags_, options(),
                   {"finding components of", size, pes(),
                    bytes_to_label(demand, verify, bytes_of_algorithm(demand)),
                    bytes_of_graph(demand).stored});
}

task<> cc_command::look_at(const graph_input& input) {
  output_.check_names(input.named_by_edges(flags_) && !input.names.are_ids());
  co_return;
}

void cc_command::check_before_start() {
  check_graph_flags(flags_);
  if (flags_.generated()) {
    check_memory({flags_.random.vertices(), flags_.random.edges()});
  } else {
    check_memory_to_load(flags_, options(), true, pes(), flags_.common.verify);
  }
}

void cc_command::add_parameters() {
  graph_kernel::add_parameters();
  if (flags_.common.measures) result().parameter("algorithm", algorithm());
}

// The same graph, on as many cores.
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
    "\nLabels each vertex with the smallest vertex of its component: links each vertex with one\n"
    "neighbour, or two, takes a sample to find the largest component, and looks at the other\n"
    "neighbours of vertices outside of it only (Afforest: Sutton, Ben-Nun, Barak 2018). The rate\n"
    "is the number of edges of the input by the time of a trial.\n\n"
    "  atoll bench cc --scale 20 --pes 2 --verify --compare";

constexpr const char* k_bench_details = "\n  --compare             runs the limit between the "
                                        "trials: Afforest in shared memory on the\n"
                                        "                        same graph";

void add_command_of(CLI::App& parent, command_context& context, bool measures) {
  const auto flags = std::make_shared<cc_flags>();
  flags->common.measures = measures;
  const auto action = [&context, flags] { return cc_command(*flags, context.settings).run(); };
  auto& command =
      add_command(parent, context, "cc",
                  measures ? "Connected components of a random graph or a file"
                           : "Connected components: which vertices a path leads between",
                  action);
  add_cc_flags(command, context, *flags);
  add_explanation(command, context, measures ? k_bench_text : k_answer_text,
                  measures ? k_bench_details : k_answer_details);
}

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

void add_cc(CLI::App& root, command_context& context) { add_command_of(root, context, false); }
void add_bench_cc(CLI::App& bench, command_context& context) {
  add_command_of(bench, context, true);
}

}  // namespace atl::app
