#pragma once
// Triangles of a graph: the number of triangles of each vertex, and clustering coefficients.

#include "atoll/graph.hpp"

#include <string>

namespace atl {

/// Options for counting triangles.
struct triangles_options {
  /// Is called with the name "counting" and the fraction of the work that is done.
  progress_view progress = {};
};

/// The triangles of a graph. The object is a small trivially copyable value, which a program can
/// capture and send. The graph must outlive the object. If the counts or the graph have been
/// destroyed, every member function except `transitivity` throws atl::error (input) that names the
/// line of the call.
struct triangle_counts {
  /// Number of triangles to which each vertex belongs. The direction of arcs is ignored.
  vertex_array<std::uint64_t> triangles;

  /// The local clustering coefficient of each vertex, as LDBC Graphalytics defines it. The
  /// coefficient is the number of arcs between two neighbours of the vertex, divided by the number
  /// of ordered pairs of neighbours. Targets of arcs from the vertex and sources of arcs to the
  /// vertex are its neighbours. An undirected edge counts as two arcs. A vertex with fewer than two
  /// neighbours has the coefficient 0.
  vertex_array<double> clustering;

  std::uint64_t count = 0;  ///< number of triangles of the graph; the direction of arcs is ignored
  /// Number of pairs of neighbours of a vertex, summed over all vertices.
  std::uint64_t pairs = 0;
  /// Time of ordering and counting in seconds; making the graph is not included.
  double seconds = 0;

  /// Returns the global clustering coefficient, also called transitivity. Two neighbours of one
  /// vertex form a pair. The coefficient is the fraction of all pairs whose two vertices are
  /// neighbours of each other. If there are no pairs, the result is 0.
  double transitivity() const {
    return pairs == 0 ? 0 : 3 * static_cast<double>(count) / static_cast<double>(pairs);
  }

  /// Writes a file with the columns triangles and clustering for each vertex, as
  /// `vertex_array::write` does. One task calls this function and waits. Throws the errors of
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

/// Counts the triangles of the whole graph and of each vertex, and computes local clustering
/// coefficients. Self loops and parallel edges are ignored. The kernel directs each edge from its
/// endpoint of smaller degree to the other endpoint (Chiba and Nishizeki 1985; Latapy 2008). For
/// each vertex v, the kernel marks the targets of v's directed edges. The kernel then looks for
/// other marked vertices among the targets of each marked vertex. Every marked target of a marked
/// vertex completes a triangle.
///
/// Counts are the same for any number of PEs, and coefficients are equal bit by bit. One task calls
/// this function and waits. Throws atl::error (input) if the neighbours of vertices are divided
/// over all PEs (`graph_options::divide_hubs`). Throws atl::error (out_of_memory) if memory is
/// exhausted.
task<triangle_counts> triangles(global_graph graph, triangles_options options = {},
                                site where = site::current());

/// Counts the triangles, like the function `triangles`. Every PE calls this function with the same
/// graph and waits. Every PE gets the same result. Throws the errors of `triangles`.
task<triangle_counts> all_triangles(global_graph graph, triangles_options options = {},
                                    site where = site::current());

/// Compares the counts with expected counts, which PE 0 finds serially from the edges of the input.
/// The graph must have kept the edges of the input. PE 0 needs memory for all edges. One task calls
/// this function and waits. If a count is wrong, throws atl::error (wrong_result) that names a
/// wrong vertex and its counts. Throws atl::error (input) if the graph keeps no edges, or if the
/// counts belong to another graph.
task<> verify(global_graph graph, triangle_counts found, site where = site::current());

/// Checks counts, as `verify` does. Every PE calls this function with the same arguments and waits.
/// Throws the errors of `verify`.
task<> all_verify(global_graph graph, triangle_counts found, site where = site::current());

}  // namespace atl
