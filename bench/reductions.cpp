#include "bench/reductions.hpp"

#include "atoll/atoll.hpp"
#include "atoll/local_memory.hpp"
#include "bench/support/held_memory.hpp"
#include "bench/support/random_buckets.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace atl::bench::reductions {
namespace {

using count = std::uint64_t;
using histogram_region = region_instance<1, count>;
using adding = sum<count>;

/// The input of one PE, which is made before the measured time begins.
struct picks {
  std::optional<held_memory> held;
  huge_vector<std::uint32_t> buckets;
};

/// A histogram, and the data that tasks need to add to it.
struct given {
  parameters chosen;
  histogram_region region;
  reservation lock;
  per_pe<picks> picked;
};

// Number of rounds. The first round touches memory and code. The result is the median of all rounds
// except the first. If time is simulated, or if a round takes seconds, one round is enough.
constexpr int k_rounds = 6;

// Number of reductions in a slice, which takes some tens of microseconds.
constexpr std::size_t k_slice = 4096;

/// Calls `reduce` for each bucket of `buckets`. The function is not a coroutine, because a
/// coroutine would keep its variables in memory.
template <class Reduce>
void reduce_slice(std::span<const std::uint32_t> buckets, Reduce& reduce) {
  for (const std::uint32_t bucket : buckets) reduce(bucket);
}

/// Calls `reduce(bucket)` for each bucket that this PE has picked. Between the calls, other tasks
/// run and messages are handled. If `touches_a_line()` is true, each call touches a cache line of
/// this PE, for which a simulated cluster charges time.
template <class Reduce, class Touches>
task<> for_each_pick_here(const given& all, Reduce reduce, Touches touches_a_line) {
  const std::span<const std::uint32_t> buckets(all.picked->buckets);
  for (std::size_t begin = 0; begin < buckets.size(); begin += k_slice) {
    const auto slice = buckets.subspan(begin, std::min(k_slice, buckets.size() - begin));
    reduce_slice(slice, reduce);
    if (touches_a_line()) charge(work::line_touched, slice.size());
    co_await room();
  }
}

task<> reduce_singly(given all) {
  co_await all.lock.acquire();
  const region_elements<count> elements(all.region.part());
  for (const std::uint32_t bucket : all.picked->buckets) {
    const count before = co_await elements.read(bucket);
    co_await elements.write(bucket, before + 1);
  }
  co_await all.lock.release();
}

task<> reduce_by_messages(given all) {
  const region_elements<count> elements(all.region.part());
  const auto send_all = [&] {
    return for_each_pick_here(
        all, [&](std::uint32_t bucket) { elements.async_reduce(adding(), bucket, 1); },
        [] { return false; });
  };
  co_await finish(send_all);
}

task<> reduce_localized(given all) {
  const auto here = make_instance<count>(all.region.bounds());
  const event held = all.lock.acquire();
  const event both[] = {here.ready(), held};
  const event copied = copy_when(merge_events(both), here.part(), all.region.part());
  co_await copied;
  const auto elements = here.access();
  co_await for_each_pick_here(
      all, [&](std::uint32_t bucket) { ++elements[bucket]; }, [] { return true; });
  const event copied_back = copy_when(event::none, all.region.part(), here.part());
  const event destroyed = here.destroy(copied_back);
  co_await all.lock.release(copied_back);
  co_await destroyed;
}

/// Returns the PEs of this node.
std::vector<int> node_mates() {
  std::vector<int> mates;
  for (int pe = 0; pe < pes(); ++pe)
    if (regions::share_memory(my_pe(), pe)) mates.push_back(pe);
  return mates;
}

/// Makes one fold instance for all PEs of the node, which reduce into the instance with atomic
/// instructions of the processor. The first PE of the node calls this function.
task<> reduce_by_node(given all) {
  const auto ours =
      make_instance<count>(all.region.bounds(), instance_placement::in_node_memory_of(my_pe()));
  co_await ours.ready();
  const auto reduce_own = [all, ours]() -> task<> {
    const auto elements = ours.access();
    co_await for_each_pick_here(
        all, [&](std::uint32_t bucket) { apply_atomically(adding(), elements[bucket], count{1}); },
        [] { return true; });
  };
  const auto start = [&] {
    for (const int pe : node_mates()) async_call(pe, reduce_own);
  };
  co_await finish(start);
  const event merged = reduce_when(event::none, all.region.part(), ours.part(), adding());
  co_await merged;
  co_await ours.destroy();
}

template <class Instance>
task<> reduce_into(given all, Instance mine) {
  co_await for_each_pick_here(
      all, [&](std::uint32_t bucket) { mine.reduce(bucket, 1); }, [&] { return mine.is_fold(); });
  const event merged = mine.merge();
  co_await merged;
}

task<> nothing() { co_return; }

task<> reduce_all(const given& all) {
  switch (all.chosen.way) {
  case method::single:
    return reduce_singly(all);
  case method::messages:
    return reduce_by_messages(all);
  case method::localized:
    return reduce_localized(all);
  case method::node_fold:
    return node_mates()[0] == my_pe() ? reduce_by_node(all) : nothing();
  case method::fold:
    return reduce_into(all, fold_instance(adding(), all.region.part()));
  case method::list:
    return reduce_into(all, list_instance(adding(), all.region.part()));
  case method::unaware:
    return reduce_into(all, automatic_instance(adding(), all.region.part()));
  case method::automatic:
    break;
  }
  return reduce_into(all, automatic_instance(adding(), all.region.part(), all.chosen.reductions));
}

template <class Visit>
void for_each_pick_of(const parameters& chosen, int pe, const Visit& visit) {
  for_each_pick(chosen.picks == distribution::zipf, chosen.buckets, chosen.reductions, chosen.seed,
                static_cast<std::uint64_t>(pe), visit);
}

void pick(const given& all) {
  auto& [held, buckets] = all.picked.local();
  held.emplace(all.chosen.reductions * sizeof(std::uint32_t), "the picks of a PE (--reductions)");
  buckets.reserve(all.chosen.reductions);
  for_each_pick_of(all.chosen, my_pe(), [&](std::uint64_t bucket) {
    buckets.push_back(static_cast<std::uint32_t>(bucket));
  });
}

/// Returns the seconds between the start of all tasks and the end of the last task.
task<double> time_round(given all) {
  const auto begun = now();
  co_await on_all_pes([all] { return reduce_all(all); });
  co_return seconds_since(begun);
}

/// Returns the median of all values except the first, or the only value if `seconds` has one value.
double median_behind_first(std::vector<double> seconds) {
  const auto begin = seconds.begin() + (seconds.size() > 1 ? 1 : 0);
  const auto middle = begin + (seconds.end() - begin) / 2;
  std::nth_element(begin, middle, seconds.end());
  return *middle;
}

/// Returns how many buckets differ from `times` times the serial histogram.
task<std::uint64_t> count_wrong(given all, count times) {
  const auto here = make_instance<count>(all.region.bounds());
  const event copied = copy_when(here.ready(), here.part(), all.region.part());
  co_await copied;
  const held_memory held(all.chosen.buckets * sizeof(count), "the serial histogram (--buckets)",
                         held_memory::by::this_pe);
  std::vector<count> expected(all.chosen.buckets);
  for (int pe = 0; pe < pes(); ++pe)
    for_each_pick_of(all.chosen, pe, [&](std::uint64_t bucket) { expected[bucket] += times; });
  const auto found = here.access();
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < expected.size(); ++i)
    if (found[static_cast<std::int64_t>(i)] != expected[i]) ++wrong;
  co_await here.destroy();
  co_return wrong;
}

}  // namespace

task<outcome> measure(parameters chosen) {
  const auto buckets = interval(0, static_cast<std::int64_t>(chosen.buckets));
  given all{chosen, make_instance<count>(buckets, instance_placement::spread()), make_reservation(),
            co_await per_pe<picks>::make()};
  const event zeroed = fill_when(all.region.ready(), all.region.part(), 0);
  co_await on_all_pes([all] { pick(all); });
  co_await zeroed;
  outcome found;
  const bool once = job_settings().transport == transport_kind::sim || chosen.way == method::single;
  const int rounds = once ? 1 : k_rounds;
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) seconds.push_back(co_await time_round(all));
  found.seconds = median_behind_first(seconds);
  found.reductions = chosen.reductions * static_cast<std::uint64_t>(pes());
  found.wrong_buckets = co_await count_wrong(all, static_cast<count>(rounds));
  co_await all.region.destroy();
  co_await all.picked.destroy();
  co_return found;
}

}  // namespace atl::bench::reductions
