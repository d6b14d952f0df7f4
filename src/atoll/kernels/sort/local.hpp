#pragma once
// Orders the keys that a PE has received, bucket by bucket. If a bucket has few possible values,
// the PE counts the keys of each value, and computes the ranks from the counts. If a bucket has
// many possible values, the PE sorts the keys digit by digit.

#include "atoll/kernels/sort/store.hpp"

#include <array>
#include <limits>
#include <utility>

namespace atl::kernels::sort {

/// Returns true if a PE with `buckets` buckets and `keys` keys should count the keys of each value.
/// The result is true only if the number of counters is at most 8 times the number of keys, plus
/// 65,536.
inline bool counts_by_value(const key_shape& shape, std::uint64_t buckets, std::uint64_t keys) {
  constexpr unsigned largest_table = 16;
  constexpr std::uint64_t always = 1 << 16;
  return keys <= std::numeric_limits<std::uint32_t>::max() && shape.shift() <= largest_table &&
         (buckets << shape.shift()) <= 8 * keys + always;
}

/// Ranks the keys of a bucket. `ranks[value]` becomes the number of this PE's keys that are smaller
/// than the value. `before` is the number of keys in earlier buckets.
template <class Key>
[[gnu::noinline]] void rank_bucket(std::span<const Key> keys, std::uint64_t before,
                                   std::span<std::uint32_t> ranks) {
  constexpr std::size_t line = 64 / sizeof(Key), ahead = 32 * line;
  std::ranges::fill(ranks, 0);
  const std::size_t mask = ranks.size() - 1;
  std::size_t i = 0;
  for (; i + line <= keys.size(); i += line) {
    // The processor's own prefetch stops at the end of the page.
    __builtin_prefetch(keys.data() + i + ahead);
    for (std::size_t k = i; k < i + line; ++k) ++ranks[keys[k] & mask];
  }
  for (; i < keys.size(); ++i) ++ranks[keys[i] & mask];
  auto smaller = static_cast<std::uint32_t>(before);
  for (std::uint32_t& each : ranks) smaller += std::exchange(each, smaller);
}

/// Writes the keys of a bucket in ascending order to `sorted`. `ranks` is the result of
/// `rank_bucket`. `end` is the index in `sorted` behind the last key of the bucket. `first` is the
/// smallest possible key of the bucket.
template <class Key>
[[gnu::noinline]] void write_bucket(std::span<const std::uint32_t> ranks, std::uint64_t end,
                                    std::uint64_t first, Key* sorted) {
  Key* to = sorted + ranks.front();
  for (std::size_t value = 0; value < ranks.size(); ++value) {
    Key* const stop = sorted + (value + 1 < ranks.size() ? ranks[value + 1] : end);
    while (to < stop) *to++ = static_cast<Key>(first + value);
  }
}

/// Sorts the keys `from` of a bucket, and stores them in `to`. The keys differ only in their lowest
/// `bits` bits. After the call, the contents of `from` are undefined.
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
    if (begin[digit(*source) + 1] == from.size()) continue;  // all keys have the same digit
    for (std::size_t d = 0; d < digits; ++d) begin[d + 1] += begin[d];
    for (const Key each : std::span(source, from.size())) target[begin[digit(each)]++] = each;
    std::swap(source, target);
  }
  if (source != to.data()) std::ranges::copy(std::span(source, from.size()), to.begin());
}

/// The results that the caller wants for the received keys.
struct wanted_order {
  bool ranks = false;  ///< whether the caller wants the rank of each possible value
  bool keys = false;   ///< whether the caller wants all keys in ascending order
};

/// Ranks or sorts the keys of one piece (this PE's part of a bucket), while they are in the cache.
template <class Key>
void order_piece(key_part<Key>& mine, std::span<Key> received, wanted_order wanted,
                 std::size_t piece) {
  const unsigned shift = mine.shape.shift();
  const std::uint64_t begin = mine.begins[piece], size = mine.size_of(piece);
  const auto keys = received.subspan(begin, size);
  widen_piece(mine, received, piece);
  if (wanted.ranks) {
    const auto ranks = std::span(mine.ranks).subspan(piece << shift, std::size_t{1} << shift);
    rank_bucket(std::span<const Key>(keys), begin, ranks);
    const std::uint64_t bucket = mine.parts.bucket_begin(my_pe()) + piece;
    if (wanted.keys)
      write_bucket(std::span<const std::uint32_t>(ranks), begin + size, bucket << shift,
                   mine.sorted.data());
  } else {
    sort_bucket(keys, std::span(mine.sorted).subspan(begin, size), shift);
  }
}

/// Charges the work of ordering all received keys to the cost model.
template <class Key>
void charge_order(const key_part<Key>& mine, wanted_order wanted, std::size_t values) {
  if (wanted.ranks) {
    atl::charge(work::key_counted, mine.size() + values);
    if (wanted.keys) atl::charge(work::byte_copied, mine.size() * sizeof(Key));
    return;
  }
  const std::uint64_t passes = (mine.shape.shift() + k_digit_bits - 1) / k_digit_bits;
  atl::charge(work::key_counted, passes * mine.size());
  atl::charge(work::key_placed, passes * mine.size());
}

/// Ranks the received keys, writes them in ascending order, or does both. The call does not
/// communicate.
template <class Key>
task<> order_received(key_part<Key>& mine, std::span<Key> received, wanted_order wanted) {
  const std::size_t values = mine.own_pieces() << mine.shape.shift();
  if (wanted.ranks) co_await grow(mine.ranks, values);
  if (wanted.keys) co_await grow(mine.sorted, mine.size());
  const auto order = [&](std::size_t piece) { order_piece(mine, received, wanted, piece); };
  co_await for_pieces(mine.own_pieces(), [&](auto piece) { return mine.size_of(piece); }, order);
  charge_order(mine, wanted, values);
}

}  // namespace atl::kernels::sort
