#include "reproduction/model/key_prices.hpp"

#include "atoll/random.hpp"
#include "reproduction/sort/delegates.hpp"

#include <limits>

namespace atl::reproduction::prices {
namespace {

namespace sort = kernels::sort;

using word = std::uint32_t;

constexpr std::uint64_t number_of_keys = std::uint64_t{1} << 23;
constexpr unsigned bits_of_keys = 21;
constexpr int times_sorted = 5;

double time_now() { return static_cast<double>(now()); }

void take_random_keys(sort::key_part<word>& mine) {
  mine.shape = sort::shape_for(bits_of_keys, 1);
  for (std::uint64_t i = 0; i < number_of_keys; ++i)
    mine.keys.push_back(static_cast<word>(hash(i) >> (64 - bits_of_keys)));
}

/// Appends keys to their buckets one after another, as messages do in the sort by delegates
/// (reproduction/sort).
void append_all(const sort::key_part<word>& mine, key_cursors<word>& cursors) {
  for (const word key : mine.keys) cursors.take(key);
}

/// The time of each step for all keys, in nanoseconds. Each time is the shortest of several
/// measurements.
struct key_times {
  double divided = std::numeric_limits<double>::infinity();
  double placed = divided;
  double ranked = divided;
  double appended = divided;

  static void keep(double& shortest, double begin) {
    shortest = std::min(shortest, time_now() - begin);
  }
};

/// Performs the steps of a sort once, and updates the shortest times in `found`.
task<> time_a_sort(sort::keys_of_all<word> all, key_times& found) {
  sort::key_part<word>& mine = all.parts.local();
  double begin = time_now();
  co_await sort::all_divide(mine);
  key_times::keep(found.divided, begin);
  const auto places = co_await sort::all_exchange_sizes(mine);
  co_await sort::aim(mine, all.received, places);
  begin = time_now();
  co_await sort::store_all_keys(mine);
  key_times::keep(found.placed, begin);
  key_cursors<word> cursors;
  cursors.begin(mine, all.received.local());
  begin = time_now();
  append_all(mine, cursors);
  key_times::keep(found.appended, begin);
  begin = time_now();
  co_await sort::order_received(mine, all.received.local(), {.ranks = true});
  key_times::keep(found.ranked, begin);
}

}  // namespace

task<steps_of_a_key> measure_keys(double of_a_line) {
  const auto all = co_await sort::keys_of_all<word>::make(number_of_keys, bits_of_keys);
  take_random_keys(all.parts.local());
  key_times found;
  for (int i = 0; i < times_sorted; ++i) co_await time_a_sort(all, found);
  co_await all.destroy();
  const auto keys = static_cast<double>(number_of_keys);
  const double values = static_cast<double>(std::uint64_t{1} << bits_of_keys);
  co_return steps_of_a_key{.counted = (found.divided + found.ranked) / (2 * keys + values),
                           .placed = found.placed / keys,
                           .appended = std::max(0.0, found.appended / keys - of_a_line)};
}

}  // namespace atl::reproduction::prices
