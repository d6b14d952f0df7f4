#pragma once
// Breadth-first search: the tree of shortest paths, by numbers of edges, from one vertex.

#include "atoll/graph.hpp"

#include <memory>
#include <string>
#include <vector>

namespace atl {

/// The distance of a vertex that a search has not reached.
inline constexpr std::uint32_t unreached = ~std::uint32_t{0};

/// How a graph is searched.
struct bfs_options {
  progress_view progress = {};  ///< hears, for "searching", which part of all vertices is reached
};

/// What a search has counted, as in `search_tree`.
struct search_counts {
  vertex_id root = no_vertex;
  std::uint64_t reached = 0;
  std::uint64_t levels = 0;
  std::uint64_t edges = 0;
  std::uint64_t arcs_looked_at = 0;
  double seconds = 0;
};

/// A level of a tree: the vertices at one distance from the root.
struct tree_level {
  std::uint64_t vertices = 0;
  std::vector<vertex_id> examples;  ///< those with most neighbours first; of equal ones the smaller
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
  std::uint64_t arcs_looked_at = 0;  ///< by all PEs
  double seconds = 0;                ///< that the search took, without the graph and this result

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

/// Searches of one graph, one after the other, in the same memory: for programs that search from
/// many roots, and for benchmarks. One task calls its functions. They block the task.
class repeated_searches {
 public:
  /// Takes the memory. Throws atl::error (out_of_memory).
  static task<repeated_searches> make(global_graph graph, site where = site::current());

  /// Searches as `bfs`, and keeps the tree until the next search.
  task<search_counts> search(vertex_id root, bfs_options options = {},
                             site where = site::current());

  /// Checks the tree of the last search by the rules of Graph500. Throws as `verify`.
  task<> verify(site where = site::current()) const;

  /// Makes arrays of the tree of the last search.
  task<search_tree> tree(site where = site::current()) const;

  /// Gives the memory back, once.
  task<> destroy(site where = site::current());

 private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Chooses `count` different vertices that have a neighbour, or all where there are fewer, by
/// `seed`, as Graph500 chooses roots: the same for any number of PEs. One task calls it. Blocks the
/// task.
task<std::vector<vertex_id>> random_roots(global_graph graph, std::uint64_t count,
                                          std::uint64_t seed = 1, site where = site::current());

/// A vertex and the number of its neighbours.
struct vertex_degree {
  vertex_id vertex = no_vertex;
  std::uint64_t degree = 0;
};

/// Finds the vertex with most neighbours; of several the smallest. One task calls it. Blocks the
/// task.
task<vertex_degree> vertex_with_most_neighbours(global_graph graph, site where = site::current());

/// Counts the vertices of each level, and names of the first `levels` ones up to `examples` of
/// those with most neighbours. One task calls it. Blocks the task.
task<std::vector<tree_level>> levels_of(global_graph graph, search_tree tree, std::uint64_t levels,
                                        std::uint64_t examples, site where = site::current());

/// Compares a graph, vertex by vertex, with the edges of the input, which it keeps. One task calls
/// it. Blocks the task. Throws atl::error: wrong_result that names a vertex; input where the graph
/// keeps no edges.
task<> verify(global_graph graph, site where = site::current());

/// Checks a tree by the rules of Graph500 and, where the graph keeps its edges, the graph by them.
/// One task calls it. Blocks the task. Throws atl::error: wrong_result that names a vertex and what
/// is wrong with it; input where the tree is of another graph.
task<> verify(global_graph graph, search_tree tree, site where = site::current());

/// The same. Every PE calls it, with the same arguments.
task<> all_verify(global_graph graph, search_tree tree, site where = site::current());

}  // namespace atl
