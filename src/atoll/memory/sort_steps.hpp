#pragma once
// This file has the steps of a parallel sort. First, each PE sorts its own items. Second, the PEs
// search for the cuts. A cut is a place in the sorted order of all items at which the part of a PE
// begins. Third, each PE sends each of its items to the PE whose part contains the item. Finally,
// each PE merges the items that it has received.

#include "atoll/array.hpp"
#include "atoll/collectives.hpp"
#include "atoll/random.hpp"
#include "atoll/task.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace atl::memory {

// The next functions sort the items of one PE. The functions sort runs of limited length and merge
// the runs. After sorting a run, and after each step of a merge, other tasks of the PE can run.

/// Number of items that are sorted without a pause for other tasks. Sorting `k_sorted_at_once`
/// items takes about 20 ms.
inline constexpr std::size_t k_sorted_at_once = std::size_t{1} << 18;
inline constexpr std::size_t k_merged_at_once = std::size_t{1} << 16;

/// Two sorted runs that are being merged into `to`. If items are equal, the items of the first run
/// come first.
template <class Item>
struct merged_runs {
  const Item *first, *first_end;
  const Item *second, *second_end;
  Item* to;

  /// Merges up to `k_merged_at_once` items. Returns false if one run has no items left. When
  /// `advance` has returned false, `finish` copies the remaining items of the other run.
  template <class Less>
  [[gnu::noinline]] bool advance(const Less& less) {
    std::size_t left = k_merged_at_once;
    for (; left > 0 && first != first_end && second != second_end; --left) {
      // computed without a branch, because the processor could not predict the branch
      const bool takes_second = less(*second, *first);
      *to++ = takes_second ? *second : *first;
      second += takes_second ? 1 : 0;
      first += takes_second ? 0 : 1;
    }
    return left == 0;
  }
  void finish() { std::copy(second, second_end, std::copy(first, first_end, to)); }
};

/// Merges the sorted runs of `items` into one. Run i extends from the item with index begins[i] to
/// the item before index begins[i + 1]. If items are equal, items of earlier runs come first.
template <class Item, class Less>
task<> merge_all(std::vector<Item>& items, std::vector<std::size_t> begins, const Less& less) {
  std::vector<Item> other(items);
  while (begins.size() > 2) {
    std::vector<std::size_t> merged = {0};
    for (std::size_t run = 0; run + 1 < begins.size(); run += 2) {
      const Item* const from = items.data();
      const std::size_t middle = begins[run + 1];
      const std::size_t end = run + 2 < begins.size() ? begins[run + 2] : middle;
      merged_runs<Item> two{from + begins[run], from + middle, from + middle, from + end,
                            other.data() + begins[run]};
      while (two.advance(less)) co_await yield();
      two.finish();
      merged.push_back(end);
    }
    items.swap(other);
    begins.swap(merged);
  }
}

/// Sorts the items of this PE. If `stable` is true, equal items keep their order.
template <class Item, class Less>
task<> sort_here(std::vector<Item>& items, const Less& less, bool stable) {
  std::vector<std::size_t> begins = {0};
  while (begins.back() < items.size()) {
    const std::size_t size = std::min(k_sorted_at_once, items.size() - begins.back());
    const auto run = std::span(items).subspan(begins.back(), size);
    if (stable)
      std::stable_sort(run.begin(), run.end(), less);
    else
      std::sort(run.begin(), run.end(), less);
    begins.push_back(begins.back() + size);
    co_await yield();
  }
  co_await merge_all(items, std::move(begins), less);
}

// The next functions search for the cuts. A cut divides the sorted items of each PE so that a given
// number of items of all PEs lie before the cut. No item moves during the search. In each step of
// the search, all PEs compare their items with one random item, the pivot. On average, a step of
// the search halves the number of items that may be at the cut.

/// An item that a PE proposes as the next pivot. Equal items are ordered by their PEs. Equal items
/// of one PE are ordered by their positions.
template <class Item>
struct pivot {
  /// random number; the proposal with the smallest number becomes the pivot
  double draw = std::numeric_limits<double>::infinity();
  int pe = -1;  ///< PE of the item; -1 if no PE has items left
  std::uint64_t position = 0;
  alignas(Item) std::array<std::byte, sizeof(Item)> item{};

  Item value() const {
    std::array<Item, 1> copy;
    std::memcpy(copy.data(), item.data(), sizeof(Item));
    return copy[0];
  }
  static pivot of_both(const pivot& a, const pivot& b) { return b.draw < a.draw ? b : a; }
};

