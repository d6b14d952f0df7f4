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
  /// Every arc weighs 1, even if the graph has weights.
  bool unweighted = false;
  /// The width of a bucket of distances, above 0; 0: the kernel chooses it from the weights and
  /// degrees of the graph. It changes the time, and no result.
  double width = 0;
  progress_view progress = {};  ///< called for "searching" with the part of all vertices that was
                                ///< expanded
};

/// Facts about a search, as in `path_tree`.
struct path_counts {
  vertex_id root = no_vertex;
  std::uint64_t reached = 0;
  double farthest = 0;
  double width = 0;
  std::uint64_t rounds = 0;
  std::uint64_t arcs_looked_at = 0;
  double seconds = 0;
};

/// The shortest paths from one vertex. A small trivially copyable value to capture and send. The
/// graph must outlive it. All functions throw atl::error (input), with the line of the call, if the
/// tree or its graph was destroyed.
struct path_tree {
  vertex_id root = no_vertex;
  bool unweighted = false;           ///< every arc counts as 1
  std::uint64_t reached = 0;         ///< vertices that paths lead to, the root included
  double farthest = 0;               ///< the largest distance of these
  double width = 0;                  ///< the width of buckets of distances
  std::uint64_t rounds = 0;          ///< how often all PEs waited for each other
  std::uint64_t arcs_looked_at = 0;  ///< arcs that all PEs have followed, some of them repeatedly
  double seconds = 0;                ///< time of the search, without making the graph and this
                                     ///< result

  /// The length of the shortest paths from the root to each vertex: 0 for the root, and
  /// `infinite_distance` for vertices that no path leads to.
  vertex_array<double> distance;

  /// The predecessor of each vertex on one of its shortest paths; `shortest_paths` says on which.
  /// It is the root itself for the root, and `no_vertex` for vertices that no path leads to.
  vertex_array<vertex_id> parent;

  /// Returns the vertices from the root to `vertex`, both included; empty if no path leads there.
  /// Tasks of any PEs may call it, also at the same time. Suspends the task. Throws atl::error
  /// (input) if there is no such vertex.
  task<std::vector<vertex_id>> path_to(vertex_id vertex, site where = site::current()) const;

  /// Writes a file with the distance and the parent of each reached vertex, as
  /// `vertex_array::write` does; `.npy` has infinity and -1 for the others. One task calls it and
  /// waits. Throws as `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls it, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Writes the file of `write`. Every PE calls it with the same path and waits. Throws as
  /// `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls it and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Finds the shortest paths from `root` along arcs, by delta-stepping (U. Meyer, P. Sanders, 2003).
/// While a bucket has little work, each PE goes on to later ones without waiting for others. This
/// extends the fusion of buckets by Y. Zhang and others (2020), which the GAP benchmark suite uses.
///
/// An arc weighs as much as the least of its edges (`graph_options::parallel`), and 1 if the edges
/// of the graph have no weights. The distance of a vertex is the least length of all paths, where
/// the length is added up in doubles from the root on. It is exact if all weights are integers.
///
/// An arc from u to v of weight w is tight if distance(u) + w == distance(v). The parent of v is
/// the smallest u of a tight arc with distance(u) < distance(v). Weights of 0, and weights too
/// small to change a sum, can leave v without such an arc. The parent is then the smallest
/// neighbour at the same distance, on a path with the fewest arcs between vertices of that
/// distance. Parents therefore always form a tree.
///
/// Distances and parents are the same for any number of PEs, bit by bit. One task calls it and
/// waits. Throws atl::error: input if there is no such vertex, or an arc weighs less than 0; the
/// text names its ends. The same error is thrown if edges have weights, but arcs do not have the
/// least of them. A distance of 2^53 or more is an error, too, if all weights are integers. Throws
/// atl::error (out_of_memory) if memory is short.
task<path_tree> shortest_paths(global_graph graph, vertex_id root,
                               shortest_paths_options options = {}, site where = site::current());

/// Finds the shortest paths from `root`, as `shortest_paths` does. Every PE calls it with the same
/// arguments and waits; all get the same result. Throws as `shortest_paths`.
task<path_tree> all_shortest_paths(global_graph graph, vertex_id root,
                                   shortest_paths_options options = {},
                                   site where = site::current());

/// Successive searches of one graph in the same memory, for searches from many roots and for
/// benchmarks. One task calls its functions, which suspend it.
class repeated_shortest_paths {
 public:
  /// Looks at all weights, and allocates the memory for searches of `graph`. Throws as
  /// `shortest_paths`.
  static task<repeated_shortest_paths> make(global_graph graph, shortest_paths_options options = {},
                                            site where = site::current());

  /// Searches the graph from `root`, as `shortest_paths` does, and keeps the paths until the next
  /// search.
  task<path_counts> search(vertex_id root, site where = site::current());

  /// Makes a `path_tree` of the last search.
  task<path_tree> tree(site where = site::current()) const;

  /// Frees the memory. Call it once; trees that were made stay.
  task<> destroy(site where = site::current());

 private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Compares distances and parents with those that PE 0 finds by Dijkstra's algorithm from the edges
/// of the input, which the graph must keep. PE 0 needs about 100 bytes per edge. One task calls it
/// and waits. Throws atl::error: wrong_result, which names a vertex with what it has and what is
/// expected; input if the graph keeps no edges, or the tree is of another graph.
task<> verify(global_graph graph, path_tree tree, site where = site::current());

/// Checks distances and parents, as `verify` does. Every PE calls it with the same arguments and
/// waits. Throws as `verify`.
task<> all_verify(global_graph graph, path_tree tree, site where = site::current());

}  // namespace atl
