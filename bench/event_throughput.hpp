#pragma once
// How many events merge and trigger a second: levels of `fan` events, spread evenly over the PEs;
// every event of a level waits for all of the level before. Several tracks of levels know nothing
// of each other. (The benchmark of event throughput of Realm's authors.)

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::event_throughput {

struct parameters {
  std::uint64_t fan = 16;
  std::uint64_t levels = 1000;
  std::uint64_t tracks = 1;
};

struct outcome {
  double seconds = 0;           ///< from before the first event is made to the trigger of the last
  double creation_seconds = 0;  ///< the part of it until all have been made
  std::uint64_t events = 0;     ///< that merge others: not those of the first level
  std::uint64_t inputs = 0;
  std::uint64_t wrong = 0;  ///< events that have triggered too early or not at all

  double rate() const { return static_cast<double>(inputs) / seconds; }
};

/// The whole benchmark once, after a round that is not timed and that the runtime gets its memory
/// in; called by the main task of a job.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::event_throughput
