#pragma once
// Measures the time from the trigger of an event to the trigger of a dependent event, on a chain of
// events around the ring of PEs. The first PE makes a user event and passes it on. Each next PE
// makes an event that triggers when the received event has triggered, and passes the new event on.
// (This is the event latency benchmark of Realm's authors.)

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::event_latency {

struct outcome {
  double seconds = 0;           ///< from triggering the first event to the trigger of the last
  double creation_seconds = 0;  ///< time to make all events
  std::uint64_t events = 0;
  std::uint64_t out_of_order = 0;  ///< events not triggered although the last one was
};

/// Runs the whole benchmark once, after an untimed round. The main task of a job calls this
/// function.
task<outcome> measure(std::uint64_t events);

}  // namespace atl::bench::event_latency
