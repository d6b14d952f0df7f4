#pragma once
// Connected components of a graph over all PEs: every vertex gets a label, the smallest vertex of
// its component, whatever the algorithm. Edges count both ways; of a directed graph these are the
// weakly connected components.

#include "atoll/kernels/cc/afforest.hpp"

namespace atl::kernels::cc {

/// Labels the vertices in `forests`, started on every PE. Every PE calls it; labels of other PEs
/// may be read after a barrier.
template <class Id>
task<> all_label(distributed_graph<Id> graph, per_pe<forest_part<Id>> forests) {
  afforest<Id> run(graph, forests);
  co_await run.all_label();
}

}  // namespace atl::kernels::cc
