#pragma once
// Breadth-first search: the tree of shortest paths, by numbers of edges, from one vertex.

#include "atoll/graph.hpp"

#include <string>
#include <vector>

namespace atl {

/// The distance of a vertex that a search has not reached.
inline constexpr std::uint32_t unreached = ~std::uint32_t{0};

/// How a graph is searched.
struct bfs_options {
  progress_view progress = {};  ///< hears, for "searching", which part of all vertices is reached
};

/// What a search has found. Small and trivially copyable: capture it, send it. The graph outlives
/// it. All calls throw atl::error (input), with their line, where the tree or its graph was
/// destroyed.
struct search_tree {
  vertex_id root = no_vertex;
  std::uint64_t reached = 0;  ///< vertices, the root included
  std::uint64_t levels = 0;   ///< the largest distance and 1
  /// Of the input, duplicates and self loops included: those between vertices that were reached; of
  /// a directed graph, those that lead from one.
  std::uint64_t edges = 0;

  /// Of each vertex the one before it on its path from the root; the root itself for the root;
  /// no_vertex where the search did not come.
  vertex_array<vertex_id> parent;

  /// Edges between the root and each vertex; `unreached` where the search did not come.
  vertex_array<std::uint32_t> distance;

  /// The vertices from the root to `vertex`, both included; empty where it was not reached. One
  /// task of any PE calls it, and several at once may. Blocks the task. Throws atl::error (input)
  /// where there is no such vertex.
  task<std::vector<vertex_id>> path_to(vertex_id vertex, site where = site::current()) const;

  /// The number of vertices at each distance. One task calls it. Blocks the task.
  task<std::vector<std::uint64_t>> level_sizes(site where = site::current()) const;

  /// Writes a file with the parent and the distance of each vertex that was reached, as
  /// `vertex_array::write` does; an array has -1 for the others.
  task<> write(std::string path, site where = site::current()) const;

  /// Gives the memory back. One task, once.
  task<> destroy(site where = site::current()) const;

  /// The same. Every PE calls them, with the same arguments; all get the same.
  task<std::vector<std::uint64_t>> all_level_sizes(site where = site::current()) const;
  task<> all_write(std::string path, site where = site::current()) const;
  task<> all_destroy(site where = site::current()) const;
};

/// Searches the graph from `root`: along arcs where it is directed, by the direction-optimizing
/// method of Beamer, Asanovic and Patterson (2012) where it is not. Distances are the same for any
/// number of PEs; of several shortest paths one is taken. One task calls it. Blocks the task.
/// Throws atl::error: input where there is no such vertex, out_of_memory.
task<search_tree> bfs(global_graph graph, vertex_id root, bfs_options options = {},
                      site where = site::current());

/// The same. Every PE calls it, with the same arguments; all get the same.
task<search_tree> all_bfs(global_graph graph, vertex_id root, bfs_options options = {},
                          site where = site::current());

/// Checks a tree by the rules of Graph500 and, where the graph keeps its edges, the graph by them.
/// One task calls it. Blocks the task. Throws atl::error: wrong_result that names a vertex and what
/// is wrong with it; input where the tree is of another graph.
task<> verify(global_graph graph, search_tree tree, site where = site::current());

/// The same. Every PE calls it, with the same arguments.
task<> all_verify(global_graph graph, search_tree tree, site where = site::current());

}  // namespace atl
