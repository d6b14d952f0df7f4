// Implements `atoll triangles` and `atoll bench triangles`.

#include "atoll/kernels/triangles.hpp"

#include "app/command.hpp"
#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace atl::app {
namespace {

struct triangles_flags : graph_flags {
  bool directed = false;
};

struct triangles_findings : graph_findings {
  std::uint64_t triangles = 0;
  std::uint64_t pairs = 0;  ///< of neighbours of a vertex
  double transitivity = 0;
};

// ---- Memory.

// Returns the peak memory in bytes of all PEs together.
double bytes_to_count(const triangles_flags& flags, const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const auto input = static_cast<double>(demand.size.edges);
  constexpr double number = 8, count = 4;
  const bytes_of_graph graph(demand);
  // Places, totals and results of vertices; marks and their ranks; lists of rows that are sent.
  const double of_vertices =
      vertices * (7 * number + k_gathered_copies * (2 * id + count) + 3 * id);
  // Entries before and after they are sent, or entries and counts. Rows of sources are there while
  // the entries of a directed graph are made.
  const double of_edges = input * (flags.directed ? 2 * id + std::max(id, 2 * count) : 2 * id);
  const double marks = static_cast<double>(demand.pes) * graph.window * 2 * count;
  // --verify makes the graph of all edges on PE 0: edges, arcs with weights, rows, in both
  // directions of each.
  constexpr double edge_at_first = 80;
  const double verifying = flags.common.verify ? input * edge_at_first + vertices * 6 * number : 0;
  const double stored = demand.edges == file_edges::kept ? graph.stored : 0;
  return std::max(graph.building,
                  stored + graph.built + of_vertices + std::max(of_edges + marks, verifying));
}

// ---- Text and JSON.

void describe_triangles(report& result, const triangles_flags& flags,
                        const triangles_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  add_graph_sections(result, found);
  add_graph_lines(result, found, flags.name());
  if (result.wrong()) {
    add_fault(result, found);
    return;
  }
  result.section("triangles", found.triangles);
  result.section("pairs_of_neighbours", found.pairs);
  result.section("transitivity", found.transitivity);
  result.line(plural(found.triangles, "triangle"));
  result.line(fmt::format("transitivity {:.6g}: the part of {} of a vertex that are neighbours",
                          found.transitivity, plural(found.pairs, "pair of neighbours")));
}

// ---- The command.

class triangles_command : public library_kernel {
 public:
  triangles_command(triangles_flags& flags, const settings& options)
      : library_kernel("triangles", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights = true;
  }

 private:
  load_demand demand_of(graph_size size) const {
    return demand_to_load(flags_, size, !flags_.directed, pes(), flags_.common.verify);
  }

  void check_before_start() override {
    check_graph_flags(flags_);
    if (flags_.generated())
      check_memory({flags_.random.vertices(), flags_.random.edges()});
    else
      check_memory_to_load(flags_, options(), !flags_.directed, pes(), flags_.common.verify);
  }

  void check_memory(graph_size size) override {
    const load_demand demand = demand_of(size);
    check_memory_for(flags_, options(),
                     {"counting triangles of", size, pes(), bytes_to_count(flags_, demand),
                      bytes_of_graph(demand).stored});
  }

  void add_parameters() override {
    library_kernel::add_parameters();
    result().parameter("directed", flags_.directed);
  }

  std::vector<compared_program> programs() override {
    if (limit_takes_graph(flags_) && !flags_.directed)
      return {{"limit", limit_command("atoll-limit-triangles", flags_, result())}};
    if (flags_.common.compare)
      result().line("limit is left out: it takes undirected Kronecker graphs and .el files");
    return {};
  }

  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "counting"; }
  void describe() override { describe_triangles(result(), flags_, findings_); }

  bool may_divide_hubs() const override { return false; }

