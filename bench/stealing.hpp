#pragma once
// How well work that is born on one PE spreads: `tasks` stealable tasks, each of which computes for
// `work`, all spawned by one task of PE 0. A task's work is a chain of dependent multiplications,
// as many as take that long on one core that does nothing else.

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::stealing {

struct parameters {
  std::uint64_t tasks = 1'000'000;
  std::uint64_t multiplications = 1'000;  ///< of each task, see `multiplications_in`
};

struct outcome {
  double seconds = 0;
  std::uint64_t executed = 0;  ///< tasks, counted by the PEs that ran them
  std::uint64_t stolen = 0;  ///< of them, by another PE than the one they were on; again and again
  std::uint64_t steals = 0;  ///< messages that brought some
  std::uint64_t least_executed = 0;  ///< by the PE that ran the fewest

  double rate() const { return static_cast<double>(executed) / seconds; }
};

/// How many dependent multiplications take so many nanoseconds on this core. Blocks for some
/// milliseconds.
std::uint64_t multiplications_in(std::uint64_t nanoseconds);

/// The whole benchmark once, called by the main task of a job.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::stealing
