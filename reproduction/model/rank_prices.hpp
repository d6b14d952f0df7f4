#pragma once
// Measures the costs of the steps that one PE performs in a PageRank iteration, for the performance
// model of a cluster. The measured code is the code of the kernel.

#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds per unit of each kind of work on one PE.
struct steps_of_a_rank {
  double contribution_summed = 0;
  double contribution_combined = 0;
  double rank_updated = 0;
};

/// Measures the costs in a job of one PE. The main task calls this function. The measurement takes
/// a few seconds and 300 MB of memory.
task<steps_of_a_rank> measure_ranks();

}  // namespace atl::reproduction::prices
