// `atoll mst` and `atoll bench mst`

#include "app/command.hpp"
#include "app/driver/forms.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "app/input_flags.hpp"
#include "atoll/collectives.hpp"
#include "atoll/graph/io/write_edges.hpp"
#include "atoll/kernels/mst/agreement.hpp"
#include "atoll/kernels/mst/find.hpp"
#include "atoll/kernels/mst/validation.hpp"
#include "atoll/kernels/mst/weights.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace atl::app {
namespace {

namespace mst = kernels::mst;

// ---- What was asked for, and what was found.

struct mst_flags : graph_flags {
  std::shared_ptr<forest_form> form;
  bool hashed_weights = false;  ///< whether the file has weights or not
};

struct mst_findings : graph_findings {
  std::vector<mst::run_outcome> trials;                  ///< timed ones
  std::optional<mst::forest_check<std::int64_t>> check;  ///< with --verify
  bool weights_of_file = false;
  std::uint64_t bytes_peak = 0;  ///< of all processes, as the system counts them

  /// All trials have found the same weight and number of edges, and those of the check.
  bool right() const { return fault_text().empty(); }

  /// What is wrong first, in one sentence; empty when all is right.
  std::string fault_text() const { return mst::disagreement(trials, check); }
};

// ---- Memory.

// The most bytes all PEs together hold at a time, beside the edges of a file.
template <class Word>
double bytes_of_forest(graph_size size, double pes, bool verify) {
  const auto edges = static_cast<double>(size.edges);
  const auto vertices = static_cast<double>(size.vertices);
  constexpr double raw = sizeof(mst::raw_edge<Word>), record = sizeof(mst::edge_record<Word>);
  // Edges between two PEs stand on both; so all may. Sorted by way of a copy, beside the input.
  const double copies = pes > 1 ? 2 : 1;
  const double distributing = copies * edges * raw * 2;
  const double merging = copies * edges * record * 2;
  const double tables = copies * vertices * 4 * sizeof(Word);
  constexpr double buffers = 3;  // what others read, what they put here, and what is read of them
  const double verifying = verify ? edges * (raw + 5 * 24) : 0;
  return edges * raw + std::max({distributing, merging + tables, verifying}) +
         pes * buffers * static_cast<double>(mst::usual_exchange_bytes(size.edges, pes));
}

// ---- The file of --output.

/// The edges of the forest with their weights.
class mst_output : public result_output {
 public:
  /// Without --output, does nothing in the end. Throws `error` (input) if the file cannot be
  /// written, or is one that is read.
  explicit mst_output(const mst_flags& flags);

  bool wanted() const override { return writer_.has_value(); }
  const std::string& path() const override { return path_; }

  /// Throws `error` (environment).
  void write(edge of, std::int64_t weight);

  void commit() override;

 private:
  std::string path_;
  std::optional<edge_writer> writer_;
};

mst_output::mst_output(const mst_flags& flags) : path_(flags.output) {
  if (flags.output.empty()) return;
  for_output([&] {
    (void)file_format_of(flags.output);
    if (is_on_other_rank()) return;
    refuse_to_replace(flags.output, flags.files.edges, "edges");
    refuse_to_replace(flags.output, flags.files.names, "names");
    writer_.emplace(flags.output);
  });
}

void mst_output::write(edge of, std::int64_t weight) {
  for_output([&] { writer_->write(of, weight); });
}

void mst_output::commit() {
  if (wanted()) for_output([&] { writer_->commit(); });
}

// ---- The job.

/// Finding the forest of a graph whose size and weights are known. One instance for each width.
template <class Word>
class mst_trials {
 public:
  mst_trials(const graph_input& input, mst::weight_range weights, const mst_flags& flags,
             trial_series& trials, mst_output& output, mst_findings& findings)
      : input_(input),
        weights_(weights),
        flags_(flags),
        trials_(trials),
        output_(output),
        findings_(findings) {}

