// `atoll convert INPUT OUTPUT`: a graph in another format.

#include "app/command.hpp"
#include "app/convert.hpp"
#include "app/driver/graph_input.hpp"
#include "app/flags.hpp"
#include "app/input_flags.hpp"
#include "atoll/log.hpp"

#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

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
                wrapped(names_of_formats() + ", whatever the name says", k_help_columns));
  const auto directed = patterns_where([](const auto& traits) { return traits.says_direction; });
  add_switch(command, "--undirected", flags->undirected,
             "An edge stands for both directions, where OUTPUT can say so: " +
                 listed(directed, "or"));
  add_list_flags(command, *flags);
  add_explanation(command, explanation());
}

}  // namespace atl::app
