#pragma once
// Measures the cost of a context switch between tasks.
//
// Each PE has `tasks` tasks in its ready queue. A task adds to its own cache line in a large array,
// and then yields. The ready queue is first in, first out, so every other task runs exactly once
// between two turns of a task. The measuring task yields like the other tasks. The measuring task
// measures whole rounds, without the start and the end of the tasks. The benchmark checks that each
// task ran once per round. All PEs measure at the same time, and their tasks continue until the
// last PE has measured.

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::context_switch {

struct parameters {
  std::uint64_t tasks = 1000;  ///< number of tasks on each PE
  /// Minimum number of measured context switches per PE. The benchmark rounds the minimum up to
  /// whole rounds.
  std::uint64_t switches = 20'000'000;
};

struct outcome {
  double seconds = 0;             ///< time of the slowest PE
  std::uint64_t switches = 0;     ///< number of context switches on all PEs together
  std::uint64_t wrong_tasks = 0;  ///< number of tasks that did not run once per round

  double rate() const { return static_cast<double>(switches) / seconds; }
};

/// Runs the benchmark once. The main task of a job calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::context_switch
