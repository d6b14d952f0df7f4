#pragma once
// Connected components of a graph.

#include "atoll/graph.hpp"

#include <string>
#include <vector>

namespace atl {

/// A component and its size.
struct component {
  vertex_id label = no_vertex;  ///< the smallest vertex of the component
  std::uint64_t vertices = 0;
};

/// The number of components, and their sizes.
struct component_counts {
  std::uint64_t components = 0;
  std::uint64_t single_vertices = 0;  ///< number of components of one vertex
  /// Element k is the number of components that have from 2^k to 2^(k+1) - 1 vertices. The last
  /// element includes the largest component.
  std::vector<std::uint64_t> by_power_of_two;
  /// The largest components, in descending order of size. Components of equal size are in the order
  /// of their labels.
  std::vector<component> largest;
};

/// Options for finding components.
struct components_options {
  /// Is called with the name "labelling" and the fraction of the work that is done.
  progress_view progress = {};
};

/// The components of a graph. The object is a small trivially copyable value, which a program can
/// capture and send. The graph must outlive the object. If the labels or the graph have been
/// destroyed, every member function throws atl::error (input) that names the line of the call.
struct components {
  std::uint64_t count = 0;  ///< number of components, including single vertices
  /// Time to label the vertices, in seconds, without the time to make the graph and this result.
  double seconds = 0;
  std::uint64_t arcs_looked_at = 0;  ///< number of arcs that all PEs have examined

  /// The label of each vertex: the smallest vertex of its component. Vertices with equal labels are
  /// in the same component.
  vertex_array<vertex_id> label;

  /// Returns the `most` largest components, in descending order of size. Components of equal size
  /// are in the order of their labels. One task calls this function and waits.
  task<std::vector<component>> largest(std::size_t most = 1, site where = site::current()) const;

  /// Returns the sizes of all components, and the `most` largest components. One task calls this
  /// function and waits.
  task<component_counts> sizes(std::size_t most = 1, site where = site::current()) const;

  /// Writes a file with the label of each vertex, as `vertex_array::write` does. One task calls
  /// this function and waits. Throws the errors of `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls this function, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Returns the `most` largest components, as `largest` does. Every PE calls this function with
  /// the same argument and waits. Every PE gets the same result.
  task<std::vector<component>> all_largest(std::size_t most = 1,
                                           site where = site::current()) const;
  /// Writes the same file as `write`. Every PE calls this function with the same path and waits.
  /// Throws the errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls this function and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Finds the connected components by Afforest (Sutton, Ben-Nun, Barak 2018) over all PEs. In a
/// directed graph, the direction of arcs is ignored: the result is the weakly connected components.
/// Labels are the same for any number of PEs. One task calls this function and waits. Throws
/// atl::error (out_of_memory) if memory is exhausted.
task<components> connected_components(global_graph graph, components_options options = {},
                                      site where = site::current());

/// Finds the connected components, as `connected_components` does. Every PE calls this function
/// with the same graph and waits. Every PE gets the same result. Throws the errors of
/// `connected_components`.
task<components> all_connected_components(global_graph graph, components_options options = {},
                                          site where = site::current());

/// Checks labels by a union-find over the edges of the input. The graph must have kept the edges of
/// the input. PE 0 needs 16 bytes per vertex. One task calls this function and waits. If a label is
/// wrong, throws atl::error (wrong_result) that names a wrong vertex and its label. Throws
/// atl::error (input) if the graph keeps no edges, or if the labels belong to another graph.
task<> verify(global_graph graph, components found, site where = site::current());

/// Checks labels, as `verify` does. Every PE calls this function with the same arguments and waits.
/// Throws the errors of `verify`.
task<> all_verify(global_graph graph, components found, site where = site::current());

}  // namespace atl
