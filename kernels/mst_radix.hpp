#pragma once
// Sorting by an unsigned key, least significant digit first: stable, and as fast as memory where
// the digits' lists fit the cache.

#include "atoll/base/huge_vector.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace atl::kernels::mst {

/// Sorts `items` by `key_of(item)`, an unsigned integer, by way of `spare`, whose content is lost:
/// it is kept by who sorts often, for new memory costs as much as a pass. Returns how many items
/// were moved, by each pass again.
template <class Item, class KeyOf>
std::uint64_t sort_by_key(huge_vector<Item>& items, KeyOf key_of, huge_vector<Item>& spare) {
  constexpr unsigned digit_bits = 11;
  constexpr std::size_t digits = std::size_t{1} << digit_bits;
  using key = decltype(key_of(items.front()));
  const std::size_t size = items.size();
  key largest = 0;
  for (const Item& each : items) largest |= key_of(each);
  if (spare.size() < size) spare.resize(size);
  std::uint64_t moved = 0;
  for (unsigned shift = 0; shift < sizeof(key) * 8 && (largest >> shift) != 0;
       shift += digit_bits) {
    const auto digit_of = [&](const Item& each) {
      return static_cast<std::size_t>(key_of(each) >> shift) % digits;
    };
    std::array<std::size_t, digits + 1> begin{};
    for (std::size_t i = 0; i < size; ++i) ++begin[digit_of(items[i]) + 1];
    for (std::size_t d = 0; d < digits; ++d) begin[d + 1] += begin[d];
    for (std::size_t i = 0; i < size; ++i) spare[begin[digit_of(items[i])]++] = items[i];
    items.swap(spare);
    moved += size;
  }
  items.resize(size);
  return moved;
}

template <class Item, class KeyOf>
std::uint64_t sort_by_key(huge_vector<Item>& items, KeyOf key_of) {
  huge_vector<Item> spare;
  return sort_by_key(items, key_of, spare);
}

/// Sorts by `weight`, and where that is equal by `less`. `spare` and what is returned as above.
template <class Item, class Less>
std::uint64_t sort_by_weight(huge_vector<Item>& items, Less less, huge_vector<Item>& spare) {
  const std::uint64_t moved =
      sort_by_key(items, [](const Item& each) { return each.weight; }, spare);
  for (auto begin = items.begin(); begin != items.end();) {
    const auto is_other = [&](const Item& each) { return each.weight != begin->weight; };
    const auto end = std::find_if(begin + 1, items.end(), is_other);
    if (end - begin > 1 && !std::is_sorted(begin, end, less)) std::sort(begin, end, less);
    begin = end;
  }
  return moved;
}

}  // namespace atl::kernels::mst
