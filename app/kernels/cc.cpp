// `atoll cc` and `atoll bench cc`

#include "app/command.hpp"
#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "atoll/collectives.hpp"
#include "atoll/kernels/cc/meetings.hpp"
#include "atoll/kernels/cc/run.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace atl::app {
namespace {

namespace cc = kernels::cc;

// ---- What was asked for, and what was found.

struct cc_flags : graph_flags {
  std::optional<cc::set_form> set;  ///< by traversals and a set in this form
  std::uint64_t traversals = 64;    ///< that begin at random vertices of each PE
  std::uint64_t largest = 5;        ///< components that are shown one by one
};

/// The forms as the user names them, in the order of `set_form`.
const std::vector<std::string> k_set_forms = {"delegates", "simple", "combining", "tuned"};

struct shown_component {
  shown_vertex smallest;
  std::uint64_t vertices = 0;
};

struct cc_findings : graph_findings {
  std::vector<cc::run_outcome> trials;  ///< timed ones
  cc::component_sizes sizes;
  std::vector<shown_component> largest;

  bool right() const { return found().total() == 0; }

  /// The labels of all trials that are wrong.
  cc::wrong_labels found() const {
    cc::wrong_labels sum;
    for (const auto& trial : trials) sum = sum + trial.found;
    return sum;
  }
};

// ---- Memory.

// The most bytes all PEs together hold at a time.
double bytes_to_label(const cc_flags& flags, double workers, const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const bytes_of_graph graph(demand);
  // Labels, and what becomes of them: vertices with a parent elsewhere in a list that grows,
  // questions and answers; afterwards sizes.
  const double labels = vertices * id * (1 + 3 + 2 * k_gathered_copies);
  // Roots; vertices that are claimed and not yet looked at, in lists that grow; a few pairs of
  // roots that met, beside those in the set, of which nobody knows how many there will be.
  constexpr double claimed = 24, few = 64;
  const double claims =
      flags.set ? vertices * (id + 1.5 * claimed) + pes * few * workers * 2 * id : 0;
  // Sets of all vertices on PE 0, which deals out the labels.
  const double expecting =
      flags.common.verify ? graph.stored + vertices * id * (2 + k_gathered_copies) : 0;
  return std::max({graph.building, graph.built + labels + claims + expecting});
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

/// Building and labelling a graph whose size is known. One instance for each width of ids.
template <class Id>
class cc_trials {
 public:
  cc_trials(const graph_input& input, const cc_flags& flags, trial_series& trials,
            vertex_output& output, cc_findings& findings)
      : input_(input), flags_(flags), trials_(trials), output_(output), findings_(findings) {}

  /// Does everything. Once.
  task<> run() {
    co_await build();
    while (trials_.begin()) trials_.end(co_await trial());
    const auto scanned_edges = [on = on_] { return on.forests->scanned_edges; };
    co_await gather_facts(graph_, scanned_edges, findings_);
    co_await count_components();
    if (output_.wanted() && findings_.right()) co_await write_labels(on_, input_.names, output_);
    co_await on_.destroy();
    co_await graph_.destroy();
  }

 private:
  task<> build();
  task<measurements> trial();
  task<> count_components();

  const graph_input& input_;
  const cc_flags& flags_;
  trial_series& trials_;
  vertex_output& output_;
  cc_findings& findings_;
  distributed_graph<Id> graph_;
  cc::workspace<Id> on_;
};

template <class Id>
task<> cc_trials<Id>::build() {
  const bool last = !flags_.common.verify;
  graph_ =
      co_await build_graph<Id>(input_, flags_, orientation::undirected, last, trials_, findings_);
  on_ = co_await cc::workspace<Id>::make(graph_, flags_.set);
  if (on_.by_set) {
    on_.by_set->seed = flags_.random.seed;
    on_.by_set->traversals = flags_.traversals;
  }
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
task<measurements> cc_trials<Id>::trial() {
  const bool verify = flags_.common.verify && !trials_.warming_up();
  const auto label = [on = on_, verify] { return cc::all_run(on, verify); };
  const cc::run_outcome outcome = co_await from_all_pes(label);
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

// ---- What people and programs read.

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

void add_set_line(report& result, const cc_findings& found) {
  const auto& set = found.trials.back().set;
  result.line(fmt::format("{} tried {}, {} of them sent to other PEs; {} met",
                          plural(set.traversals, "traversal"), plural(set.inserts_tried, "insert"),
                          grouped_digits(set.inserts_sent), plural(set.pairs, "different pair")));
}

void add_sections(report& result, const cc_flags& flags, const cc_findings& found) {
  add_graph_sections(result, found);
  if (flags.set) {
    const auto& set = found.trials.back().set;
    result.section("set", {{"traversals", set.traversals},
                           {"inserts_tried", set.inserts_tried},
                           {"inserts_sent", set.inserts_sent},
                           {"unique", set.pairs}});
  }
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
  if (flags.set) add_set_line(result, found);
  add_largest_lines(result, found);
  add_size_lines(result, found);
}

// ---- The command.

const std::vector<std::string> k_algorithms = {"afforest", "traversals"};

class cc_command : public graph_kernel {
 public:
  cc_command(cc_flags& flags, const settings& options)
      : graph_kernel("cc", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights = true;
  }

 private:
  void check_before_start() override;
  void add_parameters() override;
  std::vector<compared_program> programs() override;
  result_output& output() override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "labelling"; }
  bool right() const override { return findings_.right(); }
  void describe() override { describe_components(result(), flags_, findings_); }

  void check_memory(graph_size size) override {
    const load_demand demand = demand_to_load(flags_, size, true, pes(), flags_.common.verify);
    const auto workers = static_cast<double>(options().workers);
    check_memory_for(flags_, options(),
                     {"finding components of", size, pes(), bytes_to_label(flags_, workers, demand),
                      bytes_of_graph(demand).stored});
  }

  task<> look_at(const graph_input& input) override {
    output_.check_names(input.named_by_edges(flags_) && !input.names.are_ids());
    co_return;
  }

  task<> compute(const graph_input& input, bool narrow) override {
    if (narrow) {
      cc_trials<std::uint32_t> all(input, flags_, trials(), output_, findings_);
      co_await all.run();
    } else {
      cc_trials<std::uint64_t> all(input, flags_, trials(), output_, findings_);
      co_await all.run();
    }
  }

  const cc_flags& flags_;
  vertex_output output_;
  cc_findings findings_;
};

void cc_command::check_before_start() {
  if (!flags_.set && flags_.traversals != cc_flags().traversals)
    fail(errc::input, "--traversals: {} has no effect without --set or --algorithm traversals",
         flags_.traversals);
  check_graph_flags(flags_);
  if (flags_.generated()) {
    check_memory({flags_.random.vertices(), flags_.random.edges()});
  } else {
    check_memory_to_load(flags_, options(), true, pes(), flags_.common.verify);
  }
}

void cc_command::add_parameters() {
  graph_kernel::add_parameters();
  if (flags_.common.measures) result().parameter("algorithm", k_algorithms[flags_.set ? 1 : 0]);
  if (flags_.set) {
    result().parameter("set", k_set_forms[static_cast<std::size_t>(*flags_.set)]);
    result().parameter("traversals", flags_.traversals);
  }
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

void add_algorithm_flags(CLI::App& command, cc_flags& flags) {
  using cc::set_form;
  const auto take_algorithm = [&flags](std::size_t chosen) {
    if (chosen == 1) flags.set = set_form::combining;
  };
  const auto algorithm =
      add_word_flag(command, "--algorithm", k_algorithms, take_algorithm, "How they are found")
          .with_default("afforest")
          .under("Components");
  const auto take_set = [&flags](std::size_t form) { flags.set = static_cast<set_form>(form); };
  add_word_flag(command, "--set", k_set_forms, take_set, "By traversals, with a set in this form")
      .excludes(algorithm)
      .under("Components");
  constexpr std::uint64_t most_traversals = 1'000'000;
  add_count_flag(command, "--traversals", flags.traversals, 1, most_traversals,
                 "Traversals that begin at random vertices of each PE")
      .under("Components");
}

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
    "\n  --algorithm afforest  links each vertex with one neighbour, or two, takes a sample to "
    "find\n"
    "                        the largest component, and looks at the other neighbours of vertices\n"
    "                        outside of it only (Sutton, Ben-Nun, Barak 2018)\n"
    "  --algorithm traversals  claims vertices by many traversals at once; where two meet, their\n"
    "                        pair goes into a global set, whose components are found then (Holt "
    "and\n"
    "                        others 2013). --set says how pairs get there:\n"
    "    --set simple        each insert travels alone to the owner of its pair, and waits\n"
    "    --set combining     those of a PE travel together, equal ones once; each waits\n"
    "    --set tuned         each PE gathers a set of its own; they are merged in the end\n"
    "    --set delegates     no global set: each insert is a delegate to the owner's own table\n"
    "  --compare             runs the limit between the trials: Afforest in shared memory on the\n"
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
  if (measures) add_algorithm_flags(command, *flags);
  constexpr std::uint64_t most_shown = 1000;
  add_count_flag(command, "--largest", flags->largest, 0, most_shown,
                 "Show the N largest one by one")
      .under("Components");
  add_graph_flags(command, *flags);
  add_output_flag(command, *flags, "Write the label of each vertex");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, context, measures ? k_bench_text : k_answer_text,
                  measures ? k_bench_details : k_answer_details);
}

}  // namespace

void add_cc(CLI::App& root, command_context& context) { add_command_of(root, context, false); }
void add_bench_cc(CLI::App& bench, command_context& context) {
  add_command_of(bench, context, true);
}

}  // namespace atl::app
