#pragma once
// Keys on their way to memory beyond reach are as short as they can be: those of a piece differ in
// their lowest bits only, and travel as these where 16 are enough. They arrive at the end of the
// room that they have as whole keys, in which each is made whole again.

#include "atoll/kernels/sort/part.hpp"

#include <algorithm>
#include <cstring>

namespace atl::kernels::sort {

using narrow_key = std::uint16_t;

/// Of a copy aside, for the short and the whole ones overlap.
inline constexpr std::size_t k_narrowed_at_once = 2048;

template <class Key>
bool travels_narrow(const key_shape& shape) {
  return sizeof(Key) > sizeof(narrow_key) && shape.shift() <= 8 * sizeof(narrow_key);
}

/// Puts the lowest bits of keys where these begin, and returns them.
template <class Key>
std::span<const narrow_key> narrow(std::span<Key> keys, unsigned bits) {
  narrow_key some[k_narrowed_at_once];
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  auto* const begin = reinterpret_cast<std::byte*>(keys.data());
  for (std::size_t i = 0; i < keys.size(); i += k_narrowed_at_once) {
    const std::size_t count = std::min(k_narrowed_at_once, keys.size() - i);
    for (std::size_t k = 0; k < count; ++k) some[k] = static_cast<narrow_key>(keys[i + k] & mask);
    std::memcpy(begin + i * sizeof(narrow_key), some, count * sizeof(narrow_key));
  }
  return {reinterpret_cast<const narrow_key*>(begin), keys.size()};
}

/// Makes keys whole of the lowest bits that stand at the end of their room. `first`: the smallest
/// key of their bucket.
template <class Key>
void widen(std::span<Key> room, Key first) {
  narrow_key some[k_narrowed_at_once];
  const auto* const bits = reinterpret_cast<const std::byte*>(room.data()) +
                           room.size() * (sizeof(Key) - sizeof(narrow_key));
  for (std::size_t i = 0; i < room.size(); i += k_narrowed_at_once) {
    const std::size_t count = std::min(k_narrowed_at_once, room.size() - i);
    std::memcpy(some, bits + i * sizeof(narrow_key), count * sizeof(narrow_key));
    for (std::size_t k = 0; k < count; ++k) room[i + k] = first | some[k];
  }
}

/// Makes what has come of an own piece from PEs beyond reach whole.
template <class Key>
void widen_piece(const key_part<Key>& mine, std::span<Key> received, std::size_t piece) {
  const std::uint64_t bucket = mine.parts.bucket_begin(my_pe()) + piece;
  const auto first = static_cast<Key>(bucket << mine.shape.shift());
  for (const std::size_t source : mine.narrow_sources) {
    const bool is_last = source + 1 == mine.places.size();
    const std::uint64_t begin = mine.places[source][piece];
    const std::uint64_t end = is_last ? mine.begins[piece + 1] : mine.places[source + 1][piece];
    widen(received.subspan(begin, end - begin), first);
    atl::charge(work::byte_copied, (end - begin) * sizeof(Key));
  }
}

}  // namespace atl::kernels::sort
