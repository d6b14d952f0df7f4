#pragma once
// Betweenness centrality: a measure of how many shortest paths lead through each vertex.

#include "atoll/graph.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl {

/// Options of betweenness centrality.
struct betweenness_options {
  /// Number of sources: different vertices at which the examined paths begin. By default, every
  /// vertex is a source. If not every vertex is a source, the result is an estimate. `sources` must
  /// be at least 1.
  std::optional<std::uint64_t> sources = {};
  /// Seed of the random choice of sources. Equal seeds give equal sources for any number of PEs.
  std::uint64_t seed = 1;
  /// If `normalized` is true, each value is divided by (n - 1)(n - 2), where n is the number of
  /// vertices. For each vertex, (n - 1)(n - 2) is the number of ordered pairs of other vertices. If
  /// `normalized` is false, each pair of vertices of an undirected graph is counted once.
  bool normalized = true;
  /// Is called after each source, with the name "accumulating" and the fraction of the sources that
  /// is done.
  progress_view progress = {};
};

/// A vertex and its betweenness.
struct vertex_betweenness {
  vertex_id vertex = no_vertex;
  double betweenness = 0;
};

/// The betweenness of the vertices of a graph. The object is a small trivially copyable value,
/// which a program can capture and send. The graph must outlive the object. If the values or the
/// graph have been destroyed, every member function throws atl::error (input) that names the line
/// of the call.
struct betweenness_values {
  vertex_array<double> betweenness;
  std::uint64_t sources = 0;  ///< number of sources
  double seconds = 0;         ///< time in seconds for all sources, without the preparation
  double plan_seconds = 0;    ///< time in seconds of the preparation before the first source
  betweenness_options with;   ///< the options of the computation, without `progress`

  /// Returns the `most` vertices of largest betweenness, in descending order of betweenness. Among
  /// vertices of equal betweenness, the smaller vertex comes first. One task calls this function
  /// and waits.
  task<std::vector<vertex_betweenness>> top(std::size_t most = 10,
                                            site where = site::current()) const;

  /// Writes a file with the betweenness of each vertex, as `vertex_array::write` does. One task
  /// calls this function and waits. Throws the errors of `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls this function, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Returns the `most` vertices of largest betweenness, as `top` does. Every PE calls this
  /// function with the same argument and waits. Every PE gets the same result.
  task<std::vector<vertex_betweenness>> all_top(std::size_t most = 10,
                                                site where = site::current()) const;
  /// Writes the same file as `write`. Every PE calls this function with the same path and waits.
  /// Throws the errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls this function and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Computes the betweenness of all vertices (Brandes 2001). The betweenness of a vertex v is a sum
/// over all pairs of other vertices. For each pair, the sum contains the fraction of the pair's
/// shortest paths that lead through v. Each edge has length 1. Self loops and parallel edges are
/// ignored. In a directed graph, paths follow the direction of arcs.
///
/// If there are K sources and n vertices, the sum over the sources is multiplied by n / K. If every
/// vertex is a source, values are those of the function `betweenness_centrality` of networkx. The
/// values are the same, bit for bit, for any number of PEs.
///
/// One task calls this function and waits. Throws atl::error (input) if `sources` is 0, or if the
/// neighbours of vertices are divided over all PEs (`graph_options::divide_hubs`). Throws
/// atl::error (out_of_memory) if memory is exhausted. Throws atl::error (input) also if the number
/// of shortest paths between two vertices is too large for a double.
task<betweenness_values> betweenness(global_graph graph, betweenness_options options = {},
                                     site where = site::current());

/// Computes the betweenness of all vertices, as `betweenness` does. Every PE calls this function
/// with the same arguments and waits. Every PE gets the same result. Throws the errors of
/// `betweenness`.
task<betweenness_values> all_betweenness(global_graph graph, betweenness_options options = {},
                                         site where = site::current());

/// Returns the sources of a graph with `vertices` vertices, in the order in which `betweenness`
/// processes them. Any PE may call this function. The call does not communicate.
std::vector<vertex_id> betweenness_sources(std::uint64_t vertices,
                                           const betweenness_options& options);

/// Compares the values with expected values. PE 0 computes the expected values serially from the
/// edges of the input, for the same sources. The relative error of a value may be at most 1e-9. The
/// graph must have kept the edges of the input. PE 0 needs memory for all edges. One task calls
/// this function and waits. If a value is wrong, throws atl::error (wrong_result) that names a
/// vertex, its value, and the expected value. Throws atl::error (input) if the graph keeps no
/// edges, or if the values belong to another graph.
task<> verify(global_graph graph, betweenness_values found, site where = site::current());

/// Checks values, as `verify` does. Every PE calls this function with the same arguments and waits.
/// Throws the errors of `verify`.
task<> all_verify(global_graph graph, betweenness_values found, site where = site::current());

}  // namespace atl
