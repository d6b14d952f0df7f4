#pragma once
// Connected components of a graph.

#include "atoll/graph.hpp"

#include <string>
#include <vector>

namespace atl {

/// A component and its size.
struct component {
  vertex_id label = no_vertex;  ///< its smallest vertex
  std::uint64_t vertices = 0;
};

/// How many components there are, and how large.
struct component_counts {
  std::uint64_t components = 0;
  std::uint64_t single_vertices = 0;  ///< components of one vertex
  /// Components of 2^k up to 2^(k+1) - 1 vertices, for each k up to the last that has any.
  std::vector<std::uint64_t> by_power_of_two;
  std::vector<component> largest;  ///< large ones first; of equal ones the smaller label
};

/// How components are found.
struct components_options {
  progress_view progress = {};  ///< hears, for "labelling", which part of it is done
};

/// The components of a graph. Small and trivially copyable: capture it, send it. The graph outlives
/// it. All calls throw atl::error (input), with their line, where the labels or their graph were
/// destroyed.
struct components {
  std::uint64_t count = 0;           ///< of components, those of a single vertex included
  double seconds = 0;                ///< that labelling took, without the graph and this result
  std::uint64_t arcs_looked_at = 0;  ///< by all PEs

  /// Of each vertex the smallest vertex of its component: equal labels, same component.
  vertex_array<vertex_id> label;

  /// The `most` largest components, large ones first; of equal ones the smaller label. One task
  /// calls it. Blocks the task.
  task<std::vector<component>> largest(std::size_t most = 1, site where = site::current()) const;

  /// The sizes of all components, and the `most` largest. One task calls it. Blocks the task.
  task<component_counts> sizes(std::size_t most = 1, site where = site::current()) const;

  /// Writes a file with the label of each vertex, as `vertex_array::write` does.
  task<> write(std::string path, site where = site::current()) const;

  /// Gives the memory back. One task, once.
  task<> destroy(site where = site::current()) const;

  /// The same. Every PE calls them, with the same arguments; all get the same.
  task<std::vector<component>> all_largest(std::size_t most = 1,
                                           site where = site::current()) const;
  task<> all_write(std::string path, site where = site::current()) const;
  task<> all_destroy(site where = site::current()) const;
};

/// Finds the components by Afforest (Sutton, Ben-Nun, Barak 2018) over all PEs. Arcs of a directed
/// graph count both ways: components are the weakly connected ones. Labels are the same for any
/// number of PEs. One task calls it. Blocks the task. Throws atl::error (out_of_memory).
task<components> connected_components(global_graph graph, components_options options = {},
                                      site where = site::current());

/// The same. Every PE calls it, with the same graph; all get the same.
task<components> all_connected_components(global_graph graph, components_options options = {},
                                          site where = site::current());

/// Checks labels by a union-find of the edges of the input, which the graph keeps. PE 0 needs 16
/// bytes for each vertex. One task calls it. Blocks the task. Throws atl::error: wrong_result that
/// names a vertex and its label; input where the graph keeps no edges, or labels are of another.
task<> verify(global_graph graph, components found, site where = site::current());

/// The same. Every PE calls it, with the same arguments.
task<> all_verify(global_graph graph, components found, site where = site::current());

}  // namespace atl