/// The state of the search for one cut on this PE.
struct sought_place {
  std::uint64_t target = 0;          ///< number of items of all PEs that must lie before the cut
  std::uint64_t begin = 0, end = 0;  ///< the cut lies in this range of this PE's items
  bool found = false;                ///< true if the search has ended; the cut is then at `begin`
};

/// Proposes one of this PE's items in the range [at.begin, at.end) as the pivot. All items of all
/// PEs must be equally likely to become the pivot. A simple algorithm would draw a random number
/// for each item, and would take the item with the smallest number. The function instead draws one
/// item of the range, and the minimum of the random numbers of the range (`pivot::draw`).
template <class Item>
pivot<Item> propose(std::span<const Item> items, const sought_place& at, random_stream& random) {
  pivot<Item> mine;
  const double draw = random.real();
  const std::uint64_t chosen = random.below(std::max<std::uint64_t>(1, at.end - at.begin));
  if (at.found || at.begin == at.end) return mine;
  mine.draw = -std::log1p(-draw) / static_cast<double>(at.end - at.begin);
  mine.pe = my_pe();
  mine.position = at.begin + chosen;
  std::memcpy(mine.item.data(), &items[mine.position], sizeof(Item));
  return mine;
}

/// Returns the number of items of this PE that are smaller than the pivot `chosen`.
template <class Item, class Less>
std::uint64_t smaller_than(const pivot<Item>& chosen, std::span<const Item> items,
                           const Less& less) {
  if (chosen.pe < 0 || chosen.pe == my_pe()) return chosen.position;
  const auto place = my_pe() < chosen.pe
                         ? std::upper_bound(items.begin(), items.end(), chosen.value(), less)
                         : std::lower_bound(items.begin(), items.end(), chosen.value(), less);
  return static_cast<std::uint64_t>(place - items.begin());
}

/// Narrows the range of the search by the pivot `chosen`. `smaller` is the number of items of this
/// PE that are smaller than the pivot. `smaller_of_all` is the number of items of all PEs that are
/// smaller than the pivot.
template <class Item>
void narrow(sought_place& at, const pivot<Item>& chosen, std::uint64_t smaller,
            std::uint64_t smaller_of_all) {
  at.found = smaller_of_all == at.target;
  if (at.found)
    at.begin = smaller;
  else if (smaller_of_all < at.target)
    at.begin = std::max(at.begin, smaller + (chosen.pe == my_pe() ? 1 : 0));
  else
    at.end = std::min(at.end, smaller);
}

/// Returns, for each target, the number of this PE's sorted items that lie before the cut. A target
/// is the number of items of all PEs before a cut. `all` is the number of all items. Every PE must
/// call this function with the same targets.
template <class Item, class Less>
task<std::vector<std::uint64_t>> all_find_cuts(std::span<const Item> items,
                                               std::vector<std::uint64_t> targets,
                                               std::uint64_t all, const Less& less) {
  std::vector<sought_place> places;
  for (const std::uint64_t target : targets) {
    const bool at_end = target == all;
    places.push_back({target, at_end ? items.size() : 0, items.size(), at_end});
  }
  random_stream random(hash(all), static_cast<std::uint64_t>(my_pe()));
  while (!std::ranges::all_of(places, &sought_place::found)) {
    std::vector<pivot<Item>> pivots;
    for (const sought_place& each : places) pivots.push_back(propose(items, each, random));
    pivots = co_await all_reduce(std::move(pivots), &pivot<Item>::of_both);
    std::vector<std::uint64_t> smaller;
    for (const auto& each : pivots) smaller.push_back(smaller_than(each, items, less));
    const auto of_all = co_await all_reduce(smaller, std::plus<>());
    for (std::size_t i = 0; i < places.size(); ++i)
      if (!places[i].found) narrow(places[i], pivots[i], smaller[i], of_all[i]);
  }
  std::vector<std::uint64_t> cuts;
  for (const sought_place& each : places) cuts.push_back(each.begin);
  co_return cuts;
}

// The next functions sort a global array.

/// An element with its index in the array. Equal elements are ordered by their indices.
template <class T>
struct placed_element {
  T value;
  std::uint64_t index;
};

template <class Compare, class T>
inline constexpr bool is_usual =
    std::is_same_v<Compare, std::less<>> || std::is_same_v<Compare, std::less<T>> ||
    std::is_same_v<Compare, std::greater<>> || std::is_same_v<Compare, std::greater<T>>;

