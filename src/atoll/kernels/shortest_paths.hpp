#pragma once
// Shortest paths from one vertex over arcs with weights.

#include "atoll/graph.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace atl {

/// The distance of a vertex to which no path leads.
inline constexpr double infinite_distance = std::numeric_limits<double>::infinity();

/// Options of shortest paths.
struct shortest_paths_options {
  /// Whether every arc has length 1, even if the graph has weights.
  bool unweighted = false;
  /// Width of the buckets into which the kernel sorts vertices by their distances (the delta of
  /// delta-stepping). If `width` is 0, the kernel chooses a width from the weights and degrees of
  /// the graph. The width changes the time of a search, but not its result.
  double width = 0;
  /// Is called with the name "searching" and the fraction of all vertices that was expanded.
  progress_view progress = {};
};

/// Numbers that describe a search. Each member means the same as the member of `path_tree` with the
/// same name.
struct path_counts {
  vertex_id root = no_vertex;
  std::uint64_t reached = 0;
  double farthest = 0;
  double width = 0;
  std::uint64_t rounds = 0;
  std::uint64_t arcs_looked_at = 0;
  double seconds = 0;
};

/// The shortest paths from one vertex. The object is a small trivially copyable value, which a
/// program can capture and send. The graph must outlive the object. If the tree or the graph has
/// been destroyed, every member function throws atl::error (input) that names the line of the call.
struct path_tree {
  vertex_id root = no_vertex;
  bool unweighted = false;    ///< whether every arc had length 1
  std::uint64_t reached = 0;  ///< number of vertices to which paths lead, including the root
  double farthest = 0;        ///< the largest distance of a reached vertex
  /// Width of the buckets of distances that the search used (see `shortest_paths_options::width`).
  double width = 0;
  /// Number of rounds; at the end of a round, all PEs wait for each other.
  std::uint64_t rounds = 0;
  /// Number of arcs that all PEs have followed. An arc is counted each time it is followed.
  std::uint64_t arcs_looked_at = 0;
  /// Time of the search in seconds; making the graph and this result is not included.
  double seconds = 0;

  /// The length of the shortest paths from the root to each vertex. The root has distance 0.
  /// For a vertex to which no path leads, the value is `infinite_distance`.
  vertex_array<double> distance;

  /// The predecessor of each vertex on one of its shortest paths. The function `shortest_paths`
  /// explains which of several parents is chosen. The root is its own parent. The parent of a
  /// vertex to which no path leads is `no_vertex`.
  vertex_array<vertex_id> parent;

  /// Returns the vertices of a shortest path from the root to `vertex`, both included. The result
  /// is empty if no path leads to `vertex`. Tasks of any PEs may call this function, also at the
  /// same time. The call suspends the task. Throws atl::error (input) if `vertex` is not a vertex
  /// of the graph.
  task<std::vector<vertex_id>> path_to(vertex_id vertex, site where = site::current()) const;

  /// Writes a file with the distance and the parent of each reached vertex, as
  /// `vertex_array::write` does. For a vertex that was not reached, a `.npy` file has the distance
  /// infinity and the parent -1. One task calls this function and waits. Throws the errors of
  /// `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls this function, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Writes the same file as `write`. Every PE calls this function with the same path and waits.
  /// Throws the errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls this function and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Finds the shortest paths from `root` along arcs, by delta-stepping (Meyer and Sanders, 2003). If
/// a bucket has little work, each PE continues with later buckets without waiting for other PEs.
/// Work on later buckets without waiting is an extension of bucket fusion (Zhang and others, 2020),
/// which the GAP benchmark suite uses.
///
/// The weight of an arc is the smallest weight of its edges (`graph_options::parallel`), or 1 if
/// the edges of the graph have no weights. The distance of a vertex is the length of its shortest
/// path. Lengths are added up in doubles, from the root on. The distance is exact if all weights
/// are integers.
///
/// The parent of a vertex v is a neighbour u with distance(u) < distance(v) and distance(u) + w ==
/// distance(v), where w is the weight of the arc from u to v. If several neighbours can be the
/// parent, the smallest of them is the parent. If weights are 0 or too small to change a sum, a
/// vertex may have no neighbour of smaller distance that can be the parent. Except for the root, a
/// reached vertex without a possible parent of smaller distance is the target of an arc from a
/// vertex of equal distance. A breadth-first search along arcs between vertices of equal distance
/// begins at all vertices that have a parent. When the search reaches a vertex, the smallest
/// neighbour on the previous level becomes the parent. Parents therefore always form a tree.
///
/// Distances and parents are the same for any number of PEs, bit by bit. One task calls this
/// function and waits. Throws atl::error (out_of_memory) if memory is exhausted. Throws atl::error
/// (input) if `root` is not a vertex of the graph, or if an arc has a negative weight. The text
/// about a negative weight names the endpoints of the arc. If `unweighted` is false, also throws
/// atl::error (input) for a graph with weighted edges that was made without `arc_weights` or
/// `parallel_edges::least`. If all weights are integers, throws atl::error (input) also for a
/// distance of 2^53 or more, because sums of integers must be exact.
task<path_tree> shortest_paths(global_graph graph, vertex_id root,
                               shortest_paths_options options = {}, site where = site::current());

/// Finds the shortest paths from `root`, as `shortest_paths` does. Every PE calls this function
/// with the same arguments and waits. Every PE gets the same result. Throws the errors of
/// `shortest_paths`.
task<path_tree> all_shortest_paths(global_graph graph, vertex_id root,
                                   shortest_paths_options options = {},
                                   site where = site::current());

/// Searches one graph repeatedly, and uses the same memory for each search. Benchmarks use this
/// class, and so do programs that search from many roots. One task calls the functions of the
/// object, which suspend the task.
class repeated_shortest_paths {
 public:
  /// Examines all weights, and allocates the memory for searches of `graph`. Throws the errors of
  /// `shortest_paths`.
  static task<repeated_shortest_paths> make(global_graph graph, shortest_paths_options options = {},
                                            site where = site::current());

  /// Searches the graph from `root`, as `shortest_paths` does, and keeps the paths until the next
  /// search.
  task<path_counts> search(vertex_id root, site where = site::current());

  /// Makes a `path_tree` of the last search. The caller destroys the tree.
  task<path_tree> tree(site where = site::current()) const;

  /// Frees the memory. The caller must call this function only once. Trees that `tree` has returned
  /// remain valid.
  task<> destroy(site where = site::current());

 private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Compares distances and parents with expected results, which PE 0 finds by Dijkstra's algorithm
/// from the edges of the input. The graph must have kept the edges of the input. PE 0 needs about
/// 100 bytes per edge. One task calls this function and waits. If a value is wrong, throws
/// atl::error (wrong_result) that names a vertex, its values and the expected values. Throws
/// atl::error (input) if the graph keeps no edges, or if the tree belongs to another graph.
task<> verify(global_graph graph, path_tree tree, site where = site::current());

/// Checks distances and parents, as `verify` does. Every PE calls this function with the same
/// arguments and waits. Throws the errors of `verify`.
task<> all_verify(global_graph graph, path_tree tree, site where = site::current());

}  // namespace atl
