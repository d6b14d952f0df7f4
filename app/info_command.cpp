// Implements `atoll info FILE`, which describes a file of edges.

#include "app/graph_info.hpp"

#include "app/command.hpp"
#include "app/driver/graph_findings.hpp"
#include "app/driver/memory.hpp"
#include "app/driver/output.hpp"
#include "app/driver/report.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace atl::app {
namespace {

std::vector<std::string> names_for(edges_of_file& list, const graph_files& files) {
  if (files.names.empty()) return std::move(list.names);
  if (list.uses_names) {
    fail(errc::input, "--names: {} has names of its own, and {} would name its vertices again",
         files.edges, files.names);
  }
  return read_names(files.names, files.names_content);
}

degrees_info degrees_with_name(std::string title, const edges_of_file& list, counted_ends ends,
                               const std::vector<std::string>& names) {
  degrees_info result{std::move(title), degrees_of(list.edges, ends), ""};
  const auto vertex = result.distribution.most_vertex;
  if (vertex < names.size()) result.name_of_most = names[vertex];
  return result;
}

void describe_weights(graph_info& info, const edges_of_file& list) {
  info.weight_column = list.weight_column;
  info.columns_left_out = list.columns_left_out;
  info.why_no_weights = list.why_no_weights;
  if (list.weights.empty()) return;
  const auto [low, high] = std::ranges::minmax(list.weights, std::less<>(), [&](std::int64_t bits) {
    return list.weights_are_real ? std::bit_cast<double>(bits) : static_cast<double>(bits);
  });
  if (list.weights_are_real)
    info.real_weights.emplace(std::bit_cast<double>(low), std::bit_cast<double>(high));
  else
    info.weights.emplace(low, high);
}

void estimate_memory(graph_info& info) {
  const graph_size size{info.vertices, info.edges};
  graph_flags flags;
  flags.files.edges = info.file;
  const bytes_of_graph bytes(demand_to_load(flags, size, !info.directed, 1, false));
  info.built_bytes = bytes.built;
  info.most_bytes = bytes.building;
}

std::string row(std::string_view what, const std::string& value) {
  return fmt::format("{:<12} {}\n", what, value);
}

std::string headline(const graph_info& info) {
  const auto packing = info.format.packing == compression::none
                           ? std::string()
                           : fmt::format(" in {}", name_of(info.format.packing));
  return fmt::format("{}: {}{}, {}{}\n", info.file, name_of(info.format.edges), packing,
                     human_bytes(static_cast<double>(info.bytes)),
                     info.edges == 0 ? ": an empty graph" : "");
}

std::string vertices_text(const graph_info& info) {
  const auto isolated = info.vertices - info.vertices_with_edges;
  auto text = fmt::format("{}, {} with an edge, {} isolated", grouped_digits(info.vertices),
                          grouped_digits(info.vertices_with_edges), grouped_digits(isolated));
  if (info.named_vertices > 0)
    text += fmt::format(", {} named", grouped_digits(info.named_vertices));
  return text;
}

// Returns a text with the numbers that papers usually list about a graph: edges, edges per vertex
// and the largest degree.
std::string symmetrised_text(const graph_info& info) {
  return fmt::format("{} edges, {:.2f} for each vertex, at most {}",
                     grouped_digits(symmetrised_edges(info)), edges_per_vertex(info),
                     grouped_digits(info.degrees.front().distribution.most));
}

std::string range_text(std::size_t power) {
  const auto low = std::uint64_t{1} << power;
  return power == 0 ? "1"
                    : fmt::format("{} to {}", grouped_digits(low), grouped_digits(2 * low - 1));
}

// Returns a histogram of degrees, with one bar for each power of two.
std::string histogram(const degree_distribution& degrees) {
  constexpr std::uint64_t widest = 50;
  const auto most = std::ranges::max(degrees.by_power);
  std::string text;
  for (std::size_t power = 0; power < degrees.by_power.size(); ++power) {
    const auto count = degrees.by_power[power];
    const auto width = (count * widest + most - 1) / most;
    text += fmt::format("  {:>24} {:>14} {}", range_text(power), grouped_digits(count),
                        std::string(width, '#'));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string degrees_text(const degrees_info& info) {
  const auto& degrees = info.distribution;
  const auto most =
      info.name_of_most.empty() ? fmt::format("vertex {}", degrees.most_vertex) : info.name_of_most;
  auto text = fmt::format("\n{} of the {} vertices that have one, with duplicates and self-loops\n",
                          info.title, grouped_digits(degrees.vertices));
  text += fmt::format("  least {}, median {}, mean {:.2f}, 99 % {}, most {} at {}\n",
                      grouped_digits(degrees.least), grouped_digits(degrees.median), degrees.mean,
                      grouped_digits(degrees.percentile_99), grouped_digits(degrees.most), most);
  return text + histogram(degrees);
}

std::string column_text(const graph_info& info) {
  return info.weight_column == 0 ? "" : fmt::format(", column {}", info.weight_column);
}

std::string weights_text(const graph_info& info) {
  if (info.real_weights)
    return row("weights",
               fmt::format("{} to {}, real numbers{}; spanning forests need integers",
                           info.real_weights->first, info.real_weights->second, column_text(info)));
  if (!info.weights)
    return info.why_no_weights.empty() ? "" : row("weights", "none; " + info.why_no_weights);
  return row("weights", fmt::format("{} to {}{}", info.weights->first, info.weights->second,
                                    column_text(info)));
}

std::string notes_text(const graph_info& info) {
  std::string text;
  if (info.columns_left_out > 0) text += row("left out", plural(info.columns_left_out, "column"));
  for (const auto& remark : info.remarks) text += row("note", remark);
  return text;
}

struct info_flags {
  graph_files files;
  std::string json;
  bool directed = false;
};

int show_info(info_flags flags, const settings& options) {
  refuse_shared_files({{"edges", flags.files.edges}, {"names", flags.files.names}},
                      {{"--json", flags.json}});
  check_json_file(flags.json);
  open_input(flags.files);
  const auto info = look_at_graph(flags.files, flags.directed);
  if (flags.json != "-") std::cout << text_of(info);
  if (flags.json.empty()) return 0;
  report result("info", options);
  add_to(result, info);
  const auto json = result.json_text();
  if (flags.json == "-") {
    std::cout << json;
  } else {
    write_json(flags.json, json);
  }
  return 0;
}

}  // namespace

graph_info look_at_graph(const graph_files& files, bool directed) {
  graph_info info;
  info.file = files.edges;
  info.format = recognised_format(files);
  info.directed = directed;
  progress_line progress;
  progress.show("reading " + files.edges);
  graph_files reading = files;
  reading.form.real_weights = true;
  auto list = read_all_edges(reading);
  info.bytes = bytes_of_file(files, info.format.edges);
  info.lines = list.lines;
  info.edges = list.edges.size();
  const auto name_of = names_for(list, files);
  info.named_vertices = name_of.size();
  info.vertices = std::max<std::uint64_t>(list.declared_vertices.value_or(vertices_of(list.edges)),
                                          name_of.size());
  info.self_loops = self_loops_of(list.edges);
  info.undirected = list.undirected;
  estimate_memory(info);
  describe_weights(info, list);
  info.remarks = std::move(list.remarks);
  progress.show(fmt::format("counting {} edges", info.edges));
  const auto add_degrees = [&](const char* title, counted_ends ends) {
    info.degrees.push_back(degrees_with_name(title, list, ends, name_of));
  };
  add_degrees("degree", counted_ends::both);
  info.vertices_with_edges = info.degrees.front().distribution.vertices;
  if (directed) {
    add_degrees("out-degree", counted_ends::from);
    add_degrees("in-degree", counted_ends::to);
  }
  info.components = components_of(list.edges);
  info.duplicates = sort_and_count_duplicates(list.edges, directed);
  return info;
}

std::uint64_t symmetrised_edges(const graph_info& info) { return 2 * info.edges; }

double edges_per_vertex(const graph_info& info) {
  if (info.vertices == 0) return 0;
  return static_cast<double>(symmetrised_edges(info)) / static_cast<double>(info.vertices);
}

void add_to(report& result, const graph_info& info) {
  const auto add = [&](const char* name, std::uint64_t value, const char* unit = "") {
    result.add({name, unit, static_cast<double>(value)});
  };
  result.parameter("file", info.file);
  result.parameter("format", name_of(info.format.edges));
  result.parameter("compression", name_of(info.format.packing));
  result.parameter("directed", info.directed);
  add("file_bytes", info.bytes, "B");
  if (!is_binary(info.format.edges)) add("lines", info.lines);
  add("edges", info.edges);
  add("vertices", info.vertices);
  add("vertices_with_edges", info.vertices_with_edges);
  add("vertices_with_names", info.named_vertices);
  add("self_loops", info.self_loops);
  add("duplicate_edges", info.duplicates);
  add("components", info.components.count);
  add("largest_component", info.components.largest);
  add("symmetrised_edges", symmetrised_edges(info));
  add("largest_degree", info.degrees.front().distribution.most);
  result.add({"edges_per_vertex", "", edges_per_vertex(info)});
  result.add({"graph_bytes", "B", info.built_bytes});
  result.add({"most_bytes", "B", info.most_bytes});
  if (info.real_weights)
    result.section("weights") = {info.real_weights->first, info.real_weights->second};
  if (info.weights) result.section("weights") = {info.weights->first, info.weights->second};
  if (info.weight_column != 0) result.section("weight_column", info.weight_column);
  add("columns_left_out", info.columns_left_out);
  if (!info.remarks.empty()) result.section("notes", std::span<const std::string>(info.remarks));
  for (const auto& [title, degrees, name] : info.degrees) {
    auto& section = result.section("degrees")[title];
    section = {{"least", degrees.least},   {"median", degrees.median},
               {"mean", degrees.mean},     {"percentile_99", degrees.percentile_99},
               {"most", degrees.most},     {"most_vertex", degrees.most_vertex},
               {"most_vertex_name", name}, {"vertices_by_power_of_two", degrees.by_power}};
  }
}

std::string text_of(const graph_info& info) {
  auto text = headline(info);
  if (!is_binary(info.format.edges)) text += row("lines", grouped_digits(info.lines));
  text += row("edges", fmt::format("{}{}", grouped_digits(info.edges),
                                   info.undirected ? ", without a direction" : ""));
  text += row("vertices", vertices_text(info));
  if (info.edges == 0) return text + notes_text(info);
  text += row("self-loops", grouped_digits(info.self_loops));
  text += row("duplicates", fmt::format("{}{}", grouped_digits(info.duplicates),
                                        info.directed ? "" : " (the order of the ends aside)"));
  text += row("components", fmt::format("{} with an edge, the largest of {} vertices",
                                        grouped_digits(info.components.count),
                                        grouped_digits(info.components.largest)));
  text += row("memory", fmt::format("{} as a graph, at most {} while it is read and built",
                                    human_bytes(info.built_bytes), human_bytes(info.most_bytes)));
  text += weights_text(info);
  text += row("symmetrised", symmetrised_text(info));
  text += notes_text(info);
  for (const auto& degrees : info.degrees) text += degrees_text(degrees);
  return text;
}

void add_info(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<info_flags>();
  auto& command = add_command(root, context, "info", "Describe the graph in a file of edges",
                              [=, &context] { return show_info(*flags, context.settings); });
  add_text_flag(command, "FILE", "", flags->files.edges, help_of_graph("A graph")).required();
  add_text_flag(command, "--names", "FILE", flags->files.names,
                "A file whose line i, from 0 on, names vertex i");
  add_input_flags(command, flags->files, "Reading FILE");
  add_weights_flag(command, flags->files, "Reading FILE");
  add_switch(command, "--directed", flags->directed,
             "Edges have a direction: degrees out and in, too");
  add_text_flag(command, "--json", "FILE", flags->json,
                "Write the result as JSON; - is standard output");
}

}  // namespace atl::app
