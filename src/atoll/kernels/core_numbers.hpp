#pragma once
// Core numbers of the vertices of a graph. High core numbers mark the vertices of dense parts.

#include "atoll/graph.hpp"

#include <cstdint>
#include <string>

namespace atl {

/// Options for computing core numbers.
struct core_numbers_options {
  /// Is called with the name "peeling" and the fraction of the vertices that has been removed.
  progress_view progress = {};
};

/// The core numbers of the vertices of a graph. The object is a small trivially copyable value,
/// which a program can capture and send. The graph must outlive the object. If the numbers or the
/// graph have been destroyed, every member function throws atl::error (input) that names the line
/// of the call.
struct core_decomposition {
  std::uint32_t largest = 0;           ///< the largest core number, the degeneracy of the graph
  std::uint64_t largest_vertices = 0;  ///< number of vertices with the largest core number
  std::uint64_t levels = 0;            ///< number of different core numbers
  /// Time of peeling in seconds; making the graph is not included.
  double seconds = 0;

  /// The core number of each vertex: the largest k for which the vertex belongs to a subgraph in
  /// which every vertex has at least k neighbours.
  vertex_array<std::uint32_t> core;

  /// Writes a file with the core number of each vertex, as `vertex_array::write` does. One task
  /// calls this function and waits. Throws the errors of `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls this function, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Writes the same file as `write`. Every PE calls this function with the same path and waits.
  /// Throws the errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls this function and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Computes the core number of each vertex by peeling: vertices with the fewest remaining
/// neighbours are removed first (Seidman 1983; Batagelj, Zaversnik 2003). In a directed graph, the
/// direction of arcs is ignored. Parallel edges, and edges in both directions between two vertices,
/// are counted once. Self loops are ignored. Core numbers are the same for any number of PEs.
///
/// One task calls this function and waits. Throws atl::error (input) if the neighbours of vertices
/// are divided over all PEs (`graph_options::divide_hubs`). Throws atl::error (out_of_memory) if
/// memory is exhausted.
task<core_decomposition> core_numbers(global_graph graph, core_numbers_options options = {},
                                      site where = site::current());

/// Computes the core number of each vertex, as `core_numbers` does. Every PE calls this function
/// with the same graph and waits. Every PE gets the same result. Throws the errors of
/// `core_numbers`.
task<core_decomposition> all_core_numbers(global_graph graph, core_numbers_options options = {},
                                          site where = site::current());

/// Compares core numbers with expected numbers, which PE 0 computes serially from the edges of the
/// input. The graph must have kept the edges of the input. PE 0 needs memory for all edges. One
/// task calls this function and waits. If a number is wrong, throws atl::error (wrong_result) that
/// names a vertex, its number, and the expected number. Throws atl::error (input) if the graph
/// keeps no edges, or if the numbers belong to another graph.
task<> verify(global_graph graph, core_decomposition found, site where = site::current());

/// Checks core numbers, as `verify` does. Every PE calls this function with the same arguments and
/// waits. Throws the errors of `verify`.
task<> all_verify(global_graph graph, core_decomposition found, site where = site::current());

}  // namespace atl
