#include "app/graph_info.hpp"

#include "app/driver/memory.hpp"
#include "app/driver/progress_line.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "atoll/graph/io/read_names.hpp"
#include "atoll/graph/io/recognise.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace atl::app {
namespace {

std::vector<std::string> names_for(edge_list& list, const std::string& file) {
  if (file.empty()) return std::move(list.names);
  if (list.uses_names) {
    fail(errc::input, "--names: {} has names of its own, and {} would name its vertices again",
         list.origin.path, file);
  }
  return read_names(file);
}

degrees_info degrees_with_name(std::string title, const edge_list& list, counted_ends ends,
                               const std::vector<std::string>& names) {
  degrees_info result{std::move(title), degrees_of(list.edges, ends), ""};
  const auto vertex = result.distribution.most_vertex;
  if (vertex < names.size()) result.name_of_most = names[vertex];
  return result;
}

std::uint64_t bytes_of(const graph_files& files, edge_format format) {
  return graph::input_file(files_of(files.edges, format)[0], files.content).size();
}

void describe_weights(graph_info& info, const edge_list& list) {
  info.weight_column = list.weight_column;
  info.columns_left_out = columns_left_out(list);
  if (list.weights_fault) info.why_no_weights = list.weights_fault->what();
  if (list.weights.empty()) return;
  const auto [low, high] = std::ranges::minmax(list.weights);
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

}  // namespace

graph_info look_at_graph(const graph_files& files, bool directed) {
  const read_options options = options_of(files);
  graph_info info;
  info.file = files.edges;
  info.format = recognised_format(files.edges, options);
  info.directed = directed;
  progress_line progress;
  progress.show("reading " + files.edges);
  auto list = read_edges(files.edges, 0, 1, options);
  info.bytes = bytes_of(files, info.format.edges);
  info.lines = list.lines;
  info.edges = list.edges.size();
  const auto name_of = names_for(list, files.names);
  info.named_vertices = name_of.size();
  info.vertices = std::max<std::uint64_t>(
      list.declared ? list.declared->vertices : vertices_of(list.edges), name_of.size());
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

}  // namespace atl::app
