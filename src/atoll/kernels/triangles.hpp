#pragma once
// Triangles of a graph: how many each vertex belongs to, and how many of its neighbours are
// neighbours of each other.

#include "atoll/graph.hpp"

#include <string>

namespace atl {

/// Options of counting triangles.
struct triangles_options {
  progress_view progress = {};  ///< called for "counting" with the part that is done
};

/// The triangles of a graph. A small trivially copyable value to capture and send. The graph must
/// outlive it. All functions throw atl::error (input), with the line of the call, if the counts or
/// their graph were destroyed.
struct triangle_counts {
  /// Number of triangles that each vertex belongs to. Arcs count without their direction.
  vertex_array<std::uint64_t> triangles;

  /// The local clustering coefficient of each vertex, as LDBC Graphalytics defines it: the number
  /// of arcs between two neighbours of the vertex, divided by the number of ordered pairs of
  /// neighbours. Targets of arcs from the vertex and sources of arcs to it are its neighbours.
  /// A vertex with fewer than two neighbours has 0. An undirected edge is two arcs.
  vertex_array<double> clustering;

  std::uint64_t count = 0;  ///< triangles of the graph; arcs count without their direction
  std::uint64_t pairs = 0;  ///< pairs of neighbours of the same vertex, summed over vertices
  double seconds = 0;       ///< time of ordering and counting, without making the graph

  /// Returns the part of all pairs of neighbours of a vertex that are neighbours of each other,
  /// from 0 to 1: the global clustering coefficient, or transitivity. It is 0 without pairs.
  double transitivity() const {
    return pairs == 0 ? 0 : 3 * static_cast<double>(count) / static_cast<double>(pairs);
  }

  /// Writes a file with the columns triangles and clustering of each vertex, as
  /// `vertex_array::write` does. One task calls it and waits. Throws as `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls it, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Writes the file of `write`. Every PE calls it with the same path and waits. Throws as
  /// `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls it and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Counts the triangles of a graph, in all and by vertex, and computes local clustering
/// coefficients. Loops and parallel edges do not count. Each edge leads from its end of smaller
/// degree to the other one (Chiba and Nishizeki 1985; Latapy 2008); the neighbours of a vertex are
/// marked, and those of each neighbour looked up.
///
/// Counts are the same for any number of PEs, and coefficients bit for bit. One task calls it and
/// waits. Throws atl::error: input if the neighbours of vertices are divided
/// (`graph_options::divide_hubs`); out_of_memory.
task<triangle_counts> triangles(global_graph graph, triangles_options options = {},
                                site where = site::current());

/// Counts the triangles, as `triangles` does. Every PE calls it with the same graph and waits; all
/// get the same result. Throws as `triangles`.
task<triangle_counts> all_triangles(global_graph graph, triangles_options options = {},
                                    site where = site::current());

/// Compares the counts with those that PE 0 finds serially in the edges of the input, which the
/// graph must keep. PE 0 needs memory for all edges. One task calls it and waits. Throws
/// atl::error: wrong_result, which names a vertex and what it has; input if the graph keeps no
/// edges, or the counts are of another graph.
task<> verify(global_graph graph, triangle_counts found, site where = site::current());

/// Checks counts, as `verify` does. Every PE calls it with the same arguments and waits. Throws as
/// `verify`.
task<> all_verify(global_graph graph, triangle_counts found, site where = site::current());

}  // namespace atl
