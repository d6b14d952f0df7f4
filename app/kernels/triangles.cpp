// Implements `atoll triangles` and `atoll bench triangles`.

#include "atoll/kernels/triangles.hpp"

#include "app/driver/one_call_kernel.hpp"
#include "atoll/log.hpp"

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
  std::uint64_t pairs = 0;  ///< number of pairs of neighbours of a vertex, summed over all vertices
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
  // For each vertex, memory holds the position of its list of neighbours, its counts of triangles,
  // and its results. Memory also holds the index of each vertex in the order by degree. For each
  // list of neighbours to send, memory holds the list's index and length.
  const double of_vertices =
      vertices * (7 * number + k_gathered_copies * (2 * id + count) + 3 * id);
  // An entry of a list of neighbours names one endpoint of an edge. While lists of neighbours are
  // sent to other PEs, memory holds each entry of a list twice. While triangles are counted, memory
  // holds each entry of a list of neighbours once, with its counts of triangles. For a directed
  // graph, memory also holds lists of in-neighbours while the entries of the lists of neighbours
  // are made.
  const double of_edges = input * (flags.directed ? 2 * id + std::max(id, 2 * count) : 2 * id);
  const double marks = static_cast<double>(demand.pes) * graph.window * 2 * count;
  // --verify builds the graph of all edges on PE 0. For --verify, PE 0 stores the edges, arcs with
  // weights, and lists of neighbours for both directions.
  constexpr double edge_at_first = 80;
  const double verifying = flags.common.verify ? input * edge_at_first + vertices * 6 * number : 0;
  const double stored = demand.edges == file_edges::kept ? graph.stored : 0;
  return std::max(graph.building,
                  stored + graph.built + of_vertices + std::max(of_edges + marks, verifying));
}

// The functions below show the result as text and as JSON.

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
  result.line(
      fmt::format("transitivity {:.6g}: the part of {} pairs of neighbours that are neighbours",
                  found.transitivity, grouped_digits(found.pairs)));
}

// ---- The command.

class triangles_command
    : public one_call_kernel<triangles_flags, triangle_counts, triangles_findings> {
 public:
  triangles_command(triangles_flags& of_user, const settings& options)
      : one_call_kernel({.command = "triangles",
                         .doing = "counting",
                         .needs = "counting triangles of",
                         .checks = "looking at both ends of each edge",
                         .limit = "atoll-limit-triangles"},
                        of_user, options) {
    of_user.files.form.without_weights = true;
  }

 private:
  task<triangle_counts> call(global_graph graph) override { return triangles(graph); }

  task<> take(global_graph, const triangle_counts& last) override {
    found().triangles = last.count;
    found().pairs = last.pairs;
    found().transitivity = last.transitivity();
    co_return;
  }

  double bytes_needed(const load_demand& demand) const override {
    return bytes_to_count(flags(), demand);
  }
  bool counts_both_ways() const override { return !flags().directed; }
  void describe() override { describe_triangles(result(), flags(), found()); }

  void add_parameters() override {
    library_kernel::add_parameters();
    result().parameter("directed", flags().directed);
  }

  graph_options building() const override {
    return {.directed = flags().directed,
            .keep_edges = flags().common.verify,
            .ascending_neighbours = true};
  }
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

void add_flags(CLI::App& command, command_context& context, triangles_flags& flags) {
  add_graph_flags(command, flags);
  add_switch(command, "--directed", flags.directed, "Edges lead from the first end to the second")
      .under("Graph");
  add_output_flag(command, flags, "Write the triangles and the coefficient of each vertex");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

constexpr kernel_texts k_texts = {.name = "triangles",
                                  .answers =
                                      "Triangles, and how connected neighbours of a vertex are",
                                  .measures = "Triangles of a random graph or a file",
                                  .answer = k_answer_text,
                                  .answer_details = k_answer_details,
                                  .bench = k_bench_text,
                                  .bench_details = k_bench_details};

}  // namespace

void add_triangles(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<triangles_command, triangles_flags>(parent, context, measures, k_texts,
                                                         add_flags);
}

}  // namespace atl::app
