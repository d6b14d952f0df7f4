#pragma once
// What the parts of an iteration of PageRank that need no other PE cost this machine: the code of
// the kernel itself, on the part of one PE. For the model of a cluster.

#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds of a PE.
struct steps_of_a_rank {
  double contribution_summed = 0;
  double contribution_combined = 0;
  double rank_updated = 0;
};

/// One PE; called by its main task. Takes seconds, and 300 MB.
task<steps_of_a_rank> measure_ranks();

}  // namespace atl::reproduction::prices
