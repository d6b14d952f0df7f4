#pragma once
// Sorting by an unsigned key, least significant digit first: stable, and as fast as memory where
// the digits' lists fit the cache.

#include "atoll/local_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace atl::kernels::mst {

namespace detail {

inline constexpr unsigned k_digit_bits = 11;

/// By the bits of the key from `first_bit` to the highest that is set in `all_bits`.
template <class Item, class KeyOf, class Key>
std::uint64_t sort_by_bits(huge_vector<Item>& items, KeyOf key_of, Key all_bits, unsigned first_bit,
                           huge_vector<Item>& spare) {
  constexpr std::size_t digits = std::size_t{1} << k_digit_bits;
  const std::size_t size = items.size();
  if (spare.size() < size) spare.resize(size);
  std::uint64_t moved = 0;
  for (unsigned shift = first_bit; shift < sizeof(Key) * 8 && (all_bits >> shift) != 0;
       shift += k_digit_bits) {
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

}  // namespace detail

/// Sorts `items` by `key_of(item)`, an unsigned integer, by way of `spare`, whose content is lost:
/// it is kept by who sorts often, for new memory costs as much as a pass. Returns how many items
/// were moved, by each pass again.
template <class Item, class KeyOf>
std::uint64_t sort_by_key(huge_vector<Item>& items, KeyOf key_of, huge_vector<Item>& spare) {
  decltype(key_of(items.front())) all_bits = 0;
  for (const Item& each : items) all_bits |= key_of(each);
  return detail::sort_by_bits(items, key_of, all_bits, 0, spare);
}

template <class Item, class KeyOf>
std::uint64_t sort_by_key(huge_vector<Item>& items, KeyOf key_of) {
  huge_vector<Item> spare;
  return sort_by_key(items, key_of, spare);
}

/// Sorts by `is_lighter`, which compares weights first: by as many of their highest bits as tell
/// most of so many items apart, and by comparing where those are equal. `spare` and what is
/// returned as above.
template <class Item, class Less>
std::uint64_t sort_by_weight(huge_vector<Item>& items, Less is_lighter, huge_vector<Item>& spare) {
  const auto weight_of = [](const Item& each) { return each.weight; };
  decltype(items.front().weight) all_bits = 0;
  for (const Item& each : items) all_bits |= each.weight;
  const auto bits = static_cast<unsigned>(std::bit_width(all_bits));
  const auto telling = static_cast<unsigned>(std::bit_width(items.size() / 4 | 1));
  const unsigned passes = (telling + detail::k_digit_bits - 1) / detail::k_digit_bits;
  const unsigned first = bits - std::min(bits, passes * detail::k_digit_bits);
  const std::uint64_t moved = detail::sort_by_bits(items, weight_of, all_bits, first, spare);
  for (auto begin = items.begin(); begin != items.end();) {
    const auto high = begin->weight >> first;
    auto end = begin + 1;
    while (end != items.end() && end->weight >> first == high) ++end;
    if (end - begin > 1) std::sort(begin, end, is_lighter);
    begin = end;
  }
  return moved;
}

}  // namespace atl::kernels::mst
