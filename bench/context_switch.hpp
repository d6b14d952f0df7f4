#pragma once
// The cost of a context switch between tasks.
//
// Each PE has `tasks` tasks in its ready queue; each adds to its own cache line in a large array
// and yields, round after round. The queue is first in, first out, so between two turns of one task
// every other runs exactly once: the task that measures yields along with them, and times whole
// rounds, without the start and the end of the tasks. Whether each task really ran once a round is
// checked. PEs measure at the same time, and their tasks go on until the last PE has measured.

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::context_switch {

struct parameters {
  std::uint64_t tasks = 1000;           ///< on each PE
  std::uint64_t switches = 20'000'000;  ///< timed on each PE, at least; whole rounds
};

struct outcome {
  double seconds = 0;             ///< of the slowest PE
  std::uint64_t switches = 0;     ///< of all PEs
  std::uint64_t wrong_tasks = 0;  ///< those that did not run once a round

  double rate() const { return static_cast<double>(switches) / seconds; }
};

/// The whole benchmark once, called by the main task of a job.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::context_switch
