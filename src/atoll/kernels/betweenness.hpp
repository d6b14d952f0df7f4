#pragma once
// Betweenness centrality: how many shortest paths lead through each vertex.

#include "atoll/graph.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl {

/// Options of betweenness centrality.
struct betweenness_options {
  /// Number of different vertices at which counted paths begin, at least 1; by default, all
  /// vertices. Fewer sources give an estimate.
  std::optional<std::uint64_t> sources = {};
  std::uint64_t seed = 1;  ///< chooses the sources, the same for any number of PEs
  /// Divides by the number of ordered pairs of other vertices, (n - 1)(n - 2). Otherwise a pair of
  /// vertices of an undirected graph counts once.
  bool normalized = true;
  /// Called for "accumulating" after each source, with the fraction of the sources that is done.
  progress_view progress = {};
};

/// A vertex and its betweenness.
struct vertex_betweenness {
  vertex_id vertex = no_vertex;
  double betweenness = 0;
};

/// The betweenness of the vertices of a graph. The object is a small trivially copyable value,
/// which a program can capture and send. The graph must outlive the object. All functions throw
/// atl::error (input), with the line of the call, if the values or their graph were destroyed.
struct betweenness_values {
  vertex_array<double> betweenness;
  std::uint64_t sources = 0;  ///< number of sources
  double seconds = 0;         ///< time for all sources, without preparing
  double plan_seconds = 0;    ///< time to prepare them
  betweenness_options with;   ///< the options of the computation, without `progress`

  /// Returns the `most` vertices of largest betweenness, largest first; of equal ones, the smaller
  /// vertex comes first. One task calls it and waits.
  task<std::vector<vertex_betweenness>> top(std::size_t most = 10,
                                            site where = site::current()) const;

  /// Writes a file with the betweenness of each vertex, as `vertex_array::write` does. One task
  /// calls it and waits. Throws the errors of `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls it, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Returns the `most` vertices of largest betweenness, as `top` does. Every PE calls it with the
  /// same argument and waits. Every PE gets the same result.
  task<std::vector<vertex_betweenness>> all_top(std::size_t most = 10,
                                                site where = site::current()) const;
  /// Writes the same file as `write`. Every PE calls it with the same path and waits. Throws the
  /// errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls it and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Computes the betweenness of all vertices (Brandes 2001): for each vertex, the sum over pairs of
/// other vertices of the fraction of their shortest paths that lead through it. Each edge has
/// length 1; loops and parallel edges do not count. Arcs of a directed graph are followed in their
/// direction.
///
/// With K sources, the sum over these is multiplied by n / K. The result is that of
/// `betweenness_centrality` of networkx for all vertices. It is the same, bit for bit, for any
/// number of PEs.
///
/// One task calls it and waits. Throws atl::error: input if `sources` is 0, if the neighbours of
/// vertices are divided (`graph_options::divide_hubs`), or if a double cannot hold a number of
/// paths; out_of_memory.
task<betweenness_values> betweenness(global_graph graph, betweenness_options options = {},
                                     site where = site::current());

/// Computes the betweenness of all vertices, as `betweenness` does. Every PE calls it with the same
/// arguments and waits. Every PE gets the same result. Throws the errors of `betweenness`.
task<betweenness_values> all_betweenness(global_graph graph, betweenness_options options = {},
                                         site where = site::current());

/// Returns the sources of a graph with so many vertices, in the order in which their values are
/// added up. Any PE may call it; the call does not communicate.
std::vector<vertex_id> betweenness_sources(std::uint64_t vertices,
                                           const betweenness_options& options);

/// Compares the values, to a relative 1e-9, with those that PE 0 computes serially from the edges
/// of the input, which the graph must keep, and the same sources. PE 0 needs memory for all edges.
/// One task calls it and waits. Throws atl::error: wrong_result, which names a vertex and both
/// values; input if the graph keeps no edges, or the values are of another graph.
task<> verify(global_graph graph, betweenness_values found, site where = site::current());

/// Checks values, as `verify` does. Every PE calls it with the same arguments and waits. Throws the
/// errors of `verify`.
task<> all_verify(global_graph graph, betweenness_values found, site where = site::current());

}  // namespace atl
