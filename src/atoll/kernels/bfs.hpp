#pragma once
// Breadth-first search: the tree of shortest paths, by numbers of edges, from one vertex.

#include "atoll/graph.hpp"

#include <string>
#include <vector>

namespace atl {

/// The distance of a vertex that a search has not reached.
inline constexpr std::uint32_t unreached = ~std::uint32_t{0};

/// What a search has found. Small and trivially copyable: capture it, send it. The graph outlives
/// it.
struct search_tree {
  vertex_id root = no_vertex;
  std::uint64_t reached = 0;  ///< vertices, the root included
  std::uint64_t levels = 0;   ///< the largest distance and 1

  /// Of each vertex the one before it on its path from the root; the root itself for the root;
  /// no_vertex where the search did not come.
  vertex_array<vertex_id> parent;

  /// Edges between the root and each vertex; `unreached` where the search did not come.
  vertex_array<std::uint32_t> distance;

  /// The vertices from the root to `vertex`, both included; empty where it was not reached. One
  /// task calls it. Blocks the task. Throws atl::error (input) where there is no such vertex.
  task<std::vector<vertex_id>> path_to(vertex_id vertex) const;

  /// The number of vertices at each distance. One task calls it. Blocks the task.
  task<std::vector<std::uint64_t>> level_sizes() const;

  /// Writes a file with the parent and the distance of each vertex that was reached, as
  /// `vertex_array::write` does; an array has -1 for the others.
  task<> write(std::string path) const;

  /// Gives the memory back. One task, once.
  task<> destroy() const;
};

/// Searches the graph from `root`: along arcs where it is directed, by the direction-optimizing
/// method of Beamer, Asanovic and Patterson (2012) where it is not. Distances are the same for any
/// number of PEs; of several shortest paths one is taken. One task calls it. Blocks the task.
/// Throws atl::error: input where there is no such vertex, out_of_memory.
task<search_tree> bfs(global_graph graph, vertex_id root);

/// The same. Every PE calls it, with the same arguments; all get the same.
task<search_tree> all_bfs(global_graph graph, vertex_id root);

/// Checks a tree by the rules of Graph500 and, where the graph keeps its edges, the graph by them.
/// One task calls it. Blocks the task. Throws atl::error (wrong_result) that says what is wrong.
task<> verify(global_graph graph, search_tree tree);

}  // namespace atl
