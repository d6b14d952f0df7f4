#pragma once
// Small graphs, and a plain sequential search for comparison.

#include "atoll/graph/build.hpp"
#include "atoll/graph/kronecker.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

namespace bfs_graphs {

using atl::edge;
using atl::orientation;

inline constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

struct graph {
  std::string name;
  std::uint64_t vertices = 0;
  std::vector<edge> edges;
};

/// The expected result of a search.
struct answer {
  std::vector<std::uint32_t> levels;  ///< the level of each vertex
  std::uint64_t depth = 0;
  std::uint64_t reached = 0;
  /// The number of edges in the component. In a directed graph, the number of edges that begin in
  /// the component.
  std::uint64_t edges = 0;
};

/// The edges of the calling PE. All PEs share one list of edges, and each PE has every k-th edge of
/// the list, where k is the number of PEs.
struct dealt_edges {
  const std::vector<edge>* all;

  std::uint64_t size() const {
    const auto rank = static_cast<std::uint64_t>(atl::my_pe());
    const auto count = static_cast<std::uint64_t>(atl::pes());
    return (all->size() + count - 1 - rank) / count;
  }
  edge operator()(std::uint64_t i) const {
    const auto count = static_cast<std::uint64_t>(atl::pes());
    return (*all)[i * count + static_cast<std::uint64_t>(atl::my_pe())];
  }
};

/// Returns a text that differs between different graphs.
inline std::string title_of(const graph& of) {
  const auto* bytes = reinterpret_cast<const char*>(of.edges.data());
  const std::string_view edges(bytes, of.edges.size() * sizeof(edge));
  return of.name + ' ' + std::to_string(of.vertices) + ' ' +
         std::to_string(std::hash<std::string_view>()(edges));
}

/// Returns the result of `compute()`. A further call with an equal `question` returns the stored
/// result, so jobs with different numbers of PEs share the work.
template <class Compute>
const auto& computed_once(const std::string& question, Compute compute) {
  static std::map<std::string, decltype(compute())> known;
  const auto found = known.find(question);
  if (found != known.end()) return found->second;
  return known[question] = compute();
}

inline answer search_plainly(const graph& of, orientation arcs_are, std::uint64_t root) {
  std::vector<std::vector<std::uint64_t>> targets(of.vertices);
  const auto add = [&](atl::graph::arc a) { targets[a.source].push_back(a.target); };
  for (const edge e : of.edges) atl::graph::for_each_arc(e, arcs_are, add);
  answer found;
  found.levels.assign(of.vertices, unreached);
  found.levels[root] = 0;
  std::queue<std::uint64_t> waiting({root});
  for (; !waiting.empty(); waiting.pop()) {
    const auto vertex = waiting.front();
    found.depth = found.levels[vertex] + 1;
    ++found.reached;
    found.edges += targets[vertex].size();
    for (const auto target : targets[vertex]) {
      if (found.levels[target] != unreached) continue;
      found.levels[target] = found.levels[vertex] + 1;
      waiting.push(target);
    }
  }
  if (arcs_are == orientation::undirected) found.edges /= 2;
  return found;
}

inline const answer& search(const graph& of, orientation arcs_are, std::uint64_t root) {
  const auto question =
      title_of(of) + ' ' + std::to_string(static_cast<int>(arcs_are)) + ' ' + std::to_string(root);
  return computed_once(question, [&] { return search_plainly(of, arcs_are, root); });
}

inline graph kronecker(std::uint64_t scale) {
  const atl::generator_parameters parameters{scale, 16, 1};
  const atl::kronecker_generator make(parameters);
  graph made{"kronecker" + std::to_string(scale), parameters.vertices(), {}};
  for (std::uint64_t i = 0; i < parameters.edges(); ++i) made.edges.push_back(make(i));
  return made;
}

/// Returns a star, in which vertex `middle` is the neighbour of all other vertices.
inline graph star(std::uint64_t vertices, std::uint64_t middle) {
  graph made{"star", vertices, {}};
  for (std::uint64_t v = 0; v < vertices; ++v) {
    if (v != middle) made.edges.push_back(v % 2 == 0 ? edge{v, middle} : edge{middle, v});
  }
  return made;
}

inline graph path(std::uint64_t vertices) {
  graph made{"path", vertices, {}};
  for (std::uint64_t v = 1; v < vertices; ++v) made.edges.push_back({v - 1, v});
  return made;
}

inline graph grid(std::uint64_t width, std::uint64_t height) {
  graph made{"grid", width * height, {}};
  for (std::uint64_t v = 0; v < width * height; ++v) {
    if (v % width + 1 < width) made.edges.push_back({v, v + 1});
    if (v + width < width * height) made.edges.push_back({v + width, v});
  }
  return made;
}

/// Returns two rings. Vertices without edges are between the rings and after the second ring.
inline graph two_components() {
  graph made{"two_components", 50, {}};
  for (std::uint64_t v = 0; v < 20; ++v) {
    made.edges.push_back({v, (v + 1) % 20});
    made.edges.push_back({25 + v, 25 + (v + 1) % 20});
  }
  return made;
}

inline graph loops_and_duplicates() {
  return {"loops_and_duplicates",
          6,
          {{0, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 2}, {2, 2}, {2, 2}, {3, 2}, {2, 3}, {5, 5}}};
}

inline graph lonely_vertex() { return {"lonely_vertex", 1, {}}; }

/// Returns a star with a long tail. A search reaches the hub late, so the frontier grows and then
/// shrinks.
inline graph comet() {
  graph made = star(400, 7);
  made.name = "comet";
  made.vertices = 600;
  for (std::uint64_t v = 400; v < 600; ++v) made.edges.push_back({v == 400 ? 9 : v - 1, v});
  return made;
}

/// Returns one graph of each kind. The largest graph has 2^`scale` vertices.
inline std::vector<graph> all(std::uint64_t scale) {
  std::vector<graph> graphs;
  graphs.push_back(kronecker(scale - 2));
  graphs.push_back(kronecker(scale));
  graphs.push_back(star(500, 0));
  graphs.push_back(star(500, 123));
  graphs.push_back(comet());
  graphs.push_back(path(1000));
  graphs.push_back(grid(30, 40));
  graphs.push_back(two_components());
  graphs.push_back(loops_and_duplicates());
  graphs.push_back(lonely_vertex());
  return graphs;
}

}  // namespace bfs_graphs
