#pragma once
// Small graphs with dense parts, for tests of cores and communities.

#include "atoll/random.hpp"
#include "kernels/bfs_graphs.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace dense_graphs {

using bfs_graphs::graph;

/// Returns a graph of `edges` random edges between at most `vertices` vertices. Some edges are
/// loops or duplicates.
inline graph of_random_edges(std::uint64_t vertices, std::uint64_t edges, std::uint64_t seed) {
  atl::random_stream random(seed);
  graph made{fmt::format("random {}", seed), vertices, {{vertices - 1, 0}}};
  for (std::uint64_t i = 0; i < edges; ++i)
    made.edges.push_back({random.below(vertices), random.below(vertices)});
  return made;
}

/// Returns one clique. A hash of an edge's two vertices decides the direction of the edge.
inline graph clique(std::uint64_t vertices) {
  graph made{"clique", vertices, {}};
  for (atl::vertex_id a = 0; a < vertices; ++a)
    for (atl::vertex_id b = 0; b < a; ++b)
      made.edges.push_back(atl::hash(a * b) % 2 ? atl::edge{a, b} : atl::edge{b, a});
  return made;
}

/// Returns cliques of `smallest` to `largest` vertices. One edge joins each clique with the
/// previous clique.
inline graph growing_cliques(std::uint64_t smallest, std::uint64_t largest) {
  graph made{"growing cliques", 0, {}};
  for (std::uint64_t size = smallest; size <= largest; ++size) {
    const std::uint64_t first = made.vertices;
    made.vertices += size;
    for (std::uint64_t a = first; a < made.vertices; ++a)
      for (std::uint64_t b = first; b < a; ++b) made.edges.push_back({a, b});
    if (first > 0) made.edges.push_back({first, first - 1});
  }
  return made;
}

/// Returns `cliques` cliques of the same size. One edge joins each clique with the next clique.
inline graph equal_cliques(std::uint64_t cliques, std::uint64_t size) {
  graph made{"equal cliques", cliques * size, {}};
  for (std::uint64_t first = 0; first < made.vertices; first += size) {
    for (std::uint64_t a = 0; a < size; ++a)
      for (std::uint64_t b = 0; b < a; ++b) made.edges.push_back({first + a, first + b});
    if (first > 0) made.edges.push_back({first, first - 1});
  }
  return made;
}

/// Returns a clique of `size` vertices. Each vertex of the clique also has `leaves` neighbours of
/// its own, which have no other neighbour.
inline graph clique_with_leaves(std::uint64_t size, std::uint64_t leaves) {
  graph made = clique(size);
  made.name = "clique with leaves";
  for (atl::vertex_id v = 0; v < size; ++v)
    for (std::uint64_t leaf = 0; leaf < leaves; ++leaf) made.edges.push_back({v, made.vertices++});
  return made;
}

/// Returns the complete bipartite graph with `left` and `right` vertices.
inline graph bipartite(std::uint64_t left, std::uint64_t right) {
  graph made{"bipartite", left + right, {}};
  for (std::uint64_t a = 0; a < left; ++a)
    for (std::uint64_t b = 0; b < right; ++b) made.edges.push_back({a, left + b});
  return made;
}

/// Removes all vertices with a number larger than the largest endpoint of an edge. If a graph is
/// given only by its edges, no vertex has a larger number than the largest endpoint.
inline graph without_rest(graph of) {
  of.vertices = 0;
  for (const atl::edge& e : of.edges) of.vertices = std::max({of.vertices, e.from + 1, e.to + 1});
  return of;
}

}  // namespace dense_graphs
