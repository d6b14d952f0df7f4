#pragma once
// Measures how many concurrent tasks hide a latency, as Grappa's authors did. UTS in memory
// (bench/uts_in_memory.hpp) is searched with `--workers` tasks per PE. The setting `delay` slows
// the network. The runtime samples the latency of reads.

#include "atoll/random_graph.hpp"

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::reproduction::concurrency {

struct outcome {
  tree_totals found{};
  double seconds = 0;
  double latency_mean = 0;      ///< mean time in ns to read memory of another PE; 0 with one PE
  double latency_quantile = 0;  ///< 99th percentile of that time in ns
  double idle_fraction = 0;     ///< fraction of time without a ready task or a message

  double rate() const { return static_cast<double>(found.nodes) / seconds; }
};

/// Searches the tree once, with the settings of the job. The main task calls this. `tree` must
/// contain the size of the tree.
task<outcome> measure(tree_parameters tree);

}  // namespace atl::reproduction::concurrency
