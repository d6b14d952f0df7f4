#pragma once
// The cost of a context switch between tasks.
//
// Each PE has `tasks` tasks in its ready queue. In each round every task adds to its own cache line
// in a large array and yields. The queue is first in, first out: between two turns of one task
// every other task runs exactly once. The measuring task yields along with the others and times
// whole rounds, without the start and the end of the tasks. The benchmark checks that each task ran
// once per round. PEs measure at the same time, and their tasks go on until the last PE has
// measured.

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::context_switch {

struct parameters {
  std::uint64_t tasks = 1000;           ///< on each PE
  std::uint64_t switches = 20'000'000;  ///< timed per PE at least, in whole rounds
};

struct outcome {
  double seconds = 0;             ///< on the slowest PE
  std::uint64_t switches = 0;     ///< on all PEs together
  std::uint64_t wrong_tasks = 0;  ///< tasks that did not run once per round

  double rate() const { return static_cast<double>(switches) / seconds; }
};

/// Runs the whole benchmark once. The main task of a job calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::context_switch
