#pragma once
// PageRank: the importance of each vertex, computed from the arcs that lead to it.

#include "atoll/graph.hpp"

#include <memory>
#include <string>
#include <vector>

namespace atl {

/// Options of PageRank.
struct pagerank_options {
  double damping = 0.85;    ///< probability of following an arc, from 0 to 1
  double tolerance = 1e-6;  ///< it stops when the sum of the changes of all ranks is smaller
  std::uint64_t max_iterations = 100;  ///< at least 1
  /// Called for "ranking" after each iteration, with an estimate of the part that is done.
  progress_view progress = {};
};

/// A vertex and its rank.
struct ranked_vertex {
  vertex_id vertex = no_vertex;
  double rank = 0;
};

/// The ranks of the vertices of a graph. A small trivially copyable value to capture and send. The
/// graph must outlive it. All functions throw atl::error (input), with the line of the call, if the
/// ranks or their graph were destroyed.
struct page_ranks {
  vertex_array<double> rank;     ///< their sum is 1
  std::uint64_t iterations = 0;  ///< number of iterations
  double seconds = 0;            ///< time of the iterations
  double plan_seconds = 0;       ///< time to prepare them
  /// Change of the ranks by the last iteration, summed over vertices: below the tolerance, unless
  /// `max_iterations` ended the computation.
  double change = 0;
  pagerank_options with;  ///< the options of the computation, without `progress`

  /// Returns the `most` vertices with the highest ranks, highest first; of equal ones, the smaller
  /// vertex comes first. One task calls it and waits.
  task<std::vector<ranked_vertex>> top(std::size_t most = 10, site where = site::current()) const;

  /// Writes a file with the rank of each vertex, as `vertex_array::write` does. One task calls it
  /// and waits. Throws as `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls it, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Returns the `most` vertices with the highest ranks, as `top` does. Every PE calls it with the
  /// same argument and waits; all get the same.
  task<std::vector<ranked_vertex>> all_top(std::size_t most = 10,
                                           site where = site::current()) const;
  /// Writes the file of `write`. Every PE calls it with the same path and waits. Throws as
  /// `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls it and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Computes the PageRank of all vertices (Page and others, 1998; Jacobi's method). A vertex gives
/// rank along its arcs; in an undirected graph, both ways. Duplicate arcs count once. In a graph
/// with `arc_weights`, arcs are followed in proportion to their weights. Ranks are the same for any
/// number of PEs, to a relative 1e-9.
///
/// One task calls it and waits. Throws atl::error: input for options out of range, and for arcs of
/// negative weight; out_of_memory.
task<page_ranks> pagerank(global_graph graph, pagerank_options options = {},
                          site where = site::current());

/// Computes the PageRank of all vertices, as `pagerank` does. Every PE calls it with the same
/// arguments and waits; all get the same result. Throws as `pagerank`.
task<page_ranks> all_pagerank(global_graph graph, pagerank_options options = {},
                              site where = site::current());

/// Ranks the vertices of one graph any number of times in the same memory, for programs that try
/// options and for benchmarks. One task calls its functions and waits.
class repeated_rankings {
 public:
  /// Prepares the parts that all rankings share. Throws as `pagerank`.
  static task<repeated_rankings> make(global_graph graph, site where = site::current());

  /// Ranks as `pagerank` does. The caller destroys the ranks.
  task<page_ranks> rank(pagerank_options options = {}, site where = site::current());

  /// Frees the memory. Is called once; ranks that were found stay.
  task<> destroy(site where = site::current());

 private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Compares ranks with those that PE 0 computes serially from the edges of the input, which the
/// graph must keep. PE 0 needs memory for all edges. One task calls it and waits. Throws
/// atl::error: wrong_result, which names a vertex and both ranks; input if the graph keeps no
/// edges, or the ranks are of another graph.
task<> verify(global_graph graph, page_ranks found, site where = site::current());

/// Checks ranks, as `verify` does. Every PE calls it with the same arguments and waits. Throws as
/// `verify`.
task<> all_verify(global_graph graph, page_ranks found, site where = site::current());

}  // namespace atl
