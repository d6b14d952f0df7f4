#pragma once
// Communities of a graph by label propagation.

#include "atoll/graph.hpp"
#include "atoll/kernels/components.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace atl {

/// Options of label propagation.
struct label_propagation_options {
  std::uint64_t iterations = 10;  ///< number of iterations
  /// Is called after each iteration, with the name "propagating" and the fraction of the iterations
  /// that is done.
  progress_view progress = {};
};

/// The labels of the vertices of a graph. Vertices with equal labels form a community. The object
/// is a small trivially copyable value, which a program can capture and send. The graph must
/// outlive the object. If the labels or the graph have been destroyed, every member function throws
/// atl::error (input) that names the line of the call.
struct propagated_labels {
  vertex_array<vertex_id> label;  ///< the label of each vertex; every label is a vertex
  /// Number of iterations that were computed. An iteration that changes no label is the last one,
  /// because further iterations could not change a label either.
  std::uint64_t iterations = 0;
  std::uint64_t changed = 0;       ///< number of vertices whose label the last iteration changed
  double seconds = 0;              ///< time in seconds of the iterations
  double plan_seconds = 0;         ///< time in seconds to prepare the iterations
  label_propagation_options with;  ///< the options of the computation, without `progress`

  /// Returns the number of communities, their sizes, and the `most` largest communities. One task
  /// calls this function and waits. Throws atl::error (wrong_result) if a label is not a vertex.
  task<component_counts> sizes(std::size_t most = 1, site where = site::current()) const;

  /// Writes a file with the label of each vertex, as `vertex_array::write` does. One task calls
  /// this function and waits. Throws the errors of `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls this function, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Writes the same file as `write`. Every PE calls this function with the same path and waits.
  /// Throws the errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls this function and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Propagates labels as the algorithm CDLP of LDBC Graphalytics does (Raghavan, Albert, Kumara
/// 2007, with synchronous iterations). At first, each vertex is its own label. In each iteration,
/// all vertices at once take the most frequent label among their neighbours. If several labels are
/// equally frequent, a vertex takes the smallest of these labels.
///
/// In a directed graph, the two endpoints of an arc are neighbours of each other. If arcs in both
/// directions connect two vertices, each vertex counts the label of the other vertex twice.
/// Parallel edges are counted once, and self loops are ignored. A vertex without neighbours keeps
/// its label. Labels are the same for any number of PEs.
///
/// One task calls this function and waits. Throws atl::error (input) if the neighbours of vertices
/// are divided over all PEs (`graph_options::divide_hubs`). Throws atl::error (out_of_memory) if
/// memory is exhausted.
task<propagated_labels> label_propagation(global_graph graph,
                                          label_propagation_options options = {},
                                          site where = site::current());

/// Propagates labels, as `label_propagation` does. Every PE calls this function with the same
/// arguments and waits. Every PE gets the same result. Throws the errors of `label_propagation`.
task<propagated_labels> all_label_propagation(global_graph graph,
                                              label_propagation_options options = {},
                                              site where = site::current());

/// Compares labels with expected labels, which PE 0 computes serially from the edges of the input.
/// The graph must have kept the edges of the input. PE 0 needs memory for all edges. One task calls
/// this function and waits. If a label is wrong, throws atl::error (wrong_result) that names a
/// vertex, its label, and the expected label. Throws atl::error (input) if the graph keeps no
/// edges, or if the labels belong to another graph.
task<> verify(global_graph graph, propagated_labels found, site where = site::current());

/// Checks labels, as `verify` does. Every PE calls this function with the same arguments and waits.
/// Throws the errors of `verify`.
task<> all_verify(global_graph graph, propagated_labels found, site where = site::current());

}  // namespace atl