  /// Does everything. Once.
  task<> run() {
    parts_ = co_await per_pe<mst::forest_part<Word>>::make();
    memory_ =
        co_await mst::one_sided_memory::make(mst::usual_exchange_bytes(input_.size.edges, pes()));
    co_await take_input();
    while (trials_.begin()) trials_.end(co_await trial());
    findings_.id_bits = 8 * sizeof(Word);
    const auto add_peaks = []() -> task<std::uint64_t> {
      co_return co_await all_reduce(peak_of_own_process(), std::plus<>());
    };
    findings_.bytes_peak = co_await from_all_pes(add_peaks);
    if (flags_.common.verify) co_await verify();
    if (output_.wanted() && findings_.right()) co_await write();
    co_await memory_.destroy();
    co_await parts_.destroy();
  }

 private:
  task<> take_input();
  task<measurements> trial();
  task<> verify();
  task<> write();

  const graph_input& input_;
  const mst::weight_range weights_;
  const mst_flags& flags_;
  trial_series& trials_;
  mst_output& output_;
  mst_findings& findings_;
  per_pe<mst::forest_part<Word>> parts_;
  mst::one_sided_memory memory_;
};

/// Runs `body(edges, weight)` with what this PE has of the input. Every PE calls it.
template <class EdgesOfPe, class Body>
auto with_weights(const EdgesOfPe& edges_of_pe, per_pe<stored_edges> stored, bool hashed,
                  std::uint64_t seed, Body body) {
  const auto edges = edges_of_pe();
  if (!hashed) return body(edges, mst::stored_weights(stored.local()));
  return body(edges, mst::hashed_weights(seed));
}

template <class Word>
task<> mst_trials<Word>::take_input() {
  trials_.show("weighing the edges");
  const auto take = [parts = parts_, edges = input_.edges_of_pe(flags_), stored = input_.edges,
                     hashed = !findings_.weights_of_file, seed = flags_.random.seed,
                     lightest = weights_.lightest]() {
    with_weights(edges, stored, hashed, seed, [&](const auto& of_pe, const auto& weight) {
      parts->input = mst::raw_edges<Word>(of_pe, weight, lightest);
    });
  };
  co_await on_all_pes(take);
  if (!flags_.common.verify) co_await input_.forget_edges();
}

template <class Word>
task<measurements> mst_trials<Word>::trial() {
  const mst::forest_facts known{input_.size.vertices, weights_.lightest,
                                flags_.common.verify || output_.wanted()};
  const mst::run_outcome outcome = co_await flags_.form->run(parts_, known, memory_);
  if (!trials_.warming_up()) findings_.trials.push_back(outcome);
  measurements measured;
  measured.emplace_back("rate", "edges/s",
                        static_cast<double>(findings_.size.edges) / outcome.seconds);
  measured.emplace_back("seconds", "s", outcome.seconds);
  measured.emplace_back("weight", "", static_cast<double>(outcome.weight.value()));
  co_return measured;
}

using weighted_edges = std::vector<mst::plain_edge<std::int64_t>>;

/// What `of_pe()`, a coroutine, gives on each PE, all of it on this one.
template <class OfPe>
task<weighted_edges> gathered_edges(OfPe of_pe) {
  const auto gather = [of_pe,
                       here = my_pe()]() -> task<received_parts<mst::plain_edge<std::int64_t>>> {
    const weighted_edges mine = co_await of_pe();
    co_return co_await all_gather_to(here, std::span<const mst::plain_edge<std::int64_t>>(mine));
  };
  weighted_edges all;
  const auto of_all = co_await from_all_pes(gather);
  for (const auto& mine : of_all) all.insert(all.end(), mine.begin(), mine.end());
  co_return all;
}

/// The forest of the last trial, in the order of the ends of its edges.
template <class Word>
task<weighted_edges> forest_of(per_pe<mst::forest_part<Word>> parts, std::int64_t lightest,
                               std::uint64_t exchange_bytes) {
  const auto memory = co_await mst::one_sided_memory::make(exchange_bytes);
  const auto of_pe = [parts, memory, lightest]() -> task<weighted_edges> {
    mst::one_sided_exchange others(memory, 1);
    const auto found = co_await mst::all_forest_edges(parts->mine, parts->numbered, others);
    weighted_edges mine;
    for (const auto& each : found) {
      const std::uint64_t weight = each.weight + static_cast<std::uint64_t>(lightest);
      mine.push_back({each.u, each.v, static_cast<std::int64_t>(weight)});
    }
    co_return mine;
  };
  auto edges = co_await gathered_edges(of_pe);
  co_await memory.destroy();
  co_return edges;
}

/// Against the edges as they were read or made, not as the run took them.
template <class Word>
task<> mst_trials<Word>::verify() {
  trials_.show("finding the forest again by Kruskal's algorithm");
  const auto of_pe = [edges = input_.edges_of_pe(flags_), stored = input_.edges,
                      hashed = !findings_.weights_of_file,
                      seed = flags_.random.seed]() -> task<weighted_edges> {
    weighted_edges mine;
    with_weights(edges, stored, hashed, seed, [&](const auto& of_input, const auto& weight) {
      for (std::uint64_t i = 0; i < of_input.size(); ++i) {
        const edge each = of_input(i);
        mine.push_back({each.from, each.to, weight(i, each)});
      }
    });
    co_return mine;
  };
  const auto input = co_await gathered_edges(of_pe);
  const auto forest = co_await forest_of(parts_, weights_.lightest,
                                         mst::usual_exchange_bytes(input_.size.edges, pes()));
  findings_.check = mst::check_forest(input, forest);
}

template <class Word>
task<> mst_trials<Word>::write() {
  const auto forest = co_await forest_of(parts_, weights_.lightest,
                                         mst::usual_exchange_bytes(input_.size.edges, pes()));
  for (const auto& each : forest) output_.write({each.u, each.v}, each.weight);
}

// ---- What people and programs read.

void add_phases(report& result, const mst::run_outcome& last) {
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
                          grouped_digits(found.trials.back().edges),
                          plural(found.size.edges, "edge"), kind_of_weights(found)));
}