/// The comparison that the sort uses, for elements with and without their indices.
template <class T, class Compare>
struct element_order {
  Compare compare;

  bool operator()(const T& a, const T& b) const {
    // Comparisons with a NaN are always false, so `<` is not a valid order of numbers and NaNs. The
    // function therefore orders every NaN behind all numbers.
    if constexpr (std::is_floating_point_v<T> && is_usual<Compare, T>)
      return compare(a, b) || (std::isnan(b) && !std::isnan(a));
    else
      return compare(a, b);
  }
  bool operator()(const placed_element<T>& a, const placed_element<T>& b) const {
    if ((*this)(a.value, b.value)) return true;
    return !(*this)(b.value, a.value) && a.index < b.index;
  }
};

template <class Item, class T>
std::vector<Item> items_of(global_array<T> array) {
  const std::span<T> local = array.local();
  std::vector<Item> items;
  items.reserve(local.size());
  for (std::uint64_t k = 0; k < local.size(); ++k) {
    if constexpr (std::is_same_v<Item, T>)
      items.push_back(local[k]);
    else
      items.push_back({local[k], array.index_of_local(k)});
  }
  return items;
}

/// Takes the sorted items of this PE, exchanges items with the other PEs, and returns this PE's
/// part of all items in sorted order. Every PE must call this function.
template <class Item, class Less>
task<std::vector<Item>> all_exchange_sorted(std::vector<Item> items, std::uint64_t all,
                                            const Less& less) {
  std::vector<std::uint64_t> targets;
  for (int pe = 1; pe < pes(); ++pe) targets.push_back(share_of(pe, all).begin);
  const std::span<const Item> sorted(items);
  auto cuts = co_await all_find_cuts(sorted, std::move(targets), all, less);
  cuts.push_back(items.size());
  std::vector<std::span<const Item>> parts;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : cuts) {
    parts.push_back(sorted.subspan(begin, end - begin));
    begin = end;
  }
  const auto runs = co_await all_to_all(std::move(parts));
  items.clear();
  std::vector<std::size_t> begins = {0};
  for (const auto& run : runs) {
    items.insert(items.end(), run.begin(), run.end());
    begins.push_back(items.size());
  }
  co_await merge_all(items, std::move(begins), less);
  co_return items;
}

/// Stores this PE's part of all sorted items in the array. Other PEs must have finished reading the
/// array. Every PE must call this function.
template <class T, class Item>
task<> all_store_sorted(global_array<T> array, const std::vector<Item>& items) {
  std::vector<T> values;
  values.reserve(items.size());
  for (const Item& each : items) {
    if constexpr (std::is_same_v<Item, T>)
      values.push_back(each);
    else
      values.push_back(each.value);
  }
  const std::uint64_t first = share_of_this_pe(array.size()).begin;
  const std::span<T> local = array.local();
  if (local.size() == values.size() && (local.empty() || array.index_of_local(0) == first) &&
      (local.empty() || array.index_of_local(local.size() - 1) == first + local.size() - 1))
    std::ranges::copy(values, local.begin());
  else
    co_await put(array, first, std::span<const T>(values));
  co_await all_barrier();
}

template <class Item, class T, class Less>
task<> all_sort_array(global_array<T> array, Less less, bool stable) {
  auto items = items_of<Item>(array);
  co_await sort_here(items, less, stable);
  items = co_await all_exchange_sorted(std::move(items), array.size(), less);
  co_await all_store_sorted(array, items);
}

/// A function object that sorts a global array. The object is sent to every PE, and every PE calls
/// the object.
template <class T, class Compare>
struct sorting {
  global_array<T> array;
  element_order<T, Compare> less;
  bool stable;

  static_assert(std::is_default_constructible_v<T>, "elements are received into a vector");
  static_assert(message::bitwise_copyable<Compare>, "what travels must be trivially copyable");

  /// Sorts the array. Every PE must call this function.
  task<> operator()() const {
    // If each PE has at most one block, elements on a lower PE, or earlier on the same PE, have
    // lower indices. With at most one block per PE, a stable sort therefore needs no indices. If a
    // PE has several blocks, a stable sort must compare indices.
    const bool one_block_a_pe = array.size() <= array.block_size() * static_cast<unsigned>(pes());
    if (stable && !one_block_a_pe) return all_sort_array<placed_element<T>>(array, less, false);
    return all_sort_array<T>(array, less, stable);
  }
};

}  // namespace atl::memory
