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

/// The components of a graph. Small and trivially copyable: capture it, send it. The graph outlives
/// it.
struct components {
  std::uint64_t count = 0;  ///< of components, those of a single vertex included

  /// Of each vertex the smallest vertex of its component: equal labels, same component.
  vertex_array<vertex_id> label;

  /// The `most` largest components, large ones first; of equal ones the smaller label. One task
  /// calls it. Blocks the task.
  task<std::vector<component>> largest(std::size_t most = 1) const;

  /// Writes a file with the label of each vertex, as `vertex_array::write` does.
  task<> write(std::string path) const;

  /// Gives the memory back. One task, once.
  task<> destroy() const;
};

/// Finds the components by Afforest (Sutton, Ben-Nun, Barak 2018) over all PEs. Arcs of a directed
/// graph count both ways: components are the weakly connected ones. Labels are the same for any
/// number of PEs. One task calls it. Blocks the task. Throws atl::error (out_of_memory).
task<components> connected_components(global_graph graph);

/// The same. Every PE calls it, with the same graph; all get the same.
task<components> all_connected_components(global_graph graph);

/// Checks labels by a union-find of the edges of the input, which the graph keeps. PE 0 needs 16
/// bytes for each vertex. One task calls it. Blocks the task. Throws atl::error: wrong_result that
/// says what is wrong, input where the graph keeps no edges.
task<> verify(global_graph graph, components found);

}  // namespace atl
