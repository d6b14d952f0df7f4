#pragma once
// Measures how many concurrent tasks are needed to hide a latency, as Grappa's authors did. The
// program searches a tree in memory (bench/uts_in_memory.hpp) with `--workers` tasks per PE. The
// setting `delay` adds latency to the network. The runtime measures the latency of a sample of the
// reads.

#include "atoll/random_graph.hpp"

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::reproduction::concurrency {

struct outcome {
  tree_totals found{};
  double seconds = 0;
  double latency_mean = 0;      ///< mean time in ns to read memory of another PE; 0 with one PE
  double latency_quantile = 0;  ///< 99th percentile of that time in ns
  double idle_fraction = 0;     ///< fraction of time in which a PE has no ready task and no message

  double rate() const { return static_cast<double>(found.nodes) / seconds; }
};

/// Searches the tree once, with the settings of the job. The main task calls this function. The
/// number of nodes in `tree` must be set.
task<outcome> measure(tree_parameters tree);

}  // namespace atl::reproduction::concurrency