void say_if_weights_are_lost(report& result, const mst_flags& flags) {
  if (!flags.output.empty() &&
      traits_of(file_format_of(flags.output).edges).weights == weight_place::none)
    result.line(fmt::format("note: {} gets no weights, for which its format has no place; a .wel "
                            "has",
                            flags.output));
}

void describe_forest(report& result, const mst_flags& flags, const mst_findings& found) {
  if (!flags.generated())
    result.add({result.is_answer() ? "read_seconds" : "seconds_to_read", "s", found.read_seconds});
  const auto& last = found.trials.back();
  const std::uint64_t components = found.size.vertices - last.forest_edges;
  result.section("graph", {{"vertices", found.size.vertices},
                           {"input_edges", found.size.edges},
                           {"edges_left", last.edges},
                           {"id_bits", std::uint64_t{found.id_bits}},
                           {"weights", found.weights_of_file ? "file" : "hash"}});
  result.section("forest_edges", last.forest_edges);
  result.section("components", components);
  result.section("iterations", last.iterations);
  add_size_line(result, flags, found);
  add_columns_left_out(result, found);
  add_remarks(result, found.remarks);
  if (result.wrong()) {
    result.line(found.fault_text());
    return;
  }
  const auto weight = fmt::to_string(last.weight.value());
  result.section("forest_weight", weight);
  say_if_weights_are_lost(result, flags);
  if (result.is_answer()) {
    result.line(fmt::format("minimum spanning forest: weight {}, {}, {}", weight,
                            plural(last.forest_edges, "edge"), plural(components, "tree")));
  } else {
    result.line(fmt::format("weight {}, {}, {}", weight, plural(last.forest_edges, "edge"),
                            plural(components, "component")));
    add_phases(result, last);
  }
  // Every edge of the input, loops and duplicates too, is two arcs of the symmetrised graph.
  const double arcs = 2 * static_cast<double>(found.size.edges);
  const auto peak = static_cast<double>(found.bytes_peak);
  result.section("bytes_peak", found.bytes_peak);
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

std::vector<compared_program> mst_programs(const mst_flags& flags, std::uint64_t pes) {
  const words graph = graph_words(flags.random);
  const words all =
      joined(joined(graph, {"--processes", std::to_string(pes)}), flags.form->words_for_peers());
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

class mst_command : public graph_kernel {
 public:
  mst_command(mst_flags& flags, const settings& options)
      : graph_kernel("mst", flags, without_stalls(options)), flags_(flags), output_(flags) {
    flags.files.form.without_weights |= flags.hashed_weights;
  }

 private:
  /// Between exchanges every PE computes alone, and nobody waits for a message of it.
  static settings without_stalls(settings options) {
    options.stall_time = 0;
    return options;
  }

  void check_before_start() override {
    check_graph_flags(flags_);
    graph_size size{flags_.random.vertices(), flags_.random.edges()};
    if (!flags_.generated()) size = guess_graph(flags_.files.edges, options_of(flags_.files)).size;
    if (flags_.files.compact) size.vertices = 0;  // nobody knows how many ids occur
    check_memory(size);
  }

  void add_parameters() override {
    graph_kernel::add_parameters();
    if (flags_.common.measures) flags_.form->add_parameters(result());
  }

  std::vector<compared_program> programs() override {
    if (flags_.generated()) return mst_programs(flags_, pes());
    if (flags_.common.compare)
      result().line("limit and peers are left out: they take generated graphs");
    return {};
  }

  result_output& output() override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "joining"; }
  bool right() const override { return findings_.right(); }
  void describe() override { describe_forest(result(), flags_, findings_); }
  void check_memory(graph_size size) override;
  task<> look_at(const graph_input& input) override;
  task<mst::weight_range> find_weights(const graph_input& input);
  task<> compute(const graph_input& input, bool narrow) override;

  const mst_flags& flags_;
  mst_output output_;
  mst_findings findings_;
};

void mst_command::check_memory(graph_size size) {
  const bool narrow = id_bytes_for(flags_, std::max(size.vertices, size.edges)) == 4;
  const auto all = static_cast<double>(pes());
  const bool verify = flags_.common.verify;
  const double bytes = narrow ? bytes_of_forest<std::uint32_t>(size, all, verify)
                              : bytes_of_forest<std::uint64_t>(size, all, verify);
  const double stored = bytes_of_graph(demand_to_load(flags_, size, true, pes(), true)).stored;
  check_memory_for(flags_, options(),
                   {"finding the forest of", size, pes(), bytes + stored, stored});
}

task<> mst_command::look_at(const graph_input& input) {
  if (output_.wanted() && input.names.any())
    fail(errc::input,
         "--output: {}: the vertices of {} have names, and edges are written "
         "between numbers",
         flags_.output, flags_.files.edges);
  co_return;
}

task<> mst_command::compute(const graph_input& input, bool narrow) {
  const mst::weight_range weights = co_await find_weights(input);
  const bool narrow_edges = id_bytes_for(flags_, input.size.edges) == sizeof(std::uint32_t);
  if (narrow && narrow_edges && weights.span() <= std::numeric_limits<std::uint32_t>::max()) {
    mst_trials<std::uint32_t> all(input, weights, flags_, trials(), output_, findings_);
    co_await all.run();
  } else {
    mst_trials<std::uint64_t> all(input, weights, flags_, trials(), output_, findings_);
    co_await all.run();
  }
}

/// A file has weights on all PEs that have a part of it, or on none.
task<mst::weight_range> mst_command::find_weights(const graph_input& input) {
  const auto& fault = input.edges->weights_fault;
  if (fault && !flags_.hashed_weights)
    fail(errc::input, "{}; with --hashed-weights others take its place", fault->what());
  const auto has_weights = [stored = input.edges]() -> task<bool> {
    const int any = stored->edges.weighted() ? 1 : 0;
    const int of_any = co_await all_reduce(any, [](int a, int b) { return a | b; });
    co_return of_any != 0;
  };
  const bool of_file = co_await from_all_pes(has_weights);
  findings_.weights_of_file = of_file && !flags_.hashed_weights;
  if (!findings_.weights_of_file && !flags_.hashed_weights && !flags_.generated() &&
      input.size.edges > 0)
    fail(errc::input,
         "{}: its edges have no weights: --weights names their column in a text, and "
         "--hashed-weights takes a hash of the ends of each edge",
         flags_.files.edges);
  const auto look = [edges = input.edges_of_pe(flags_), stored = input.edges,
                     hashed = !findings_.weights_of_file,
                     seed = flags_.random.seed]() -> task<mst::weight_range> {
    const auto mine =
        with_weights(edges, stored, hashed, seed, [](const auto& of_pe, const auto& weight) {
          return mst::range_of(of_pe, weight);
        });
    co_return co_await all_reduce(mine, &mst::weight_range::of_both);
  };
  co_return co_await from_all_pes(look);
}

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
    "  --output FILE         gets the edges of the forest, by their smaller and then their larger\n"
    "                        end, with their weights where the file is a .wel";

/// Of the benchmark in this form.
std::string bench_text(const forest_form& form) {
  return fmt::format(
      "\nThe rate is the number of edges of the input by the time from the edges in memory to the\n"
      "forest. A random graph has weights by a hash of the two ends of each edge and --seed.\n\n"
      "  {} mst --scale 18 --pes 2 --verify --compare",
      form.program());
}

std::string bench_details(const forest_form& form) {
  return "\n" + form.details() +
         "  --compare  runs beside it, in turn and on the same edges: the limit, Kruskal's "
         "algorithm\n"
         "             with a radix sort on one core; by as many processes the same algorithm by\n"
         "             messages of openmpi and mpich, by their one-sided operations (openmpi_rma,\n"
         "             mpich_rma), and by shmem.h on Atoll (shmem) and on Open MPI (openshmem)";
}

void add_command_of(CLI::App& parent, command_context& context, bool measures,
                    std::shared_ptr<forest_form> form) {
  const auto flags = std::make_shared<mst_flags>();
  flags->common.measures = measures;
  flags->form = std::move(form);
  const auto action = [&context, flags] { return mst_command(*flags, context.settings).run(); };
  auto& command =
      add_command(parent, context, "mst",
                  measures ? "Minimum spanning forest of a random graph or a file"
                           : "Minimum spanning forest: the lightest edges that join everything",
                  action);
  add_graph_flags(command, *flags);
  add_weights_flag(command, flags->files, "Graph");
  add_switch(command, "--hashed-weights", flags->hashed_weights,
             "Weights by hash, whether the file has some or not")
      .under("Graph");
  if (measures) flags->form->add_flags(command);
  add_text_flag(command, "-o,--output", "FILE", flags->output,
                "Write the edges of the forest: .wel with weights, .el, .tsv, .txt or .csv, also "
                "as .gz or .zst")
      .under("Output");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, context, measures ? bench_text(*flags->form) : k_answer_text,
                  measures ? bench_details(*flags->form) : k_answer_details);
}

