#pragma once
// The steps of a sort.

#include "atoll/array.hpp"
#include "atoll/collectives.hpp"
#include "atoll/memory/sort_merge.hpp"
#include "atoll/memory/sort_selection.hpp"

#include <cmath>
#include <functional>
#include <type_traits>

namespace atl::memory {

/// An element with its place, which is its order among equal ones.
template <class T>
struct placed_element {
  T value;
  std::uint64_t index;
};

template <class Compare, class T>
inline constexpr bool is_usual =
    std::is_same_v<Compare, std::less<>> || std::is_same_v<Compare, std::less<T>> ||
    std::is_same_v<Compare, std::greater<>> || std::is_same_v<Compare, std::greater<T>>;

/// The order of elements, with and without their places.
template <class T, class Compare>
struct element_order {
  Compare compare;

  bool operator()(const T& a, const T& b) const {
    // The usual orders are none where there is a NaN, which comes last here.
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

/// The part of the sorted items that this PE gets. Every PE calls it.
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

/// Puts this PE's part of all items where it belongs; no PE reads the array any more. Every PE
/// calls it.
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

/// A PE's part of sorting, which travels.
template <class T, class Compare>
struct sorting {
  global_array<T> array;
  element_order<T, Compare> less;
  bool stable;

  static_assert(std::is_default_constructible_v<T>, "elements are received into a vector");
  static_assert(message::travels<Compare>, "what travels must be trivially copyable");

  /// Every PE calls it.
  task<> operator()() const {
    // The order of PEs and positions is that of indices where a PE has one block.
    const bool one_block_a_pe = array.size() <= array.block_size() * static_cast<unsigned>(pes());
    if (stable && !one_block_a_pe) return all_sort_array<placed_element<T>>(array, less, false);
    return all_sort_array<T>(array, less, stable);
  }
};

}  // namespace atl::memory
