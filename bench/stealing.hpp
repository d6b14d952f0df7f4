#pragma once
// Measures how fast work that one PE creates reaches the other PEs. One task of PE 0 spawns `tasks`
// stealable tasks. Each spawned task performs `multiplications` multiplications, each of which
// needs the result of the previous multiplication.

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::stealing {

struct parameters {
  std::uint64_t tasks = 1'000'000;
  /// Number of multiplications per task, which `multiplications_in` computes from a time.
  std::uint64_t multiplications = 1'000;
};

struct outcome {
  double seconds = 0;
  std::uint64_t executed = 0;        ///< number of tasks, as counted by the PEs that ran them
  std::uint64_t stolen = 0;          ///< number of times that a task moved to another PE
  std::uint64_t steals = 0;          ///< number of messages with stolen tasks
  std::uint64_t least_executed = 0;  ///< number of tasks that ran on the PE with the fewest tasks

  double rate() const { return static_cast<double>(executed) / seconds; }
};

/// Returns the number of dependent multiplications that take `nanoseconds` on this core. The call
/// blocks for some milliseconds.
std::uint64_t multiplications_in(std::uint64_t nanoseconds);

/// Runs the whole benchmark once. The main task of a job calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::stealing
