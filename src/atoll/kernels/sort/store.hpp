#pragma once
// Counts keys, shortens them for transfer, and stores them at their destinations.

#include "atoll/kernels/sort/part.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace atl::kernels::sort {

// This part counts the keys of each bucket or, if buckets are divided between PEs, of each PE's
// part of a bucket.

/// Adds the number of keys in each bucket to `into`. Each bucket has several counters. Two
/// successive keys of a bucket use different counters, so the second addition need not wait for the
/// first addition.
template <class Key>
[[gnu::noinline]] void count_buckets(std::span<const Key> keys, unsigned shift,
                                     std::span<std::uint64_t> into) {
  constexpr std::size_t lanes = 4;
  const std::size_t buckets = into.size();
  std::vector<std::uint32_t> counts(lanes * buckets);
  std::uint32_t* const lane[lanes] = {counts.data(), counts.data() + buckets,
                                      counts.data() + 2 * buckets, counts.data() + 3 * buckets};
  std::size_t i = 0;
  for (; i + lanes <= keys.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) ++lane[l][keys[i + l] >> shift];
  for (; i < keys.size(); ++i) ++lane[0][keys[i] >> shift];
  for (std::size_t bucket = 0; bucket < buckets; ++bucket)
    for (const std::uint32_t* each : lane) into[bucket] += each[bucket];
}

/// Divides the keys of all PEs among PEs, and counts this PE's keys in each piece (one PE's part of
/// a bucket). The numbers in `told` are replaced by their sums over all PEs, so that the caller
/// needs no reduction for these sums. Every PE calls this function.
template <class Key>
task<> all_divide(key_part<Key>& mine, std::span<std::uint64_t> told = {}) {
  const std::span<const Key> keys(mine.keys);
  mine.is_sorted = false;
  mine.counts.assign(mine.shape.buckets(), 0);
  const auto count = [&](std::span<const Key> some) {
    count_buckets(some, mine.shape.shift(), std::span(mine.counts));
  };
  co_await in_stretches(keys, count);
  atl::charge(work::key_counted, keys.size());
  auto of_all = mine.counts;
  of_all.insert(of_all.end(), told.begin(), told.end());
  of_all = co_await all_reduce(std::move(of_all), std::plus<>());
  const auto buckets = static_cast<std::ptrdiff_t>(mine.shape.buckets());
  std::copy(of_all.begin() + buckets, of_all.end(), told.begin());
  of_all.resize(mine.shape.buckets());
  mine.parts = division(of_all, pes());
  mine.cuts.reset();
  if (!mine.parts.has_cuts()) co_return;
  co_await all_find_cuts(mine.parts, keys, mine.shape.shift());
  mine.cuts.emplace(co_await all_deal_copies(mine.parts, keys, mine.shape));
  mine.counts.assign(mine.parts.pieces(), 0);
  mine.cuts->begin();
  const auto count_pieces = [&](std::span<const Key> some) {
    for (const Key each : some) ++mine.counts[(*mine.cuts)(each)];
  };
  co_await in_stretches(keys, count_pieces);
  atl::charge(work::key_counted, keys.size());
}

// This part shortens keys that are sent to other nodes. The keys of a piece (part of a bucket)
// differ only in their lowest bits. If the lowest 16 bits suffice, only these 16 bits of each key
// are sent. Short keys of a piece (part of a bucket) arrive at the end of the memory for its whole
// keys, and are widened in place.

using narrow_key = std::uint16_t;

/// Number of short keys that `narrow` and `widen` copy to a buffer at a time. `narrow` and `widen`
/// need the buffer because they convert in place: the short keys lie in the same memory as the
/// whole keys.
inline constexpr std::size_t k_narrowed_at_once = 2048;

template <class Key>
bool travels_narrow(const key_shape& shape) {
  return sizeof(Key) > sizeof(narrow_key) && shape.shift() <= 8 * sizeof(narrow_key);
}

/// Replaces each key by its `bits` lowest bits. Returns the short keys, which are at the beginning
/// of the memory of `keys`.
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

/// Makes whole keys in `room` from the short keys at the end of `room`. All keys in `room` belong
/// to one bucket, and `first` is the smallest possible key of the bucket.
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

/// Makes whole keys, in place, from the short keys of piece number `piece`, a part of a bucket.
/// Only keys from PEs of other nodes are short.
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

// This part chooses the places of keys, and stores the keys.

/// Chooses places for the keys that this PE will receive. `sizes` has the number of keys of each
/// piece (part of a bucket) from each source PE. The keys of each piece follow the keys of the
/// piece before. Within a piece, keys are in the order of their source PEs. Stores the index of the
/// first key of each piece in `mine.begins`. Returns one list per source PE: the index of the first
/// key from the source PE in each piece.
template <class Key, class Count>
numbers_of_pieces lay_out(key_part<Key>& mine, const received_parts<Count>& sizes) {
  numbers_of_pieces counts;
  for (const auto of_source : sizes) counts.emplace_back(of_source.begin(), of_source.end());
  const std::size_t pieces = counts.front().size();
  mine.begins.assign(pieces + 1, 0);
  std::uint64_t at = 0;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    mine.begins[piece] = at;
    for (auto& of_source : counts) at += std::exchange(of_source[piece], at);
  }
  mine.begins[pieces] = at;
  return counts;
}

/// Stores every key at the next place in the memory for its piece (part of a bucket). A store that
/// misses the cache would delay all later stores, because stores become visible in order. The next
/// cache line of each piece is therefore prefetched early.
template <class Key, class PieceOf>
[[gnu::noinline]] void store_keys(std::span<const Key> keys, PieceOf& piece_of, Key** next) {
  constexpr std::size_t line = 64 / sizeof(Key);
  for (const Key each : keys) {
    Key*& to = next[piece_of(each)];
    *to = each;
    __builtin_prefetch(to + line, 1);
    ++to;
  }
}

template <class Key>
task<> store_all_keys(key_part<Key>& mine) {
  const std::span<const Key> keys(mine.keys);
  Key** const next = mine.next.data();
  const auto bucket_of = [shift = mine.shape.shift()](Key key) { return key >> shift; };
  if (mine.cuts) mine.cuts->begin();
  co_await in_stretches(keys, [&](std::span<const Key> some) {
    if (mine.cuts)
      store_keys(some, *mine.cuts, next);
    else
      store_keys(some, bucket_of, next);
  });
  atl::charge(work::key_placed, keys.size());
}

}  // namespace atl::kernels::sort
