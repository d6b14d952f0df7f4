#include "bench/event_throughput.hpp"

#include "atoll/atoll.hpp"

#include <algorithm>
#include <vector>

namespace atl::bench::event_throughput {
namespace {

/// The data of one PE: the events that all PEs have made, sorted by level.
struct graph {
  std::uint64_t fan = 0;
  /// Number of events of one level, over all tracks together. Within a level, the events of a track
  /// are contiguous.
  std::uint64_t width = 0;
  std::vector<event> events;

  /// Returns the input events of event `number`, which must not be on the first level.
  std::span<const event> before(std::uint64_t number) const {
    return std::span(events).subspan((number - width) / fan * fan, fan);
  }
};
using graphs = per_pe<graph>;

std::uint64_t stride() { return static_cast<std::uint64_t>(pes()); }

/// Calls `visit(i)` for each number i from `begin` to `end` - 1 for which this PE owns event i.
template <class Visit>
void for_each_own(std::uint64_t begin, std::uint64_t end, const Visit& visit) {
  const auto me = static_cast<std::uint64_t>(my_pe());
  for (auto i = begin + (me + stride() - begin % stride()) % stride(); i < end; i += stride())
    visit(i);
}

// Number of events, or of input events, that are processed between two polls for messages.
constexpr std::uint64_t k_stretch = 65'536;

task<> make_own(graphs all, parameters chosen) {
  all->fan = chosen.fan;
  all->width = chosen.fan * chosen.tracks;
  all->events.resize(all->width * (chosen.levels + 1));
  co_await all_barrier();  // all PEs must have resized `events` before a PE sends events
  const std::uint64_t end = all->events.size();
  for (std::uint64_t begin = 0; begin < end; begin += k_stretch) {
    for_each_own(begin, std::min(end, begin + k_stretch),
                 [&](std::uint64_t i) { all->events[i] = make_user_event(); });
    co_await yield();
  }
}

/// Sends this PE's events to all other PEs, up to `k_batch` events per message.
task<> publish(graphs all) {
  constexpr std::uint64_t k_batch = 256;
  std::vector<event> batch;
  const std::uint64_t end = all->events.size();
  for (std::uint64_t begin = 0; begin < end && pes() > 1; begin += k_batch * stride()) {
    batch.clear();
    for_each_own(begin, std::min(end, begin + k_batch * stride()),
                 [&](std::uint64_t i) { batch.push_back(all->events[i]); });
    const auto store = [all, begin, from = my_pe()](std::span<const event> events) {
      for (std::uint64_t k = 0; k < events.size(); ++k)
        all->events[begin +
                    (static_cast<std::uint64_t>(from) + stride() - begin % stride()) % stride() +
                    k * stride()] = events[k];
    };
    for (int pe = 0; pe < pes(); ++pe)
      if (pe != my_pe()) async_call(pe, store, batch);
    co_await room();
  }
}

/// Makes each of this PE's events wait for all events of the previous level.
task<> connect_own(graphs all) {
  const graph& known = all.local();
  std::uint64_t inputs = 0;
  for (std::uint64_t level = 1; level * known.width < known.events.size(); ++level) {
    if (inputs > k_stretch) co_await yield();
    inputs = (inputs > k_stretch ? 0 : inputs) + known.width * known.fan / stride();
    for_each_own(level * known.width, (level + 1) * known.width, [&](std::uint64_t i) {
      trigger_when(user_event(known.events[i].name()), known.before(i));
    });
    if (!has_room()) co_await room();
  }
}

task<> create(graphs all, parameters chosen) {
  const auto make = [all, chosen] { return make_own(all, chosen); };
  co_await on_all_pes(make);
  co_await on_all_pes([all] { return publish(all); });
  co_await on_all_pes([all] { return connect_own(all); });
}

/// Triggers events of this PE on the first level. If `first_of_track` is true, triggers only the
/// first event of each track. If `first_of_track` is false, triggers all except the first event of
/// each track.
void trigger_own(graphs all, bool first_of_track) {
  for_each_own(0, all->width, [&](std::uint64_t i) {
    if ((i % all->fan == 0) == first_of_track) user_event(all->events[i].name()).trigger();
  });
}

task<> await_own_last(graphs all) {
  const std::uint64_t end = all->events.size();
  std::vector<event> own;
  for_each_own(end - all->width, end, [&](std::uint64_t i) { own.push_back(all->events[i]); });
  co_await merge_events(own);
}

/// Returns the number of triggered events on all PEs, without the events of the first level.
task<std::uint64_t> triggered(graphs all) {
  std::uint64_t sum = 0;
  for (int pe = 0; pe < pes(); ++pe) {
    sum += co_await call(pe, [all] {
      std::uint64_t count = 0;
      for_each_own(all->width, all->events.size(),
                   [&](std::uint64_t i) { count += all->events[i].has_triggered() ? 1 : 0; });
      return count;
    });
  }
  co_return sum;
}

class stopwatch {
 public:
  void go_on() { begun_ = now(); }
  void stop() { total_ += now() - begun_; }
  double seconds() const { return static_cast<double>(total_) * 1e-9; }

 private:
  transport::nanoseconds begun_ = 0;
  transport::nanoseconds total_ = 0;
};

/// Makes the events of all tracks and triggers them. The first event of each track is triggered
/// last. If an event of a later level triggers before the first event of its track, the later event
/// is counted as wrong.
task<outcome> once(graphs all, parameters chosen) {
  const std::uint64_t events = chosen.tracks * chosen.fan * chosen.levels;
  outcome result{.events = events, .inputs = chosen.fan * events};
  stopwatch watch;
  watch.go_on();
  co_await create(all, chosen);
  watch.stop();
  result.creation_seconds = watch.seconds();
  watch.go_on();
  co_await on_all_pes([all] { trigger_own(all, false); });
  watch.stop();
  result.wrong = co_await triggered(all);
  watch.go_on();
  co_await on_all_pes([all] { trigger_own(all, true); });
  co_await on_all_pes([all] { return await_own_last(all); });
  watch.stop();
  result.seconds = watch.seconds();
  result.wrong += result.events - co_await triggered(all);
  co_return result;
}

}  // namespace

task<outcome> measure(parameters chosen) {
  const auto all = co_await graphs::make();
  const outcome before = co_await once(all, chosen);
  outcome result = co_await once(all, chosen);
  result.wrong += before.wrong;
  co_await all.destroy();
  co_return result;
}

}  // namespace atl::bench::event_throughput
