#pragma once
// PageRank: the importance of each vertex, computed from the arcs that lead to the vertex.

#include "atoll/graph.hpp"

#include <memory>
#include <string>
#include <vector>

namespace atl {

/// Options of PageRank.
struct pagerank_options {
  double damping = 0.85;  ///< probability that the random walk follows an arc, from 0 to 1
  /// Iterations end when the sum of the changes of all ranks is below the tolerance.
  double tolerance = 1e-6;
  std::uint64_t max_iterations = 100;  ///< largest number of iterations, at least 1
  /// Is called after each iteration, with the name "ranking" and an estimate of the fraction of the
  /// work that is done.
  progress_view progress = {};
};

/// A vertex and its rank.
struct ranked_vertex {
  vertex_id vertex = no_vertex;
  double rank = 0;
};

/// The ranks of the vertices of a graph. The object is a small trivially copyable value, which a
/// program can capture and send. The graph must outlive the object. If the ranks or the graph have
/// been destroyed, every member function throws atl::error (input) that names the line of the call.
struct page_ranks {
  vertex_array<double> rank;     ///< rank of each vertex; the sum of all ranks is 1
  std::uint64_t iterations = 0;  ///< number of iterations that were made
  double seconds = 0;            ///< time of the iterations in seconds
  double plan_seconds = 0;       ///< time to prepare the iterations, in seconds
  /// Change of the ranks in the last iteration, summed over all vertices. The change is below the
  /// tolerance, except when `max_iterations` ended the computation.
  double change = 0;
  pagerank_options with;  ///< the options of the computation, without `progress`

  /// Returns the `most` vertices with the highest ranks, in descending order of rank. Vertices of
  /// equal rank are in ascending order. One task calls this function and waits.
  task<std::vector<ranked_vertex>> top(std::size_t most = 10, site where = site::current()) const;

  /// Writes a file with the rank of each vertex, as `vertex_array::write` does. One task calls this
  /// function and waits. Throws the errors of `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls this function, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Returns the `most` vertices with the highest ranks, as `top` does. Every PE calls this
  /// function with the same argument and waits. Every PE gets the same result.
  task<std::vector<ranked_vertex>> all_top(std::size_t most = 10,
                                           site where = site::current()) const;
  /// Writes the same file as `write`. Every PE calls this function with the same path and waits.
  /// Throws the errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls this function and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Computes the PageRank of all vertices (Page and others, 1998; Jacobi's method). A vertex passes
/// shares of its rank along its arcs. In an undirected graph a vertex passes shares along every
/// edge. Duplicate arcs are counted once. In a graph with `arc_weights`, the share of an arc is
/// proportional to its weight. Ranks that are computed by different numbers of PEs have a relative
/// difference of at most 1e-9.
///
/// One task calls this function and waits. Throws atl::error (input) if an option is out of range,
/// or if an arc has a negative weight. Throws atl::error (out_of_memory) if memory is exhausted.
task<page_ranks> pagerank(global_graph graph, pagerank_options options = {},
                          site where = site::current());

/// Computes the PageRank of all vertices, as `pagerank` does. Every PE calls this function with the
/// same arguments and waits. Every PE gets the same result. Throws the errors of `pagerank`.
task<page_ranks> all_pagerank(global_graph graph, pagerank_options options = {},
                              site where = site::current());

/// Ranks the vertices of one graph any number of times in the same memory. Benchmarks use this
/// class, and so do programs that try several options. One task calls the functions of the object
/// and waits.
class repeated_rankings {
 public:
  /// Prepares the data that all rankings share. Throws the errors of `pagerank`.
  static task<repeated_rankings> make(global_graph graph, site where = site::current());

  /// Computes the ranks, as `pagerank` does. The caller destroys the ranks.
  task<page_ranks> rank(pagerank_options options = {}, site where = site::current());

  /// Frees the memory. The caller must call this function only once. Ranks that `rank` has returned
  /// remain valid.
  task<> destroy(site where = site::current());

 private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Compares ranks with expected ranks, which PE 0 computes serially from the edges of the input.
/// The graph must have kept the edges of the input. PE 0 needs memory for all edges. One task calls
/// this function and waits. If a rank is wrong, throws atl::error (wrong_result) that names a
/// vertex, its rank, and the expected rank. Throws atl::error (input) if the graph keeps no edges,
/// or if the ranks belong to another graph.
task<> verify(global_graph graph, page_ranks found, site where = site::current());

/// Checks ranks, as `verify` does. Every PE calls this function with the same arguments and waits.
/// Throws the errors of `verify`.
task<> all_verify(global_graph graph, page_ranks found, site where = site::current());

}  // namespace atl
