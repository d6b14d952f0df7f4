#pragma once
// How many concurrent tasks hide a latency: UTS in memory (src/atoll/kernels/uts/memory.hpp),
// searched with
// `--workers` tasks under way on each PE, over a wire that is as slow as the setting `delay` says.
// The latency is that of its reads, of which the runtime times a sample.
// (The concurrency sweep of Grappa's authors.)

#include "atoll/random_graph.hpp"

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::reproduction::concurrency {

struct outcome {
  tree_totals found{};
  double seconds = 0;
  double latency_mean = 0;      ///< of a blocking read of another PE's memory, ns; 0 with one PE
  double latency_quantile = 0;  ///< 99 of 100 take no longer, ns
  double idle_fraction = 0;     ///< of the time of all PEs, without a ready task or a message

  double rate() const { return static_cast<double>(found.nodes) / seconds; }
};

/// One traversal with the settings of the job, called by its main task. The parameters must say how
/// large the tree is.
task<outcome> measure(tree_parameters tree);

}  // namespace atl::reproduction::concurrency
