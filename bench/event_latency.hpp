#pragma once
// How long it takes from the trigger of an event to that of one that depends on it: a chain of
// events around the ring of PEs. The first PE makes a user event and passes it on; each next PE
// makes an event that is triggered when the one it got is, and passes that on. (The benchmark of
// event latency of Realm's authors.)

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::event_latency {

struct outcome {
  double seconds = 0;           ///< from triggering the first event to the trigger of the last
  double creation_seconds = 0;  ///< of all events
  std::uint64_t events = 0;
  std::uint64_t out_of_order = 0;  ///< events that had not triggered, of those that must have
};

/// The whole benchmark once, after a round that is not timed; called by the main task of a job.
task<outcome> measure(std::uint64_t events);

}  // namespace atl::bench::event_latency
