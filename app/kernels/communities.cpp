// Implements `atoll communities` and `atoll bench communities`.

#include "atoll/kernels/communities.hpp"
#include "app/command.hpp"
#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "app/flags.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace atl::app {
namespace {

struct communities_flags : graph_flags {
  communities_options with;
  bool directed = false;
  bool weighted = false;
  std::uint64_t largest = 5;  ///< number of communities that are shown
};

struct shown_community {
  shown_vertex smallest;
  std::uint64_t vertices = 0;
};

struct communities_findings : graph_findings {
  vertex_communities found;  ///< result of the last trial; its labels were already destroyed
  std::vector<shown_community> largest;
};

class communities_command : public library_kernel {
 public:
  communities_command(communities_flags& flags, const settings& options)
      : library_kernel("communities", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights |= !flags.weighted;
    flags.with.seed = this->options().seed;
  }

 private:
  void check_before_start() override;
  void add_parameters() override;
  std::vector<compared_program> programs() override { return {}; }
  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "grouping"; }
  bool may_divide_hubs() const override { return false; }
  void describe() override;

  void check_memory(graph_size size) override;
  graph_options building() const override;
  task<> look_at(graph_builder& read) override;
  task<> check_weights(const graph_builder& read);

  task<> compute(global_graph graph) override;
  task<measurements> trial(global_graph graph);
  task<> show_largest(global_graph graph);

  communities_flags& flags_;
  vertex_output output_;
  communities_findings findings_;
  vertex_communities last_;  // communities of the last trial
};

// The names of the measures in the enumeration `community_quality`, in the same order.
const std::vector<std::string> k_qualities = {"modularity", "cpm"};

// ---- Memory.

// Returns the peak memory in bytes of all PEs together.
double bytes_to_group(const communities_flags& flags, const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const auto input = static_cast<double>(demand.size.edges);
  const double arcs = input * 2;
  constexpr double real = 8;
  const bytes_of_graph graph(demand);
  const double weights = flags.weighted ? arcs * real : 0;
  // Every PE stores three numbers per vertex: the mass (see `level::mass`) of the vertex, of its
  // community and of its part. A part is a set of vertices that becomes one vertex of the next,
  // coarser graph. Every PE also stores four ids per vertex, which identify communities and parts.
  const double values = vertices * pes * (3 * real + 4 * id);
  // The next, coarser graph may have as many arcs as the input, and all its arcs have weights. For
  // a directed graph, PEs also store a copy of the input in which each arc leads both ways.
  const double copied = flags.directed ? arcs * (id + real) : 0;
  const double coarser = arcs * (id + real) + copied + weights;
  const double verifying = flags.common.verify ? input * 80 + arcs * 48 + vertices * 64 : 0;
  const double stored = demand.edges == file_edges::kept ? graph.stored : 0;
  return std::max(graph.building, stored + graph.built + std::max(values + coarser, verifying));
}

load_demand demand_of(const communities_flags& flags, graph_size size, std::uint64_t pes) {
  return demand_to_load(flags, size, !flags.directed, pes, flags.common.verify, flags.weighted);
}

// The functions below show the result as text and as JSON.

bool is_potts(const communities_flags& flags) {
  return flags.with.quality == community_quality::constant_potts;
}

std::string communities_line(const communities_flags& flags, const communities_findings& findings) {
  const auto& found = findings.found;
  const std::string text =
      found.count == 1 ? "1 community" : grouped_digits(found.count) + " communities";
  if (is_potts(flags))
    return fmt::format("{}; quality {:.6g} (CPM, resolution {:g}), modularity {:.6f}", text,
                       found.quality, flags.with.resolution, found.modularity);
  return fmt::format("{}; modularity {:.6f}{}", text, found.modularity,
                     flags.with.resolution == 1
                         ? ""
                         : fmt::format(" with resolution {:g}", flags.with.resolution));
}

void add_largest_lines(report& result, const communities_findings& found) {
  if (found.largest.empty()) return;
  result.line("");
  result.line("vertices of the largest communities, with the smallest vertex of each");
  for (const auto& one : found.largest) {
    const auto share = 100 * static_cast<double>(one.vertices) /
                       static_cast<double>(std::max<std::uint64_t>(1, found.size.vertices));
    result.line(fmt::format("{:>15} {:>9}  {}", grouped_digits(one.vertices),
                            fmt::format("({:.1f} %)", share), short_name(one.smallest.text)));
  }
}

