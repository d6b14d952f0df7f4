#pragma once
// Makes graphs and file names for tests of every format of graph files.

#include "atoll/graph_files.hpp"
#include "atoll/random.hpp"
#include "graph/reading.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace any_format {

/// Returns a file name with the ending of `format`, like "a.mtx" or "out.a".
inline std::string file_name(atl::edge_format format, const std::string& stem = "a") {
  const auto pattern = atl::pattern_of(format);
  const auto name = pattern.find("NAME");
  return name == pattern.npos ? stem + pattern : pattern.substr(0, name) + stem;
}

/// Returns a graph of random edges, which include loops and an edge of the last vertex. Edges have
/// weights if the format has them.
inline atl::graph_to_write random_graph(atl::edge_format format, std::string path,
                                        bool undirected) {
  constexpr std::uint64_t vertices = 97;
  atl::graph_to_write graph;
  graph.path = std::move(path);
  graph.format = {format, atl::compression_of(graph.path)};
  graph.vertices = vertices;
  graph.undirected = undirected;
  std::set<std::pair<std::uint64_t, std::uint64_t>> edges = {{vertices - 1, 0}, {5, 5}};
  for (std::uint64_t i = 0; edges.size() < 400; ++i)
    edges.insert({atl::hash(2 * i) % vertices, atl::hash(2 * i + 1) % vertices});
  for (const auto& [from, to] : edges) {
    graph.edges.push_back({from, to});
    if (has_weights(format))
      graph.weights.push_back(static_cast<std::int64_t>(atl::hash(from + to) % 1000) - 3);
  }
  return graph;
}

/// Returns the edges of the graph in the form that `read_whole` returns. Edges may be directed or
/// undirected.
inline auto edges_of(const atl::graph_to_write& graph) {
  whole_graph whole;
  atl::edge_list list;
  list.edges = graph.edges;
  list.weights = graph.weights;
  reading::add(whole, list);
  return whole.edges;
}

inline auto comparable(decltype(whole_graph::edges) edges, bool with_directions) {
  for (auto& [from, to, weight] : edges) {
    if (!with_directions && to < from) std::swap(from, to);
  }
  std::ranges::sort(edges);
  return edges;
}

}  // namespace any_format
