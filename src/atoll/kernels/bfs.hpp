#pragma once
// Breadth-first search: the tree of paths with the fewest edges from one vertex.

#include "atoll/graph.hpp"

#include <memory>
#include <string>
#include <vector>

namespace atl {

/// The distance of a vertex that a search has not reached.
inline constexpr std::uint32_t unreached = ~std::uint32_t{0};

/// Options of a search.
struct bfs_options {
  /// Is called with the name "searching" and the fraction of all vertices that the search has
  /// reached.
  progress_view progress = {};
};

/// Numbers that describe a search. Each member means the same as the member of `search_tree` with
/// the same name.
struct search_counts {
  vertex_id root = no_vertex;
  std::uint64_t reached = 0;
  std::uint64_t levels = 0;
  std::uint64_t edges = 0;
  std::uint64_t arcs_looked_at = 0;
  double seconds = 0;
};

/// One level of a search tree: the vertices at the same distance from the root.
struct tree_level {
  std::uint64_t vertices = 0;
  /// Vertices of the level, in descending order of degree; vertices of equal degree are in
  /// ascending order.
  std::vector<vertex_id> examples;
};

/// The result of a search. The object is a small trivially copyable value, which a program can
/// capture and send. The graph must outlive the object. If the tree or the graph has been
/// destroyed, every member function throws atl::error (input) that names the line of the call.
struct search_tree {
  vertex_id root = no_vertex;
  std::uint64_t reached = 0;  ///< number of reached vertices, including the root
  std::uint64_t levels = 0;   ///< the largest distance + 1
  /// Number of edges of the input between reached vertices. Duplicates and self loops are included.
  /// In a directed graph, the number includes all edges that leave a reached vertex.
  std::uint64_t edges = 0;
  std::uint64_t arcs_looked_at = 0;  ///< number of arcs that all PEs have examined
  /// Time of the search in seconds; making the graph and this result is not included.
  double seconds = 0;

  /// The predecessor of each vertex on its path from the root. The root is its own parent. For a
  /// vertex that was not reached, the value is `no_vertex`.
  vertex_array<vertex_id> parent;

  /// The number of edges between the root and each vertex. For a vertex that was not reached, the
  /// value is `unreached`.
  vertex_array<std::uint32_t> distance;

  /// Returns the vertices of a shortest path from the root to `vertex`, both included. The result
  /// is empty if `vertex` was not reached. Tasks of any PEs may call this function, also at the
  /// same time. The call suspends the task. Throws atl::error (input) if `vertex` is not a vertex
  /// of the graph.
  task<std::vector<vertex_id>> path_to(vertex_id vertex, site where = site::current()) const;

  /// Returns the number of vertices at each distance. One task calls this function and waits.
  task<std::vector<std::uint64_t>> level_sizes(site where = site::current()) const;

  /// Writes a file with the parent and the distance of each reached vertex, as
  /// `vertex_array::write` does. A `.npy` file has -1 for vertices that were not reached. One task
  /// calls this function and waits. Throws the errors of `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls this function, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Returns the number of vertices at each distance. Every PE calls this function and waits. Every
  /// PE gets the same result.
  task<std::vector<std::uint64_t>> all_level_sizes(site where = site::current()) const;
  /// Writes the same file as `write`. Every PE calls this function with the same path and waits.
  /// Throws the errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls this function and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Searches the graph from `root`. In a directed graph the search follows the direction of the
/// arcs. Undirected graphs are searched by the direction-optimizing method of Beamer, Asanovic and
/// Patterson (2012). Distances are the same for any number of PEs. If several shortest paths lead
/// to a vertex, the tree contains an arbitrary one of these paths. One task calls this function and
/// waits. Throws atl::error (input) if `root` is not a vertex of the graph. Throws atl::error
/// (out_of_memory) if memory is exhausted.
task<search_tree> bfs(global_graph graph, vertex_id root, bfs_options options = {},
                      site where = site::current());

/// Searches the graph from `root`, as `bfs` does. Every PE calls this function with the same
/// arguments and waits. Every PE gets the same result. Throws the errors of `bfs`.
task<search_tree> all_bfs(global_graph graph, vertex_id root, bfs_options options = {},
                          site where = site::current());

/// Searches one graph repeatedly, and uses the same memory for each search. Benchmarks use this
/// class, and so do programs that search from many roots. One task calls the functions of the
/// object, which suspend the task.
class repeated_searches {
 public:
  /// Allocates the memory for searches of `graph`. Throws atl::error (out_of_memory) if memory is
  /// exhausted.
  static task<repeated_searches> make(global_graph graph, site where = site::current());

  /// Searches the graph from `root`, as `bfs` does, and keeps the tree until the next search.
  task<search_counts> search(vertex_id root, bfs_options options = {},
                             site where = site::current());

  /// Checks the tree of the last search by the rules of Graph500. Throws the errors of
  /// `atl::verify`.
  task<> verify(site where = site::current()) const;

  /// Makes a `search_tree` of the last search. The caller destroys the tree.
  task<search_tree> tree(site where = site::current()) const;

  /// Frees the memory. The caller must call this function only once.
  task<> destroy(site where = site::current());

 private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Chooses `count` different vertices that have a neighbour. If fewer vertices have a neighbour,
/// returns all vertices that have a neighbour. The choice follows the rules of Graph500, depends on
/// `seed`, and is the same for any number of PEs. One task calls this function and waits.
task<std::vector<vertex_id>> random_roots(global_graph graph, std::uint64_t count,
                                          std::uint64_t seed = 1, site where = site::current());

/// A vertex and the number of its neighbours.
struct vertex_degree {
  vertex_id vertex = no_vertex;
  std::uint64_t degree = 0;
};

/// Returns the vertex with the most neighbours. If several vertices have the largest number of
/// neighbours, returns the smallest of these vertices. Duplicates of an edge and self-loops add no
/// neighbours. If the graph has no vertices, the vertex is `no_vertex`. One task calls this
/// function and waits.
task<vertex_degree> vertex_with_most_neighbours(global_graph graph, site where = site::current());

/// Counts the vertices of each level. For each of the first `levels` levels, also returns up to
/// `examples` of its vertices with the most neighbours. One task calls this function and waits.
/// Throws atl::error (input) if `tree` belongs to another graph.
task<std::vector<tree_level>> levels_of(global_graph graph, search_tree tree, std::uint64_t levels,
                                        std::uint64_t examples, site where = site::current());

/// Compares a graph, vertex by vertex, with the edges of the input. The graph must have kept the
/// edges of the input. One task calls this function and waits. If the graph and the edges differ,
/// throws atl::error (wrong_result) that names a vertex with a difference. Throws atl::error
/// (input) if the graph keeps no edges.
task<> verify(global_graph graph, site where = site::current());

/// Checks a tree by the rules of Graph500 (kernels/bfs/run.hpp lists them). If the graph keeps the
/// edges of the input, the call also compares the graph with these edges. One task calls this
/// function and waits. If the tree is wrong, throws atl::error (wrong_result) that names a wrong
/// vertex and its fault. Throws atl::error (input) if `tree` belongs to another graph.
task<> verify(global_graph graph, search_tree tree, site where = site::current());

/// Checks a tree, as `verify` does. Every PE calls this function with the same arguments and waits.
/// Throws the errors of `verify`.
task<> all_verify(global_graph graph, search_tree tree, site where = site::current());

}  // namespace atl