void add_communities_sections(report& result, const communities_findings& findings) {
  add_graph_sections(result, findings);
  if (result.wrong()) return;
  const auto& found = findings.found;
  result.section("communities", found.count);
  result.section("modularity", found.modularity);
  result.section("quality", found.quality);
  result.section("iterations", found.iterations);
  result.section("levels", found.levels);
  for (const auto& one : findings.largest) {
    result.add_to_section("largest",
                          {{"smallest_vertex", one.smallest.input_id.value_or(one.smallest.id)},
                           {"name", one.smallest.text},
                           {"vertices", one.vertices}});
  }
}

}  // namespace

// ---- The command.

void communities_command::describe() {
  add_graph_metrics(result(), findings_, flags_.generated());
  add_communities_sections(result(), findings_);
  add_graph_lines(result(), findings_, flags_.name());
  if (flags_.weighted && !flags_.generated() && findings_.size.edges > 0) {
    result().line("weights: " + weights_text(findings_));
    add_columns_left_out(result(), findings_);
  }
  if (result().wrong()) {
    add_fault(result(), findings_);
    return;
  }
  result().line(communities_line(flags_, findings_));
  add_largest_lines(result(), findings_);
}

void communities_command::check_memory(graph_size size) {
  const load_demand demand = demand_of(flags_, size, pes());
  check_memory_for(flags_, options(),
                   {"finding communities of", size, pes(), bytes_to_group(flags_, demand),
                    bytes_of_graph(demand).stored});
}

graph_options communities_command::building() const {
  graph_options wanted;
  wanted.directed = flags_.directed;
  wanted.keep_edges = flags_.common.verify;
  wanted.arc_weights = flags_.weighted;
  return wanted;
}

task<> communities_command::look_at(graph_builder& read) {
  if (flags_.directed && read.notes().undirected)
    fail(errc::input, "--directed: the edges of {} have no direction", flags_.files.edges);
  output_.check_names(read.names(), flags_.files.names.empty());
  co_await check_weights(read);
}

/// If the file has no weights, or has a weight below 0, throws `error` (input).
task<> communities_command::check_weights(const graph_builder& read) {
  if (!flags_.weighted || flags_.generated() || read.edges() == 0) co_return;
  const std::string& why_none = read.notes().why_no_weights;
  if (!why_none.empty()) fail(errc::input, "--weighted: {}", why_none);
  if (!read.has_weights()) fail(errc::input, "--weighted: {} has no weights", flags_.files.edges);
  const auto [least, most] = co_await read.weight_range();
  if (least < 0)
    fail(errc::input,
         "--weighted: {} has an edge of weight {}, and no edge of communities weighs less than 0",
         flags_.files.edges, least);
}

task<> communities_command::compute(global_graph graph) {
  bool first = true;
  while (trials().begin()) {
    if (!first) co_await last_.destroy();
    first = false;
    trials().end(co_await trial(graph));
  }
  co_await gather_facts(graph, findings_);
  if (right()) co_await show_largest(graph);
  co_await write(last_);
  co_await last_.destroy();
}

task<measurements> communities_command::trial(global_graph graph) {
  last_ = co_await communities(graph, flags_.with);
  findings_.found = last_;
  if (flags_.common.verify && right() && !trials().warming_up()) {
    trials().show("searching every community by one PE");
    const auto check = [graph, found = last_](site where) { return verify(graph, found, where); };
    co_await keep_fault(check, findings_);
  }
  measurements measured;
  measured.emplace_back("rate", "edges/s", static_cast<double>(graph.edges()) / last_.seconds);
  measured.emplace_back("seconds", "s", last_.seconds);
  measured.emplace_back("modularity", "1", last_.modularity);
  co_return measured;
}

task<> communities_command::show_largest(global_graph graph) {
  for (const community& one : co_await last_.largest(flags_.largest)) {
    auto smallest = co_await shown(graph.names(), one.label);
    findings_.largest.push_back({std::move(smallest), one.vertices});
  }
}

void communities_command::check_before_start() {
  check_graph_flags(flags_);
  if (flags_.generated())
    check_memory({flags_.random.vertices(), flags_.random.edges()});
  else
    check_memory_to_load(flags_, options(), !flags_.directed, pes(), flags_.common.verify,
                         flags_.weighted);
}

