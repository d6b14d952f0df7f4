#pragma once
// Measures the costs of the local parts of a PageRank iteration on this machine, for the model of a
// cluster. The measured code is the code of the kernel, and works on the part of one PE.

#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds of one PE for each kind of work.
struct steps_of_a_rank {
  double contribution_summed = 0;
  double contribution_combined = 0;
  double rank_updated = 0;
};

/// Measures the costs in a job of one PE. The main task calls this. The measurement takes seconds,
/// and 300 MB.
task<steps_of_a_rank> measure_ranks();

}  // namespace atl::reproduction::prices
