#include "app/driver/graph_flags.hpp"

#include "app/command.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

const std::vector<std::string> k_graph_kinds = {"kronecker", "uniform", "web"};

// The largest --scale that the limit programs accept. Limit programs are plain programs without
// Atoll that do the same memory work as the benchmark.
constexpr std::uint64_t k_largest_scale_of_limit = 27;
constexpr std::uint64_t k_largest_edge_factor_of_limit = 1024;
// The largest number of edges of a graph that the peers, programs with other libraries over MPI,
// accept.
constexpr std::uint64_t k_most_edges_of_peers = std::uint64_t{1} << 30;

void add_random_graph_parameters(report& result, const generator_parameters& random) {
  if (random.kind != graph_kind::kronecker) result.parameter("kind", name_of(random.kind));
  if (random.exact_vertices != 0) {
    result.parameter("vertices", random.exact_vertices);
  } else {
    result.parameter("scale", random.scale);
  }
  if (random.edges_per_vertex != 0) {
    result.parameter("edges_per_vertex", random.edges_per_vertex);
  } else {
    result.parameter("edge_factor", random.edge_factor);
  }
}

}  // namespace

std::string name_of(graph_kind kind) { return k_graph_kinds[static_cast<std::size_t>(kind)]; }

std::vector<std::string> words_of(const generator_parameters& graph) {
  std::vector<std::string> words;
  const auto add = [&](const char* flag, std::string value) {
    words.insert(words.end(), {flag, std::move(value)});
  };
  if (graph.kind != graph_kind::kronecker) add("--kind", name_of(graph.kind));
  if (graph.exact_vertices != 0) {
    add("--vertices", std::to_string(graph.exact_vertices));
  } else {
    add("--scale", std::to_string(graph.scale));
  }
  if (graph.edges_per_vertex != 0) {
    add("--edges-per-vertex", fmt::format("{}", graph.edges_per_vertex));
  } else {
    add("--edge-factor", std::to_string(graph.edge_factor));
  }
  return words;
}

std::vector<flag> add_random_graph_flags(CLI::App& command, generator_parameters& graph) {
  constexpr auto most_vertices = std::uint64_t{1} << generator_parameters::largest_scale;
  constexpr auto most_edges = generator_parameters::largest_edges_per_vertex;
  const auto take_kind = [&graph](std::size_t kind) { graph.kind = static_cast<graph_kind>(kind); };
  const auto kind = add_word_flag(command, "--kind", k_graph_kinds, take_kind,
                                  "As Graph500 makes it, all edges equally likely, or like links")
                        .with_default("kronecker");
  const auto scale = add_count_flag(command, "--scale", graph.scale, 0,
                                    generator_parameters::largest_scale, "of 2^N vertices");
  const auto vertices =
      add_count_flag(command, "--vertices", graph.exact_vertices, 0, most_vertices,
                     "or of N vertices, where N is not 0 and the graph no Kronecker graph")
          .excludes(scale);
  const auto factor = add_count_flag(command, "--edge-factor", graph.edge_factor, 0, most_edges,
                                     "and N edges for each");
  const auto ratio = add_real_flag(command, "--edges-per-vertex", graph.edges_per_vertex, 0,
                                   most_edges, "or X, which need not be whole, where it is not 0")
                         .excludes(factor);
  std::vector<flag> all = {kind, scale, vertices, factor, ratio};
  for (const flag& each : all) each.under("Random graph");
  return all;
}

void open_input(graph_flags& flags) {
  if (flags.generated()) return;
  open_input(flags.files);
  // A graph of Graphalytics has a second file, which lists the ids of all vertices. The ids of a
  // Graphalytics graph may have gaps, so the number of vertices is unknown before the files are
  // read, as with --compact.
  if (flags.files.names.empty() && traits_of(recognised_format(flags.files).edges).lists_vertices)
    flags.files.compact = true;
}

std::string graph_flags::name() const {
  if (!generated()) return files.edges;
  std::string words;
  for (const auto& word : words_of(random)) words += words.empty() ? word : ' ' + word;
  return words;
}

