#pragma once
// Measures the costs of the steps by which one PE finds a minimum spanning forest, for the
// performance model of a cluster. The measured code is the code of the kernel.

#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds per unit of each kind of work on one PE. The file src/atoll/kernels/mst/lists.hpp
/// explains the kinds.
struct steps_of_a_forest {
  double edge_built = 0;
  double edge_scanned = 0;
  double edge_relabelled = 0;
  double edge_merged = 0;
  double edge_sorted = 0;
  double component_visited = 0;
};

/// Measures the costs in a job of one PE. The main task calls this function. The measurement takes
/// a few seconds and 200 MB of memory.
task<steps_of_a_forest> measure_forest();

}  // namespace atl::reproduction::prices
