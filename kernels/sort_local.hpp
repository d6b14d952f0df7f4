#pragma once
// What a PE does with the keys it has received, bucket by bucket: it counts them by value, which
// ranks them, or sorts them digit by digit where there are too many values.

#include "atoll/kernels/sort_part.hpp"

#include <array>
#include <limits>

namespace atl::kernels::sort {

/// Whether a PE with so many buckets and keys has a place for each value of a bucket.
inline bool counts_by_value(const key_shape& shape, std::uint64_t buckets, std::uint64_t keys) {
  constexpr unsigned largest_table = 16;
  constexpr std::uint64_t always = 1 << 16;
  return keys <= std::numeric_limits<std::uint32_t>::max() && shape.shift() <= largest_table &&
         (buckets << shape.shift()) <= 8 * keys + always;
}

/// Ranks a bucket: `ranks` gets, by value, how many keys before this bucket and in it are smaller.
template <class Key>
[[gnu::noinline]] void rank_bucket(std::span<const Key> keys, std::uint64_t before,
                                   std::span<std::uint32_t> ranks) {
  std::ranges::fill(ranks, 0);
  const std::size_t values = ranks.size();
  for (const Key each : keys) ++ranks[each & (values - 1)];
  auto smaller = static_cast<std::uint32_t>(before);
  for (std::uint32_t& each : ranks) smaller += std::exchange(each, smaller);
}

/// Ranks the keys received. For any PE by itself.
template <class Key>
task<> rank_received(key_part<Key>& mine, std::span<const Key> received) {
  const std::size_t values = std::size_t{1} << mine.shape.shift();
  if (mine.ranks.size() < mine.own_pieces() * values) mine.ranks.resize(mine.own_pieces() * values);
  const std::span ranks(mine.ranks);
  const auto rank = [&](std::size_t piece) {
    const std::uint64_t begin = mine.begins[piece];
    rank_bucket(received.subspan(begin, mine.size_of(piece)), begin,
                ranks.subspan(piece * values, values));
  };
  co_await for_pieces(mine.own_pieces(), [&](auto piece) { return mine.size_of(piece); }, rank);
  atl::charge(work::byte_copied, received.first(mine.size()).size_bytes());
}

/// Writes the keys of a bucket in order, as their ranks say. `first`: its smallest value.
template <class Key>
[[gnu::noinline]] void write_bucket(std::span<const std::uint32_t> ranks, std::uint64_t end,
                                    std::uint64_t first, Key* sorted) {
  Key* to = sorted + ranks.front();
  for (std::size_t value = 0; value < ranks.size(); ++value) {
    Key* const stop = sorted + (value + 1 < ranks.size() ? ranks[value + 1] : end);
    while (to < stop) *to++ = static_cast<Key>(first + value);
  }
}

template <class Key>
void write_piece(key_part<Key>& mine, std::size_t piece) {
  const std::size_t values = std::size_t{1} << mine.shape.shift();
  const std::uint64_t bucket = mine.parts.bucket_begin(my_pe()) + piece;
  write_bucket(std::span<const std::uint32_t>(mine.ranks).subspan(piece * values, values),
               mine.begins[piece + 1], bucket << mine.shape.shift(), mine.sorted.data());
}

/// Sorts the keys of a bucket, which differ in their lowest `bits` only, into `to`; those of `from`
/// are lost.
template <class Key>
void sort_bucket(std::span<Key> from, std::span<Key> to, unsigned bits) {
  constexpr std::size_t few = 256, digits = std::size_t{1} << k_digit_bits;
  if (from.size() < few) {
    std::ranges::sort(from);
    std::ranges::copy(from, to.begin());
    return;
  }
  Key* source = from.data();
  Key* target = to.data();
  for (unsigned shift = 0; shift < bits; shift += k_digit_bits) {
    std::array<std::size_t, digits + 1> begin{};
    const auto digit = [shift](Key key) { return std::size_t{key >> shift} % digits; };
    for (const Key each : std::span(source, from.size())) ++begin[digit(each) + 1];
    if (begin[digit(*source) + 1] == from.size()) continue;  // all the same
    for (std::size_t d = 0; d < digits; ++d) begin[d + 1] += begin[d];
    for (const Key each : std::span(source, from.size())) target[begin[digit(each)]++] = each;
    std::swap(source, target);
  }
  if (source != to.data()) std::ranges::copy(std::span(source, from.size()), to.begin());
}

/// Writes the keys received in order. For any PE by itself; `ranked`: it has ranked them.
template <class Key>
task<> sort_received(key_part<Key>& mine, std::span<Key> received, bool ranked) {
  if (mine.sorted.size() < mine.size()) mine.sorted.resize(mine.size());
  const std::span sorted(mine.sorted);
  const auto finish = [&](std::size_t piece) {
    if (ranked) return write_piece(mine, piece);
    const std::uint64_t begin = mine.begins[piece], size = mine.size_of(piece);
    sort_bucket(received.subspan(begin, size), sorted.subspan(begin, size), mine.shape.shift());
  };
  co_await for_pieces(mine.own_pieces(), [&](auto piece) { return mine.size_of(piece); }, finish);
  atl::charge(work::byte_copied, received.first(mine.size()).size_bytes());
}

}  // namespace atl::kernels::sort