  graph_options building() const override {
    return {.directed = flags_.directed,
            .keep_edges = flags_.common.verify,
            .ascending_neighbours = true};
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
    co_await write(last_);
    co_await last_.destroy();
  }

  task<measurements> trial(global_graph graph) {
    last_ = co_await triangles(graph);
    findings_.triangles = last_.count;
    findings_.pairs = last_.pairs;
    findings_.transitivity = last_.transitivity();
    if (flags_.common.verify && right() && !trials().warming_up()) {
      trials().show("looking at both ends of each edge");
      const auto check = [graph, found = last_](site where) { return verify(graph, found, where); };
      co_await keep_fault(check, findings_);
    }
    measurements measured;
    measured.emplace_back("rate", "edges/s", static_cast<double>(graph.edges()) / last_.seconds);
    measured.emplace_back("seconds", "s", last_.seconds);
    co_return measured;
  }

  const triangles_flags& flags_;
  vertex_output output_;
  triangles_findings findings_;
  triangle_counts last_;  // of the last trial
};

constexpr const char* k_answer_text =
    "\nCounts the triangles: three vertices with an edge between any two. The clustering\n"
    "coefficient of a vertex is the part of all pairs of its neighbours that are neighbours of\n"
    "each other. Duplicates of an edge count once, and self loops not at all.\n\n"
    "  atoll triangles friends.tsv --output triangles.csv\n"
    "  atoll triangles links.el --directed --verify";

constexpr const char* k_answer_details =
    "\n  --directed            edges lead from the first end to the second. Triangles count\n"
    "                        without direction; the coefficient is the number of arcs between\n"
    "                        neighbours, by that of ordered pairs of them (LDBC Graphalytics)\n"
    "  --verify              compares all counts with those that PE 0 finds from the edges of\n"
    "                        the input; needs 80 bytes for each of them there\n"
    "  --compact             numbers the ids that occur without gaps: else all vertices up to the\n"
    "                        largest id take memory. All output has the ids of the file, and a\n"
    "                        .npy gets them as a first column\n"
    "  --output FILE         gets a row for each vertex: vertex, triangles, clustering. The file\n"
    "                        is the same for every number of PEs and replaces an older one when\n"
    "                        it is complete. In .tsv and .csv the first line has the titles, in\n"
    "                        .txt it is a comment; .npy is an array of doubles";

constexpr const char* k_bench_text =
    "\nCounts the triangles of each vertex. The rate is the number of edges of the input by the\n"
    "time of a trial, which begins with the order of vertices by degree.\n\n"
    "  atoll bench triangles --scale 18 --pes 2 --verify --compare";

constexpr const char* k_bench_details =
    "\nEach edge leads from its end of smaller degree to the other one. The neighbours of a "
    "vertex\n"
    "are marked, and those of each neighbour are looked up. --compare runs the limit between the\n"
    "trials: the same order in shared memory, where sorted lists are merged.";

void add_command_of(CLI::App& parent, command_context& context, bool measures) {
  const auto flags = std::make_shared<triangles_flags>();
  flags->common.measures = measures;
  const auto action = [&context, flags] {
    return triangles_command(*flags, context.settings).run();
  };
  auto& command = add_command(parent, context, "triangles",
                              measures ? "Triangles of a random graph or a file"
                                       : "Triangles, and how connected neighbours of a vertex are",
                              action);
  add_graph_flags(command, *flags);
  add_switch(command, "--directed", flags->directed, "Edges lead from the first end to the second")
      .under("Graph");
  add_output_flag(command, *flags, "Write the triangles and the coefficient of each vertex");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, context, measures ? k_bench_text : k_answer_text,
                  measures ? k_bench_details : k_answer_details);
}

}  // namespace

void add_triangles(CLI::App& root, command_context& context) {
  add_command_of(root, context, false);
}
void add_bench_triangles(CLI::App& bench, command_context& context) {
  add_command_of(bench, context, true);
}

}  // namespace atl::app
