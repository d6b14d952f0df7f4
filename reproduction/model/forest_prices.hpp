#pragma once
// Measures the costs of the local parts of finding a minimum spanning forest on this machine, for
// the model of a cluster. The code is that of the kernel, on the part of one PE.

#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds of one PE for each kind of work. The kinds are explained in
/// src/atoll/kernels/mst/lists.hpp.
struct steps_of_a_forest {
  double edge_built = 0;
  double edge_scanned = 0;
  double edge_relabelled = 0;
  double edge_merged = 0;
  double edge_sorted = 0;
  double component_visited = 0;
};

/// Measures the costs in a job of one PE. The main task calls this. The measurement takes seconds,
/// and 200 MB.
task<steps_of_a_forest> measure_forest();

}  // namespace atl::reproduction::prices
