// `atoll mst` and `atoll bench mst`

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "app/input_flags.hpp"
#include "atoll/collectives.hpp"
#include "atoll/graph/io/write_edges.hpp"
#include "atoll/kernels/mst/agreement.hpp"
#include "atoll/kernels/mst/build.hpp"
#include "atoll/kernels/mst/find.hpp"
#include "atoll/kernels/mst/mnd.hpp"
#include "atoll/kernels/mst/one_sided.hpp"
#include "atoll/kernels/mst/run.hpp"
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

using mst::local_method;
using mst::post_processing;
using mst::progress_test;

// ---- What was asked for, and what was found.

/// How PEs talk to each other.
enum class mst_exchange : std::uint8_t { one_sided, two_sided };

struct mst_flags : graph_flags {
  mst::parameters how;
  mst_exchange exchange = mst_exchange::one_sided;
  std::uint64_t group = 4;
  std::uint64_t chunks = 8;
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

/// What a PE has from one trial to the next.
template <class Word>
struct forest_part {
  huge_vector<mst::raw_edge<Word>> input;
  mst::part<Word> mine;
  mst::numbered_edges<Word> numbered;
  std::optional<mst::one_sided_exchange> by_memory;
};

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
    parts_ = co_await per_pe<forest_part<Word>>::make();
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
  per_pe<forest_part<Word>> parts_;
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

/// What the runs of all PEs need to know, as it travels.
struct forest_run {
  mst::parameters how;
  mst_exchange exchange;
  int chunks;
  bool keeps_numbers;
  std::uint64_t vertices;
  std::int64_t lightest;
};

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

template <class Word, class Exchange>
task<mst::run_outcome> all_try(per_pe<forest_part<Word>> parts, const forest_run& wanted,
                               Exchange& others) {
  forest_part<Word>& here = parts.local();
  here.mine = {};
  here.numbered = {};
  co_return co_await mst::all_run(here.mine, others, wanted.how, here.input, wanted.vertices,
                                  wanted.lightest, wanted.keeps_numbers ? &here.numbered : nullptr);
}

/// Every PE calls it. By `memory` where the exchange is one-sided.
template <class Word>
task<mst::run_outcome> all_try(per_pe<forest_part<Word>> parts, const forest_run& wanted,
                               const mst::one_sided_memory& memory) {
  if (wanted.exchange == mst_exchange::two_sided) {
    mst::two_sided_exchange others(wanted.chunks);
    co_return co_await all_try(parts, wanted, others);
  }
  auto& others = parts->by_memory;
  if (!others) others.emplace(memory, wanted.chunks);
  co_return co_await all_try(parts, wanted, *others);
}

template <class Word>
task<measurements> mst_trials<Word>::trial() {
  const forest_run wanted{flags_.how,
                          flags_.exchange,
                          static_cast<int>(flags_.chunks),
                          flags_.common.verify || output_.wanted(),
                          input_.size.vertices,
                          weights_.lightest};
  const auto find = [parts = parts_, wanted, memory = memory_]() -> task<mst::run_outcome> {
    co_return co_await all_try(parts, wanted, memory);
  };
  const mst::run_outcome outcome = co_await from_all_pes(find);
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
task<weighted_edges> forest_of(per_pe<forest_part<Word>> parts, std::int64_t lightest,
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

std::string weights_text(const mst_findings& found) {
  if (found.size.edges == 0) return "none";
  if (!found.weights_of_file) return "by hash";
  if (found.weight_column == 0) return "of the file";
  return fmt::format("of the file, column {}", found.weight_column);
}

void add_size_line(report& result, const mst_flags& flags, const mst_findings& found) {
  if (result.is_answer()) {
    result.line(fmt::format("{}: {}, {}, weights {}", flags.name(),
                            vertices_text(found.size.vertices), plural(found.size.edges, "edge"),
                            weights_text(found)));
    return;
  }
  result.line(fmt::format("{}, {} of {} left after duplicates and filter, weights {}",
                          vertices_text(found.size.vertices),
                          grouped_digits(found.trials.back().edges),
                          plural(found.size.edges, "edge"), weights_text(found)));
}

void add_mst_parameters(report& result, const mst_flags& flags) {
  const auto& how = flags.how;
  result.parameter("algorithm", "mnd");
  result.parameter("exchange",
                   flags.exchange == mst_exchange::one_sided ? "one-sided" : "two-sided");
  result.parameter("post", how.post == post_processing::single ? "single" : "leader");
  result.parameter("group", flags.group);
  result.parameter("filter", how.filter);
  result.parameter("filter_finish", how.filter_finish);
  result.parameter("local", how.local == local_method::sorted ? "sorted" : "rounds");
  result.parameter("theta", how.theta);
  result.parameter("mst_threshold", how.mst_threshold);
  result.parameter("mst_test", how.test == progress_test::remaining ? "remaining" : "new");
  result.parameter("ring_fraction", how.ring_fraction);
  result.parameter("chunks", flags.chunks);
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
  if (found.columns_left_out > 0)
    result.line(fmt::format("left out: {} of the file", plural(found.columns_left_out, "column")));
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

words parameter_words(const mst_flags& flags, std::uint64_t pes) {
  const auto& how = flags.how;
  return {"--processes",     std::to_string(pes),
          "--theta",         fmt::format("{}", how.theta),
          "--mst-threshold", fmt::format("{}", how.mst_threshold),
          "--mst-test",      how.test == progress_test::remaining ? "remaining" : "new",
          "--ring-fraction", fmt::format("{}", how.ring_fraction),
          "--local",         how.local == local_method::sorted ? "sorted" : "rounds",
          "--filter",        how.filter ? "on" : "off",
          "--filter-finish", fmt::format("{}", how.filter_finish),
          "--post",          how.post == post_processing::single ? "single" : "leader",
          "--group",         std::to_string(flags.group),
          "--chunks",        std::to_string(flags.chunks)};
}

std::vector<compared_program> mst_programs(const mst_flags& flags, std::uint64_t pes) {
  const words graph = graph_words(flags.random);
  const words all = joined(graph, parameter_words(flags, pes));
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
    flags.how.group = static_cast<int>(flags.group);
  }

 private:
  /// Between exchanges every PE computes alone, and nobody waits for a message of it.
  static settings without_stalls(settings options) {
    options.stall_time = 0;
    return options;
  }

  void check_before_start() override {
    check_graph_flags(flags_);
    check_memory(flags_.generated()
                     ? graph_size{flags_.random.vertices(), flags_.random.edges()}
                     : guess_graph(flags_.files.edges, options_of(flags_.files)).size);
  }

  void add_parameters() override {
    graph_kernel::add_parameters();
    if (flags_.common.measures) add_mst_parameters(result(), flags_);
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

void add_exchange_flags(CLI::App& command, mst_flags& flags) {
  const auto take_exchange = [&flags](bool one_sided) {
    flags.exchange = one_sided ? mst_exchange::one_sided : mst_exchange::two_sided;
  };
  add_choice_flag(command, "--exchange", "one-sided", "two-sided", take_exchange,
                  "How PEs tell each other what they know")
      .with_default("one-sided")
      .under("Forest");
  constexpr std::uint64_t most_chunks = 1024;
  add_count_flag(command, "--chunks", flags.chunks, 1, most_chunks,
                 "A list is fetched in N pieces, each used while the next is on its way")
      .under(k_details_title);
}

/// Of what a PE does alone.
void add_local_flags(CLI::App& command, mst::parameters& how) {
  const auto take_local = [&how](bool sorted) {
    using mst::local_method;
    how.local = sorted ? local_method::sorted : local_method::rounds;
  };
  add_choice_flag(command, "--local", "sorted", "rounds", take_local,
                  "Joining within a PE: by edges in the order of their weights, or in rounds")
      .with_default("sorted")
      .under("Forest");
  const auto take_filter = [&how](bool on) { how.filter = on; };
  add_choice_flag(command, "--filter", "on", "off", take_filter,
                  "Each PE first drops those of its edges that close a cycle of lighter ones")
      .with_default("on")
      .under("Forest");
  constexpr double most_finish = 1e6;
  add_real_flag(
      command, "--filter-finish", how.filter_finish, 0, most_finish,
      "PE 0 ends it at once where no more is left than X times the edges a PE had; 0: never")
      .under(k_details_title);
}

void add_phase_flags(CLI::App& command, mst_flags& flags) {
  auto& how = flags.how;
  const auto take_algorithm = [](std::size_t) {};
  add_word_flag(command, "--algorithm", {"mnd"}, take_algorithm, "How the forest is found")
      .with_default("mnd")
      .under("Forest");
  add_real_flag(command, "--theta", how.theta, 0, 1,
                "Joining within a PE ends with a round that joins fewer, of all tree edges")
      .under(k_details_title);
  add_real_flag(command, "--mst-threshold", how.mst_threshold, 0, 1,
                "Fewer PEs go on when no more is left, of all tree edges")
      .under(k_details_title);
  const auto take_test = [&how](bool remaining) {
    how.test = remaining ? progress_test::remaining : progress_test::found;
  };
  add_choice_flag(command, "--mst-test", "remaining", "new", take_test,
                  "What is compared: edges that are missing, or those found last")
      .with_default("new")
      .under(k_details_title);
  add_real_flag(command, "--ring-fraction", how.ring_fraction, 0, 1,
                "So many of a PE's components move to the next one at most")
      .under(k_details_title);
  const auto take_post = [&how](bool single) {
    how.post = single ? post_processing::single : post_processing::leader;
  };
  add_choice_flag(command, "--post", "single", "leader", take_post,
                  "What is left goes to PE 0, or to one PE of each group")
      .with_default("single")
      .under(k_details_title);
  constexpr std::uint64_t largest_group = 1 << 20;
  add_count_flag(command, "--group", flags.group, 2, largest_group, "PEs of a group")
      .under(k_details_title);
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

constexpr const char* k_bench_text =
    "\nThe rate is the number of edges of the input by the time from the edges in memory to the\n"
    "forest. A random graph has weights by a hash of the two ends of each edge and --seed.\n\n"
    "  atoll bench mst --scale 18 --pes 2 --verify --compare";

constexpr const char* k_bench_details =
    "\n  --algorithm mnd       each PE joins the components of a range of vertices as far as it "
    "can\n"
    "                        alone, tells its neighbours their new names, moves some of them "
    "along\n"
    "                        a ring of PEs, and, when little is left, hands over to fewer PEs\n"
    "                        (Panja, Vadhiyar 2018)\n"
    "  --exchange one-sided  sizes are stored into memory of the others, lists are fetched\n"
    "  --exchange two-sided  the same lists by messages that both sides agree on\n"
    "  --compare             runs beside it, in turn and on the same edges: the limit, Kruskal's\n"
    "                        algorithm with a radix sort on one core; by as many processes the "
    "same\n"
    "                        algorithm by messages of openmpi and mpich, by their one-sided\n"
    "                        operations (openmpi_rma, mpich_rma), and by shmem.h on Atoll (shmem)\n"
    "                        and on Open MPI (openshmem)";

void add_command_of(CLI::App& parent, command_context& context, bool measures) {
  const auto flags = std::make_shared<mst_flags>();
  flags->common.measures = measures;
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
  if (measures) {
    add_phase_flags(command, *flags);
    add_local_flags(command, flags->how);
    add_exchange_flags(command, *flags);
  }
  add_text_flag(command, "-o,--output", "FILE", flags->output,
                "Write the edges of the forest: .wel with weights, .el, .tsv, .txt or .csv, also "
                "as .gz or .zst")
      .under("Output");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, context, measures ? k_bench_text : k_answer_text,
                  measures ? k_bench_details : k_answer_details);
}

}  // namespace

void add_mst(CLI::App& root, command_context& context) { add_command_of(root, context, false); }
void add_bench_mst(CLI::App& bench, command_context& context) {
  add_command_of(bench, context, true);
}

}  // namespace atl::app
