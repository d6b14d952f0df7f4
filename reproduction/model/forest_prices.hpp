#pragma once
// What the parts of finding a minimum spanning forest that need no other PE cost this machine: the
// code of the kernel itself, on the part of one PE. For the model of a cluster.

#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds of a PE; see src/atoll/kernels/mst/work.hpp.
struct steps_of_a_forest {
  double edge_built = 0;
  double edge_scanned = 0;
  double edge_relabelled = 0;
  double edge_merged = 0;
  double edge_sorted = 0;
  double component_visited = 0;
};

/// One PE; called by its main task. Takes seconds, and 200 MB.
task<steps_of_a_forest> measure_forest();

}  // namespace atl::reproduction::prices
