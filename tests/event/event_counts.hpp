#pragma once
// Counters of events on all PEs, and the number of events that are still in memory.

#include "atoll/delegates.hpp"
#include "atoll/event.hpp"
#include "atoll/event/table.hpp"

namespace atl::test {

/// The sums of the event counters of all PEs.
struct event_counts {
  std::uint64_t made = 0;
  std::uint64_t ended = 0;
  std::uint64_t added = 0;
  std::uint64_t woken = 0;
  std::uint64_t slots = 0;
  reservation_statistics reserved;
};

inline task<event_counts> count_events() {
  event_counts all;
  for (int pe = 0; pe < pes(); ++pe) {
    const auto count = [to = &all] {
      const auto& counters = *this_pe().counters;
      to->made += counters.events_made;
      to->ended += counters.events_ended;
      to->added += counters.waiters_added;
      to->woken += counters.waiters_woken;
      to->slots += events::table::here().own_slots_in_use();
      to->reserved.add(local_reservation_statistics());
    };
    co_await call(pe, count);
  }
  co_return all;
}

}  // namespace atl::test
