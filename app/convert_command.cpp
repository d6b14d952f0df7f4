// `atoll convert INPUT OUTPUT`: a graph in another format.

#include "app/command.hpp"
#include "app/convert.hpp"
#include "app/flags.hpp"
#include "app/graph_text.hpp"
#include "app/input_flags.hpp"
#include "atoll/log.hpp"

#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

constexpr const char* k_convert_explanation =
    "\nThe ending of a name says what a file holds; .gz or .zst may follow that of a text:\n"
    "  .el .tsv .txt .csv   an edge a line: its two ends\n"
    "  .wel                 the same, with a weight (1 where INPUT has none)\n"
    "  .mtx                 Matrix Market: the entries of a sparse matrix, row and column\n"
    "  .metis               METIS: the neighbours of a vertex a line; without directions\n"
    "  .gr                  arcs with weights, as in the 9th DIMACS challenge\n"
    "  out.NAME             KONECT: an edge a line, from 1 on\n"
    "  .sg .wsg             rows of neighbours in binary, as the GAP benchmarks read them\n"
    "  .graph               a BVGraph, as WebGraph publishes web graphs: lists of successors,\n"
    "                       compressed to a few bits an arc, with .properties and .offsets beside\n"
    "INPUT is known by its content, too: a .txt or a file without an ending may be any of these "
    "but\n"
    "METIS, and .graph without .properties beside it is METIS. An edge stays one edge; what "
    "OUTPUT\n"
    "has no place for is left out, and said.\n"
    "The name of a BVGraph may also be given without .graph. Its arcs are the edges, from -> to. "
    "It\n"
    "has no weights and no edge twice; the command says what was left out. The lists of pages of "
    "a\n"
    "host are alike: each may refer to one up to --window nodes before, whose list may refer to\n"
    "another, up to --max-references times. Larger values make smaller files, which take longer "
    "to\n"
    "write, and to begin to read in the middle.\n\n"
    "One process reads and writes, and holds all edges, 16 bytes each; for .metis, .sg and .wsg "
    "24\n"
    "more for each end of an edge.\n\n"
    "  atoll convert cnr-2000.graph cnr.el.zst\n"
    "  atoll convert soc-LiveJournal1.txt.gz livejournal.graph --window 10\n"
    "  atoll bfs livejournal.graph\n"
    "  atoll convert road.gr road.wsg --undirected";

/// Of what METIS itself has no place for.
void say_what_is_unusual(const unusual_edges& found) {
  const auto say = [](std::uint64_t count, std::string_view one, std::string_view which) {
    if (count == 0) return;
    fmt::print("note: METIS itself takes no {}s{}, and OUTPUT has {}\n", one, which,
               grouped_digits(count));
  };
  say(found.loops, "edge", " from a vertex to itself");
  say(found.duplicates, "edge", " that stand there before");
  say(found.weights, "weight", " below 1");
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
  say_what_is_unusual(made.unusual);
  for (const auto& remark : made.remarks) fmt::print("note: {}\n", remark);
  return 0;
}

void add_list_flags(CLI::App& command, convert_flags& flags) {
  using graph::bvgraph::parameters;
  const std::string title = "Writing a BVGraph";
  auto& lists = flags.lists;
  add_count_flag(command, "--window", lists.window, 0, parameters::largest_window,
                 "A list may refer to one up to N nodes before; 0: none does")
      .under(title);
  add_count_flag(command, "--max-references", lists.max_references, 0, parameters::largest_number,
                 "and that to another, N times at most")
      .under(title);
  add_count_flag(command, "--min-interval", lists.min_interval, 0, parameters::largest_number,
                 "N successors without a gap or more are an interval; 0: none are")
      .under(title);
  add_count_flag(command, "--zeta", lists.zeta, 1, parameters::largest_zeta,
                 "k of the code of single successors: larger for larger gaps")
      .under(title);
  add_count_flag(command, "--vertices", flags.vertices, 0, largest_vertex + 1,
                 "There are N vertices or more; by default up to the largest id");
}

}  // namespace

void add_convert(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<convert_flags>();
  auto& command = add_command(root, context, "convert", "Write a graph in another format", [flags] {
    flags->lists.residuals.parameter = flags->lists.zeta;
    return convert(*flags);
  });
  add_text_flag(command, "INPUT", "", flags->files.edges, "A graph that atoll reads").required();
  add_text_flag(command, "OUTPUT", "", flags->output,
                "A file whose name says its format; a text also as .gz or .zst")
      .required();
  add_input_flags(command, flags->files, "Reading INPUT");
  add_weights_flag(command, flags->files, "Reading INPUT");
  add_text_flag(command, "--to", "FORMAT", flags->format,
                "el, wel, tsv, txt, csv, mtx, metis, gr, konect, sg, wsg or bvgraph, whatever the\n"
                "name says");
  add_switch(
      command, "--undirected", flags->undirected,
      "An edge stands for both directions, where OUTPUT can say so: .mtx, out.NAME, .sg, .wsg");
  add_list_flags(command, *flags);
  add_explanation(command, k_convert_explanation);
}

}  // namespace atl::app
