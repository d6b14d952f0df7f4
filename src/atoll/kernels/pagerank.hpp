#pragma once
// PageRank: how important each vertex is by the arcs that lead to it.

#include "atoll/graph.hpp"

#include <memory>
#include <string>
#include <vector>

namespace atl {

struct pagerank_options {
  double damping = 0.85;    ///< the part of the time that arcs are followed, from 0 to 1
  double tolerance = 1e-6;  ///< it ends when the ranks have changed by less, summed over vertices
  std::uint64_t max_iterations = 100;  ///< at least 1
  /// Hears, for "ranking", after each iteration how much is done, as far as one can tell.
  progress_view progress = {};
};

/// A vertex and its rank.
struct ranked_vertex {
  vertex_id vertex = no_vertex;
  double rank = 0;
};

/// The ranks of the vertices of a graph. Small and trivially copyable: capture it, send it. The
/// graph outlives it. All calls throw atl::error (input), with their line, where the ranks or their
/// graph were destroyed.
struct page_ranks {
  vertex_array<double> rank;     ///< all together are 1
  std::uint64_t iterations = 0;  ///< that were made
  double seconds = 0;            ///< that they took
  double plan_seconds = 0;       ///< that preparing them took
  /// Of the ranks by the last one, summed over vertices: below the tolerance, unless
  /// `max_iterations` came first.
  double change = 0;
  pagerank_options with;  ///< how they were found; nobody hears of progress

  /// The `most` vertices of the highest ranks, high ones first; of equal ones the smaller number.
  /// One task calls it. Blocks the task.
  task<std::vector<ranked_vertex>> top(std::size_t most = 10, site where = site::current()) const;

  /// Writes a file with the rank of each vertex, as `vertex_array::write` does.
  task<> write(std::string path, site where = site::current()) const;

  /// Gives the memory back. One task, once.
  task<> destroy(site where = site::current()) const;

  /// The same. Every PE calls them, with the same arguments; all get the same.
  task<std::vector<ranked_vertex>> all_top(std::size_t most = 10,
                                           site where = site::current()) const;
  task<> all_write(std::string path, site where = site::current()) const;
  task<> all_destroy(site where = site::current()) const;
};

/// Ranks the vertices (Page and others, 1998; Jacobi's method). Arcs lead from where rank is given
/// to where it is taken; where the graph is not directed, both ways. Duplicates of arcs count once;
/// in a graph with `arc_weights`, arcs are followed as often as they weigh. Ranks are the same to
/// 1e-9 of themselves for any number of PEs. One task calls it. Blocks the task. Throws atl::error:
/// input for options out of their range and for arcs that weigh less than 0, out_of_memory.
task<page_ranks> pagerank(global_graph graph, pagerank_options options = {},
                          site where = site::current());

/// The same. Every PE calls it, with the same arguments; all get the same.
task<page_ranks> all_pagerank(global_graph graph, pagerank_options options = {},
                              site where = site::current());

/// Rankings of one graph, one after the other, in the same memory: for programs that try options,
/// and for benchmarks. One task calls its functions. They block the task.
class repeated_rankings {
 public:
  /// Does once what is the same in all rankings. Throws as `pagerank`.
  static task<repeated_rankings> make(global_graph graph, site where = site::current());

  /// Ranks as `pagerank` does. The ranks are the caller's to destroy.
  task<page_ranks> rank(pagerank_options options = {}, site where = site::current());

  /// Gives the memory back, once; ranks stay.
  task<> destroy(site where = site::current());

 private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Compares ranks with those that PE 0 finds by a serial program from the edges of the input, which
/// the graph keeps. PE 0 needs memory for all edges. One task calls it. Blocks the task. Throws
/// atl::error: wrong_result that names a vertex and both ranks; input where the graph keeps no
/// edges, or ranks are of another.
task<> verify(global_graph graph, page_ranks found, site where = site::current());

/// The same. Every PE calls it, with the same arguments.
task<> all_verify(global_graph graph, page_ranks found, site where = site::current());

}  // namespace atl