void communities_command::add_parameters() {
  library_kernel::add_parameters();
  result().parameter("directed", flags_.directed);
  result().parameter("weighted", flags_.weighted);
  result().parameter("quality", k_qualities[static_cast<std::size_t>(flags_.with.quality)]);
  result().parameter("resolution", flags_.with.resolution);
  result().parameter("iterations", flags_.with.iterations);
  result().parameter("copied_below", flags_.with.copied_below);
}

namespace {

void add_community_flags(CLI::App& command, communities_flags& flags) {
  constexpr std::uint64_t most_iterations = 1000, most_shown = 1000;
  add_switch(command, "--directed", flags.directed,
             "Edges have a direction: u to v and v to u are two edges, whose weights add up")
      .under("Graph");
  add_weights_flag(command, flags.files, "Graph");
  add_switch(command, "--weighted", flags.weighted,
             "Edges count by their weights in GRAPH, or by random ones")
      .under("Graph");
  const auto take_quality = [&flags](std::size_t quality) {
    flags.with.quality = static_cast<community_quality>(quality);
  };
  add_word_flag(command, "--quality", k_qualities, take_quality,
                "The quality that is maximised; cpm: the constant Potts model")
      .under("Communities");
  add_real_flag(command, "--resolution", flags.with.resolution, 0, 1e9,
                "Higher ones give more and smaller communities")
      .under("Communities");
  add_count_flag(command, "--iterations", flags.with.iterations, 1, most_iterations,
                 "Run so often, each time from the communities found before")
      .under("Communities");
  add_count_flag(command, "--copied-below", flags.with.copied_below, 0, std::uint64_t{1} << 40,
                 "Copy graphs with fewer arcs to every PE")
      .under("Communities");
  add_count_flag(command, "--largest", flags.largest, 0, most_shown,
                 "Show the N largest one by one")
      .under("Communities");
}

constexpr const char* k_answer_text =
    "\nFinds communities: groups of vertices with many edges within and few between them, by the\n"
    "Leiden algorithm. Every community is connected. Edges count both ways. The label of a\n"
    "community is its smallest vertex. One --seed gives the same communities for any --pes.\n\n"
    "  atoll communities packages.tsv --largest 10\n"
    "  atoll communities packages.tsv --resolution 2 --verify --output communities.csv.zst";

constexpr const char* k_answer_details =
    "\nModularity is the part of all weight that lies within communities, minus --resolution "
    "times\n"
    "what random ends would give (--quality modularity). With cpm, the quality is the weight\n"
    "within, minus --resolution for each pair of vertices of one community.\n"
    "  --verify              checks on PE 0 that every community is connected, and computes the\n"
    "                        modularity again; needs memory for all edges on PE 0\n"
    "  --output FILE         gets a row for each vertex, vertex and community, by their names\n"
    "                        where they have any. The file is the same for every number of PEs\n"
    "                        and replaces an older one when it is complete";

constexpr const char* k_bench_text =
    "\nFinds communities by the Leiden algorithm. The rate is the number of edges of the input by\n"
    "the time of a trial. The modularity that was found is a metric.\n\n"
    "  atoll bench communities --scale 18 --pes 2 --verify";

constexpr const char* k_bench_details =
    "\nVertices of one class of hashes move together, then the next class. Communities are "
    "refined\n"
    "into connected parts, which become the vertices of a smaller graph (Traag, Waltman, van Eck\n"
    "2019). Graphs of less than --copied-below arcs are on every PE.";

void add_flags(CLI::App& command, command_context& context, communities_flags& flags) {
  add_graph_flags(command, flags);
  add_community_flags(command, flags);
  add_output_flag(command, flags, "Write the community of each vertex");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

constexpr kernel_texts k_texts = {
    .name = "communities",
    .answers = "Communities: groups with many edges within and few between them",
    .measures = "Communities of a random graph or a file",
    .answer = k_answer_text,
    .answer_details = k_answer_details,
    .bench = k_bench_text,
    .bench_details = k_bench_details};

}  // namespace

void add_communities(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<communities_command, communities_flags>(parent, context, measures, k_texts,
                                                             add_flags);
}

}  // namespace atl::app
