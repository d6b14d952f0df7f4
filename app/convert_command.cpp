// Implements `atoll convert INPUT OUTPUT`, which writes a graph in another format.

#include "app/command.hpp"
#include "app/driver/graph_findings.hpp"
#include "app/driver/report.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/log.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace atl::app {
namespace {

struct convert_flags {
  graph_files files;
  std::string output;
  /// Format of the output; an empty text means that the file name determines the format.
  std::string format;
  /// Whether each edge of the output stands for both directions. The member is ignored if the
  /// output format cannot declare edges undirected.
  bool undirected = false;
  std::uint64_t vertices = 0;  ///< minimum number of vertices that the output declares
  bvgraph_lists lists;         ///< options for writing a BVGraph
};

struct converted_graph {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;  ///< number of written edges
  /// Number of duplicate edges that were left out because the format can hold an edge only once.
  std::uint64_t duplicates = 0;
  std::uint64_t bytes = 0;  ///< size in bytes of the output file with the edges
  bool loses_weights = false;
  /// Whether all written weights are 1; true if the output format needs weights, but the input has
  /// none.
  bool weighs_all_alike = false;
  std::uint64_t columns_left_out = 0;  ///< number of columns of the input that were ignored
  /// Number of vertices without an edge after the last vertex that has an edge. A plain list of
  /// edges cannot represent vertices without edges.
  std::uint64_t vertices_left_out = 0;
  std::vector<std::string> notes;    ///< reasons why other programs may reject the output
  std::vector<std::string> remarks;  ///< sentences about how the input was understood
  bool loses_directions = false;
  /// The first weight that is not an integer, if weights were left out for this reason.
  std::string why_no_weights;
};

file_format format_of_output(const convert_flags& flags) {
  if (flags.format.empty()) return file_format_of(flags.output);
  const auto edges = edge_format_named(flags.format);
  if (!edges) fail(errc::input, "--to: {} is no format: give {}", flags.format, names_of_formats());
  const file_format format{*edges, compression_of(flags.output)};
  refuse_packed_binary(flags.output, format);
  return format;
}

// Refuses the output "-", which means standard output in other commands. The output gets its final
// name only when it is complete, and standard output cannot be renamed.
void refuse_standard_output(const std::string& output) {
  if (output == "-")
    fail(errc::input,
         "-: a graph is written to a file, not to standard output; ./- is such a name");
}

void refuse_same_file(const convert_flags& flags, file_format output) {
  const auto input = recognised_format(flags.files);
  std::error_code missing;
  if (std::filesystem::equivalent(files_of(flags.files.edges, input.edges)[0],
                                  files_of(flags.output, output.edges)[0], missing))
    fail(errc::input, "{}: the output is the file that is read", flags.output);
}

/// Returns the minimum number of bytes per vertex in a file of this format.
double least_of_vertex(file_format format) {
  constexpr double most_packed = 1024;
  const double plain = traits_of(format.edges).least_bytes_of_vertex;
  return format.packing == compression::none ? plain : plain / most_packed;
}

/// Throws `error` (input) if the disk has too little space for the vertices. A few bytes of input
/// may declare any number of vertices, so the output may be much larger than the input.
void refuse_without_room(const std::string& output, file_format format, std::uint64_t vertices) {
  std::error_code unknown;
  const auto folder = std::filesystem::absolute(output, unknown).parent_path();
  const auto room = std::filesystem::space(folder, unknown);
  const double least = least_of_vertex(format) * static_cast<double>(vertices);
  if (unknown || least <= static_cast<double>(room.available)) return;
  fail(errc::input, "{}: {} take {} at least, and there is room for {}", output,
       vertices_text(vertices), human_bytes(least),
       human_bytes(static_cast<double>(room.available)));
}

class conversion {
 public:
  conversion(const convert_flags& flags, file_format format) : flags_(flags), format_(format) {}

  converted_graph convert() {
    check_place();
    edges_of_file list = read();
    graph_to_write graph;
    graph.path = flags_.output;
    graph.format = format_;
    graph.vertices = result_.vertices;
    if (has_weights(list)) graph.weights = std::move(list.weights);
    graph.weights_are_real = !graph.weights.empty() && list.weights_are_real;
    graph.edges = std::move(list.edges);
    graph.undirected = list.undirected || flags_.undirected;
    graph.lists = flags_.lists;
    if (!is_written_by_edge(format_.edges))
      progress_.show(fmt::format("sorting {} edges", graph.edges.size()));
    graph.show_progress = [this](double done) { show("writing", flags_.output, done); };
    auto written = write_graph(std::move(graph));
    result_.bytes = written.bytes;
    result_.edges = written.edges;
    result_.duplicates = written.duplicates;
    result_.notes = std::move(written.notes);
    return result_;
  }

 private:
  // Checks that the output files can be created. The check comes before the input is read, because
  // reading may take long.
  void check_place() const {
    for (const auto& file : files_of(flags_.output, format_.edges))
      const output_file can_be_made(file);
  }

  bool has_weights(const edges_of_file& list) const {
    return !list.weights.empty() && atl::has_weights(format_.edges);
  }

  edges_of_file read() {
    graph_files files = flags_.files;
    files.show_progress = [this](double done) { show("reading", flags_.files.edges, done); };
    files.form.real_weights = traits_of(format_.edges).real_weights;
    edges_of_file list = read_all_edges(files);
    if (list.uses_names)
      fail(errc::input, "{}: its vertices have names, and {} has no place for them",
           flags_.files.edges, flags_.output);
    const auto vertices = vertices_of(list.edges);
    result_.vertices = std::max({vertices, list.declared_vertices.value_or(0), flags_.vertices});
    refuse_without_room(flags_.output, format_, result_.vertices);
    describe(list);
    if (is_plain_list(format_.edges)) result_.vertices_left_out = result_.vertices - vertices;
    return list;
  }

