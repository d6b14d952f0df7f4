#pragma once
// Reads all parts of a file, as the PEs of a job do, and returns results that tests can compare.

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "atoll/graph/io/both_ends.hpp"
#include "atoll/graph/io/read_edges.hpp"

/// The edges of all parts, as sorted texts.
struct whole_graph {
  // the texts of from, to and weight
  std::vector<std::tuple<std::string, std::string, std::string>> edges;
  std::uint64_t lines = 0;
  bool uses_names = false;
  std::uint64_t uneven_lines = 0;
  std::optional<std::string> error;  // the first error of the file
  std::optional<atl::declared_size> declared;
};

namespace reading {

inline void add(whole_graph& graph, const atl::edge_list& list) {
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto end = [&](std::uint64_t id) {
      return list.uses_names ? list.names.at(id) : std::to_string(id);
    };
    const auto weight = list.weights.empty() ? "" : std::to_string(list.weights.at(i));
    graph.edges.emplace_back(end(list.edges[i].from), end(list.edges[i].to), weight);
  }
  graph.lines += list.lines;
  graph.uneven_lines += list.uneven_lines;
}

/// Completes the graph after all parts have been read. If a part has no weights, the weights of all
/// parts are dropped. The sizes of all parts are compared.
inline void complete(whole_graph& graph, std::vector<atl::edge_list>& lists) {
  if (std::ranges::any_of(lists, [](const auto& list) { return list.weights_fault.has_value(); })) {
    for (auto& list : lists) list.weights.clear();
  }
  atl::found_size found;
  for (const auto& list : lists) found = found + list.size();
  try {
    if (found.one_way != 0) throw atl::graph::find_one_way(lists[0].origin);
    if (lists[0].declared) check_size(*lists[0].declared, found);
  } catch (const atl::error& e) {
    graph.error = e.what();
  }
  graph.declared = lists[0].declared;
}

/// Returns the line and the column of an error "FILE:LINE:COLUMN: ...", or zeros if the error names
/// no line.
inline std::pair<std::uint64_t, std::uint64_t> place_in(const std::string& error,
                                                        const std::string& path) {
  const auto rest = error.substr(path.size() + 1);
  const auto colon = rest.find(':');
  if (rest.find_first_not_of("0123456789") != colon) return {0, 0};
  return {std::stoull(rest), std::stoull(rest.substr(colon + 1))};
}

inline void keep_first(whole_graph& graph, const std::string& error, const std::string& path) {
  if (!graph.error || place_in(error, path) < place_in(*graph.error, path)) graph.error = error;
}

}  // namespace reading

inline whole_graph read_whole(const std::string& path, std::uint64_t parts,
                              const atl::read_options& options = {}) {
  whole_graph graph;
  std::vector<atl::edge_list> lists(parts);
  const auto on_all_parts = [&](auto action) {
    for (std::uint64_t part = 0; part < parts; ++part) {
      try {
        action(part);
      } catch (const atl::error& e) {
        reading::keep_first(graph, e.what(), path);
      }
    }
    return !graph.error;
  };
  const auto read = [&](auto part) { lists[part] = read_edges(path, part, parts, options); };
  if (!on_all_parts(read)) return graph;
  graph.uses_names = std::ranges::any_of(lists, &atl::edge_list::uses_names);
  const auto agree = [&](auto part) { agree_on_names(lists[part], graph.uses_names); };
  if (!on_all_parts(agree)) return graph;
  reading::complete(graph, lists);
  if (graph.error) return graph;
  for (const auto& list : lists) reading::add(graph, list);
  std::ranges::sort(graph.edges);
  return graph;
}