// ---- The form.

/// In the best ways that are known, by one-sided access.
class forest_by_memory : public forest_form {
 public:
  std::string details() const override {
    return "Each PE drops those of its edges that close a cycle of lighter ones. Where little is "
           "left,\nPE 0 ends it; else each PE joins the components of a range of vertices as far "
           "as it can\nalone, tells its neighbours their new names, moves some of them along a "
           "ring of PEs, and\nhands over to PE 0 in the end (Panja, Vadhiyar 2018).\n";
  }
  void add_parameters(report& result) const override {
    result.parameter("algorithm", "mnd");
    result.parameter("exchange", "one-sided");
  }
  task<outcome> run(parts32 parts, const mst::forest_facts& known,
                    const mst::one_sided_memory& memory) const override {
    return found(parts, known, memory);
  }
  task<outcome> run(parts64 parts, const mst::forest_facts& known,
                    const mst::one_sided_memory& memory) const override {
    return found(parts, known, memory);
  }

 private:
  static constexpr int k_chunks = 8;  // of a list that is fetched

  template <class Word>
  static task<outcome> found(per_pe<mst::forest_part<Word>> parts, mst::forest_facts known,
                             mst::one_sided_memory memory) {
    return from_all_pes([=] {
      auto& here = parts.local();
      return mst::all_run_on(here, here.by(memory, k_chunks), mst::parameters(), known);
    });
  }
};

}  // namespace

void add_mst_benchmark(CLI::App& parent, command_context& context,
                       std::shared_ptr<forest_form> form) {
  add_command_of(parent, context, true, std::move(form));
}

void add_mst(CLI::App& root, command_context& context) {
  add_command_of(root, context, false, std::make_shared<forest_by_memory>());
}
void add_bench_mst(CLI::App& bench, command_context& context) {
  add_mst_benchmark(bench, context, std::make_shared<forest_by_memory>());
}

}  // namespace atl::app