  /// Records what the output format cannot express, such as weights or directions, and whether
  /// weights of 1 were added.
  void describe(edges_of_file& list) {
    const auto& traits = traits_of(format_.edges);
    result_.loses_weights = !list.weights.empty() && !has_weights(list);
    result_.weighs_all_alike = list.weights.empty() && needs_weights(format_.edges);
    result_.loses_directions = traits.without_directions && !list.undirected && !flags_.undirected;
    result_.columns_left_out = list.columns_left_out;
    result_.remarks = std::move(list.remarks);
    result_.why_no_weights = std::move(list.why_no_weights);
  }

  void show(std::string_view doing, const std::string& what, double done) {
    progress_.show(fmt::format("{} {}: {:.0f} %", doing, what, 100 * done));
  }

  const convert_flags& flags_;
  const file_format format_;
  converted_graph result_;
  progress_line progress_;
};

/// Reads all edges of the input into memory and writes them. Shows progress on a terminal. Throws
/// `error` (input) if a file cannot be read or written. If the conversion fails, no incomplete
/// output file remains.
converted_graph convert_graph(const convert_flags& flags) {
  refuse_standard_output(flags.output);
  const auto format = format_of_output(flags);
  refuse_same_file(flags, format);
  return conversion(flags, format).convert();
}

std::string explanation() {
  const auto rows = patterns_where([](const auto& traits) { return traits.sorts_ends; });
  return "\nThe ending of a name says what a file holds; .gz or .zst may follow that of a text:\n" +
         formats_explained() +
         "INPUT is known by its content, too: .graph without .properties beside it is METIS. An "
         "edge\n"
         "stays one edge; what OUTPUT has no place for is left out, and said. One process holds "
         "all\n"
         "edges, 16 bytes each, and for " +
         listed(rows, "and") +
         " 24 more for each end of an edge.\n\n"
         "  atoll convert soc-LiveJournal1.txt.gz livejournal.graph --window 10\n"
         "  atoll convert road.gr road.wsg --undirected";
}

void say_what_is_left_out(const converted_graph& made) {
  if (made.duplicates > 0)
    fmt::print("left out: {} that stood there before\n", plural(made.duplicates, "edge"));
  if (made.vertices_left_out > 0)
    fmt::print("left out: {} without an edge behind the last\n",
               vertices_text(made.vertices_left_out));
  if (made.columns_left_out > 0)
    fmt::print("left out: {} of the input\n", plural(made.columns_left_out, "column"));
  if (made.loses_weights) fmt::print("left out: the weights\n");
  if (!made.why_no_weights.empty()) fmt::print("left out: the weights; {}\n", made.why_no_weights);
  if (made.loses_directions) fmt::print("left out: the directions\n");
}

int convert(convert_flags flags) {
  const auto start = std::chrono::steady_clock::now();
  open_input(flags.files);
  const auto made = convert_graph(flags);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  fmt::print("{}: {} between {}, {} in {}\n", flags.output, plural(made.edges, "edge"),
             vertices_text(made.vertices), human_bytes(static_cast<double>(made.bytes)),
             human_seconds(taken.count()));
  say_what_is_left_out(made);
  if (made.weighs_all_alike) fmt::print("note: each edge weighs 1, as the input has no weights\n");
  for (const auto& note : made.notes) fmt::print("note: {}\n", note);
  for (const auto& remark : made.remarks) fmt::print("note: {}\n", remark);
  return 0;
}

void add_list_flags(CLI::App& command, convert_flags& flags) {
  const std::string title = "Writing a BVGraph";
  auto& lists = flags.lists;
  add_count_flag(command, "--window", lists.window, 0, bvgraph_lists::largest_window,
                 "A list may refer to one up to N nodes before; 0: none does")
      .under(title);
  add_count_flag(command, "--max-references", lists.max_references, 0,
                 bvgraph_lists::largest_number, "and that to another, N times at most")
      .under(title);
  add_count_flag(command, "--min-interval", lists.min_interval, 0, bvgraph_lists::largest_number,
                 "N successors without a gap or more are an interval; 0: none are")
      .under(title);
  add_count_flag(command, "--zeta", lists.zeta, 1, bvgraph_lists::largest_zeta,
                 "k of the code of single successors: larger for larger gaps")
      .under(title);
  add_count_flag(command, "--vertices", flags.vertices, 0, largest_vertex + 1,
                 "There are N vertices or more; by default up to the largest id");
}

}  // namespace

void add_convert(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<convert_flags>();
  auto& command = add_command(root, context, "convert", "Write a graph in another format",
                              [flags] { return convert(*flags); });
  add_text_flag(command, "INPUT", "", flags->files.edges, "A graph that atoll reads").required();
  add_text_flag(command, "OUTPUT", "", flags->output,
                "A file whose name says its format; a text also as .gz or .zst")
      .required();
  add_input_flags(command, flags->files, "Reading INPUT");
  add_weights_flag(command, flags->files, "Reading INPUT");
  add_text_flag(command, "--to", "FORMAT", flags->format,
                wrapped(names_of_formats() + ", whatever the name says", k_help_columns));
  const auto directed = patterns_where([](const auto& traits) { return traits.says_direction; });
  add_switch(command, "--undirected", flags->undirected,
             "An edge stands for both directions, where OUTPUT can say so: " +
                 listed(directed, "or"));
  add_list_flags(command, *flags);
  add_explanation(command, explanation());
}

}  // namespace atl::app
