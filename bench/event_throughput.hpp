#pragma once
// Measures how many input events of merged events trigger per second. A track is a sequence of
// levels of `fan` events, which are distributed evenly over the PEs. Every event of a level waits
// for all events of the previous level. Tracks are independent of each other. The benchmark repeats
// the event throughput benchmark of Realm's authors.

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::event_throughput {

struct parameters {
  std::uint64_t fan = 16;
  std::uint64_t levels = 1000;
  std::uint64_t tracks = 1;
};

struct outcome {
  /// Time between the creation of the first event and the trigger of the last event.
  double seconds = 0;
  double creation_seconds = 0;  ///< part of `seconds` in which the events were made
  /// Number of merged events, which are the events of all levels except the first.
  std::uint64_t events = 0;
  std::uint64_t inputs = 0;
  std::uint64_t wrong = 0;  ///< number of events that triggered too early or not at all

  double rate() const { return static_cast<double>(inputs) / seconds; }
};

/// Runs the benchmark once, after a round that is not measured. In the round that is not measured,
/// the runtime allocates its memory. The main task of a job calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::event_throughput
