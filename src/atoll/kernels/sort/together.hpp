#pragma once
// Moving few keys to many PEs on other nodes: each PE sends each other one what it has for it as
// one part of an exchange, how many of each piece and the keys behind one another. A put for each
// piece would be a message of a few keys.

#include "atoll/kernels/sort/store.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace atl::kernels::sort {

/// Whether pieces are so small that their keys go together; on every PE alike.
template <class Key>
bool go_together(const key_part<Key>& mine) {
  return nodes() > 1 && mine.parts.keys() / mine.parts.pieces() <
                            mine.fewest_put * static_cast<std::uint64_t>(pes());
}

/// Each PE's part of something that all pieces have, one behind another.
template <class T, class SizeOf>
std::vector<std::span<T>> by_pe(std::span<T> all, SizeOf size_of) {
  std::vector<std::span<T>> parts;
  std::size_t begin = 0;
  for (int pe = 0; pe < pes(); ++pe) {
    const std::size_t size = size_of(pe);
    parts.push_back(all.subspan(begin, size));
    begin += size;
  }
  return parts;
}

/// Puts keys where they belong that came from each PE, as they are or as their lowest bits.
template <class Key, class Sent>
task<> take_keys(const key_part<Key>& mine, std::span<Key> received,
                 const received_parts<std::uint32_t>& counts, const received_parts<Sent>& keys) {
  const std::uint64_t bucket = mine.parts.bucket_begin(my_pe());
  for (std::size_t source = 0; source < keys.size(); ++source) {
    const Sent* from = keys[source].data();
    for (std::size_t piece = 0; piece < mine.own_pieces(); ++piece) {
      const auto highest = sizeof(Sent) == sizeof(Key)
                               ? Key{}
                               : static_cast<Key>((bucket + piece) << mine.shape.shift());
      Key* to = received.data() + mine.places[source][piece];
      for (std::uint32_t left = counts[source][piece]; left != 0; --left)
        *to++ = static_cast<Key>(highest | *from++);
    }
    atl::charge(work::byte_copied, keys[source].size() * sizeof(Key));
    co_await yield();
  }
}

/// As they travel. Throws `error` (input) where one does not fit.
inline std::vector<std::uint32_t> narrow_counts(std::span<const std::uint64_t> counts) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  for (const std::uint64_t count : counts)
    if (count > most)
      fail(errc::input,
           "PE {} has {} keys of one bucket, and tells others of no more than {}: more PEs have "
           "fewer keys each",
           my_pe(), count, most);
  return {counts.begin(), counts.end()};
}

/// Every PE calls it, once the keys are divided. All keys of this PE are here when it returns.
template <class Key>
task<> all_exchange_together(key_part<Key>& mine, std::span<Key> received) {
  co_await grow(mine.staged, mine.keys.size());
  mine.next.clear();
  Key* beside = mine.staged.data();
  for (const std::uint64_t count : mine.counts)
    mine.next.push_back(std::exchange(beside, beside + count));
  co_await store_all_keys(mine);

  const auto counts = narrow_counts(mine.counts);
  const auto pieces_of = [&](int pe) {
    return mine.parts.piece_end(pe) - mine.parts.piece_begin(pe);
  };
  const auto counts_by_pe = by_pe(std::span<const std::uint32_t>(counts), pieces_of);
  const auto came = co_await all_to_all(counts_by_pe);
  mine.places = lay_out(mine, came);
  mine.narrow_sources.clear();

  const auto keys_of = [&](int pe) {
    const auto of_pe = counts_by_pe[static_cast<std::size_t>(pe)];
    return std::accumulate(of_pe.begin(), of_pe.end(), std::size_t{0});
  };
  const auto keys_by_pe = by_pe(std::span(mine.staged).first(mine.keys.size()), keys_of);
  if (travels_narrow<Key>(mine.shape)) {
    std::vector<std::span<const narrow_key>> parts;
    for (const auto keys : keys_by_pe) parts.push_back(narrow(keys, mine.shape.shift()));
    atl::charge(work::byte_copied, mine.keys.size() * sizeof(narrow_key));
    co_await take_keys(mine, received, came, co_await all_to_all(std::move(parts)));
  } else {
    std::vector<std::span<const Key>> parts(keys_by_pe.begin(), keys_by_pe.end());
    co_await take_keys(mine, received, came, co_await all_to_all(std::move(parts)));
  }
}

}  // namespace atl::kernels::sort
