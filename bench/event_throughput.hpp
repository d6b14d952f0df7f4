#pragma once
// Measures how many inputs of merged events trigger per second. A track is a sequence of levels of
// `fan` events, spread evenly over the PEs. Every event of a level waits for all events of the
// level before. Tracks are independent of each other. (This is the event throughput benchmark of
// Realm's authors.)

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
  double creation_seconds = 0;  ///< part of `seconds`, until all events exist
  std::uint64_t events = 0;     ///< merged events: all levels except the first
  std::uint64_t inputs = 0;
  std::uint64_t wrong = 0;  ///< events that have triggered too early or not at all

  double rate() const { return static_cast<double>(inputs) / seconds; }
};

/// Runs the whole benchmark once, after an untimed round in which the runtime allocates its memory.
/// The main task of a job calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::event_throughput