void add_graph_flags(CLI::App& command, graph_flags& flags) {
  const bool measures = flags.common.measures;
  const auto graph =
      add_text_flag(command, "GRAPH", "", flags.files.edges,
                    measures ? "A file as atoll info takes it; without one, a random graph"
                             : help_of_graph("A file"))
          .under("Graph");
  if (measures) {
    for (const flag each : add_random_graph_flags(command, flags.random)) each.excludes(graph);
  } else {
    graph.required();
  }
  const std::string title = measures ? k_details_title : "Graph";
  add_input_flags(command, flags.files, title);
  add_text_flag(command, "--names", "FILE", flags.files.names,
                "Line i, from 0 on, names vertex i; may be shorter or longer than the graph")
      .under(title);
  add_switch(command, "--compact", flags.files.compact,
             "Number the ids that occur without gaps; all output has them as they are in GRAPH")
      .under(title);
  add_switch(command, "--wide-ids", flags.wide_ids, "").under("");
}

void add_graph_parameters(report& result, const graph_flags& flags) {
  if (flags.generated()) {
    add_random_graph_parameters(result, flags.random);
  } else {
    result.parameter("graph", flags.files.edges);
    if (flags.files.compact) result.parameter("compact", true);
    const input_form& form = flags.files.form;
    if (form.format) result.parameter("from", name_of(form.format->edges));
    if (form.skip_lines) result.parameter("skip_lines", *form.skip_lines);
    if (form.weight_column) result.parameter("weights", *form.weight_column);
  }
  if (!flags.output.empty()) result.parameter("output", flags.output);
}

void check_graph_flags(const graph_flags& flags) {
  if (flags.files.compact && flags.generated())
    fail(errc::input, "--compact: it is about the ids of a GRAPH, and none is given");
  if (flags.files.compact && !flags.files.names.empty())
    fail(errc::input, "--names: {} names vertices by their ids, which --compact changes",
         flags.files.names);
  if (!flags.generated()) return;
  if (is_described(flags.files.form))
    fail(errc::input, "--from, --skip-lines and --weights are about a GRAPH, and none is given");
  if (!flags.files.names.empty())
    fail(errc::input, "--names: {} names the vertices of a GRAPH, and none is given",
         flags.files.names);
  const random_graph_generator refuses_what_is_out_of_range(flags.random);
}

bool limit_takes_graph(const graph_flags& flags) {
  if (flags.generated()) {
    return flags.random.kind == graph_kind::kronecker && flags.random.edges_per_vertex == 0 &&
           flags.random.edge_factor >= 1 && flags.random.scale >= 1 &&
           flags.random.scale <= k_largest_scale_of_limit &&
           flags.random.edge_factor <= k_largest_edge_factor_of_limit;
  }
  if (is_described(flags.files.form) || !flags.files.content.empty()) return false;
  const auto format = recognised_format(flags.files);
  return format.edges == edge_format::el && format.packing == compression::none &&
         flags.files.names.empty() && !flags.files.compact;
}

std::vector<std::string> limit_command(const std::string& program, const graph_flags& flags,
                                       const report& result) {
  std::vector<std::string> command = {program};
  const auto add = [&](const char* flag, const std::string& value) {
    command.insert(command.end(), {flag, value});
  };
  if (flags.generated()) {
    const auto words = words_of(flags.random);
    command.insert(command.end(), words.begin(), words.end());
  } else {
    add("--graph", flags.files.edges);
  }
  add("--seed", std::to_string(flags.random.seed));
  add("--threads", std::to_string(result.busy_cores()));
  return command;
}

void say_if_peers_are_left_out(const graph_flags& flags, report& result) {
  if (!peers_take_graph(flags))
    result.line(fmt::format(
        "peers are left out: they take Kronecker graphs of --scale 1 to {} and --edge-factor 1 to "
        "{}, of at most 2^30 edges",
        k_largest_scale_of_limit, k_largest_edge_factor_of_limit));
}

bool peers_take_graph(const graph_flags& flags) {
  return flags.generated() && limit_takes_graph(flags) &&
         flags.random.edges() <= k_most_edges_of_peers;
}

std::vector<std::string> peer_command(const std::string& program, const graph_flags& flags,
                                      const report& result) {
  std::vector<std::string> command = {program};
  const auto words = words_of(flags.random);
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"--seed", std::to_string(flags.random.seed), "--processes",
                                 std::to_string(result.pes())});
  return command;
}

}  // namespace atl::app
