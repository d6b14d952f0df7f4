#pragma once
// Two sources of edges: Atoll's Kronecker generator, and a plain list of edges.

#include <algorithm>
#include <string>
#include <vector>

#include "atoll/random_graph.hpp"
#include "csr.hpp"

namespace bench::bfs {

struct input {
  huge_array<input_edge> edges;
  std::uint64_t vertices = 0;
};

/// Generates the graph that `atoll bench bfs --scale --edge-factor --seed` searches.
input generate(std::uint64_t scale, std::uint64_t edge_factor, std::uint64_t seed);

/// Reads lines "u v". The vertices are 0 to the largest id. Throws bad_input with the file and the
/// line of a mistake.
input read_edge_list(const std::string& file);

/// Returns the roots that Atoll chooses: `count` different vertices with an edge, or all vertices
/// with an edge if they are fewer.
template <class Graph>
std::vector<vertex> choose_roots(const Graph& graph, std::uint64_t seed, std::uint64_t count) {
  std::uint64_t candidates = 0;
  for (vertex v = 0; v < graph.vertices(); ++v) candidates += graph.degree(v) != 0;
  std::vector<vertex> roots;
  for (std::uint64_t k = 0; roots.size() < std::min(count, candidates); ++k) {
    const auto root = static_cast<vertex>(atl::root_candidate(seed, graph.vertices(), k));
    const bool had = std::find(roots.begin(), roots.end(), root) != roots.end();
    if (graph.degree(root) != 0 && !had) roots.push_back(root);
  }
  return roots;
}

}  // namespace bench::bfs
