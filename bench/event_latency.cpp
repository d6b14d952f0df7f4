#include "bench/event_latency.hpp"

#include "atoll/atoll.hpp"

#include <algorithm>
#include <vector>

namespace atl::bench::event_latency {
namespace {

/// The events that each PE has made, in the order of the chain.
using made_events = per_pe<std::vector<event>>;

struct link {
  made_events made;
  std::uint64_t events;

  /// Makes the events of the chain, beginning with the event `number`. Each event is made on the PE
  /// that follows the PE of the previous event. In a job of one PE, one call of `extend` makes all
  /// events.
  void extend(std::uint64_t number, event before) const {
    while (number < events) {
      const user_event next = make_user_event();
      trigger_when(next, before);
      made->push_back(next);
      before = next;
      ++number;
      if (pes() > 1) return pass_on(number, before);
    }
  }

 private:
  void pass_on(std::uint64_t number, event before) const {
    async_call((my_pe() + 1) % pes(),
               [self = *this, number, before] { self.extend(number, before); });
  }
};

/// Returns the number of events of the chain for which `has_triggered` is false on the PE that made
/// the event. The last event of the chain has triggered, so the number must be 0.
task<std::uint64_t> events_not_triggered(made_events made) {
  std::uint64_t missing = 0;
  for (int pe = 0; pe < pes(); ++pe) {
    missing += co_await call(pe, [made] {
      return static_cast<std::uint64_t>(
          std::ranges::count_if(made.local(), [](event each) { return !each.has_triggered(); }));
    });
  }
  co_return missing;
}

task<outcome> once(made_events made, std::uint64_t events) {
  co_await on_all_pes([made] { made->clear(); });
  outcome result{.events = events};
  const auto begun = now();
  const user_event first = make_user_event();
  const auto chain = [made, events, first] { link{made, events}.extend(0, first); };
  co_await finish(chain);
  result.creation_seconds = seconds_since(begun);
  const int last_pe = static_cast<int>((events - 1) % static_cast<std::uint64_t>(pes()));
  const event last = co_await call(last_pe, [made] { return made->back(); });
  last.subscribe();
  // The measurement begins after a pause, in which all PEs subscribe to their events and idle PEs
  // fall asleep.
  co_await sleep_for(5'000'000);
  const auto triggered = now();
  first.trigger();
  co_await last;
  result.seconds = seconds_since(triggered);
  result.out_of_order = co_await events_not_triggered(made);
  co_return result;
}

}  // namespace

task<outcome> measure(std::uint64_t events) {
  const auto made = co_await made_events::make();
  const outcome before = co_await once(made, events);
  outcome result = co_await once(made, events);
  result.out_of_order += before.out_of_order;
  co_await made.destroy();
  co_return result;
}

}  // namespace atl::bench::event_latency
