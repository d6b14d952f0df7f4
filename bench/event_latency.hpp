#pragma once
// Measures the time between the trigger of an event and the trigger of an event that depends on it.
// The events form a chain around the ring of PEs. The first PE makes a user event and sends it to
// the next PE. Each following PE makes an event that triggers when the received event has
// triggered, and sends the new event to the next PE of the ring. The benchmark repeats the event
// latency benchmark of Realm's authors.

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::event_latency {

struct outcome {
  /// Time between the trigger of the first event and the trigger of the last event.
  double seconds = 0;
  double creation_seconds = 0;  ///< time to make all events
  std::uint64_t events = 0;
  /// Number of earlier events of the chain that had not triggered when its last event triggered.
  std::uint64_t out_of_order = 0;
};

/// Runs the benchmark once, after a round that is not measured. The main task of a job calls this
/// function.
task<outcome> measure(std::uint64_t events);

}  // namespace atl::bench::event_latency
