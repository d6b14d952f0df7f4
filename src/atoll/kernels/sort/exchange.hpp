#pragma once
// This file moves keys to the PEs that own the keys. If there are many keys, each key is stored at
// its final place. If there are few keys and many PEs, all keys for one PE are sent together.

#include "atoll/kernels/sort/store.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace atl::kernels::sort {

// This part moves few keys to many PEs on several nodes. Each PE sends each other PE one list with
// the sizes of pieces (parts of buckets) and one list with all keys. A put for each piece (part of
// a bucket) would be slow, because each message would have only a few keys.

/// Returns true if pieces (parts of buckets) have so few keys that all keys for one PE should be
/// sent together. The result is the same on every PE.
template <class Key>
bool go_together(const key_part<Key>& mine) {
  return nodes() > 1 && mine.parts.keys() / mine.parts.pieces() <
                            mine.fewest_put * static_cast<std::uint64_t>(pes());
}

/// Divides an array among PEs. The array has data of all pieces (parts of buckets), one after
/// another, and `size_of(pe)` elements belong to PE `pe`.
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

/// Stores the received keys of each PE at their places. The senders send either whole keys or only
/// the lowest bits of keys. If only the lowest bits are sent, the bucket determines the other bits.
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

/// Returns the numbers as 32-bit numbers for messages. Throws `error` (input) if a number is too
/// large.
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

/// Exchanges keys by sending all keys for one PE together. Every PE calls this function after the
/// keys were divided. When the call returns, this PE has all keys that it owns.
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

// This part moves many keys. First, PEs exchange the sizes of pieces, so that each PE knows the
// place of each of its keys in the memory of the owner. In one pass over its keys, a PE then stores
// each key at its place. If the owner is on another node, the key is first stored in staging
// memory. The staged keys of each piece (part of a bucket) are sent by a put, in as few bytes as
// possible.

/// Sends each PE the number of this PE's keys in each piece (part of a bucket) that the receiving
/// PE owns. The numbers determine the places of the keys on the receiving PE. Every PE calls this
/// function.
template <class Key>
task<> all_lay_out(key_part<Key>& mine) {
  numbers_of_pieces counts(static_cast<std::size_t>(pes()));
  mine.owners.clear();
  for (int pe = 0; pe < pes(); ++pe) {
    const std::uint64_t begin = mine.parts.piece_begin(pe), end = mine.parts.piece_end(pe);
    for (std::uint64_t piece = begin; piece < end; ++piece) mine.owners.push_back(pe);
    counts[static_cast<std::size_t>(pe)].assign(mine.counts.data() + begin,
                                                mine.counts.data() + end);
  }
  mine.places = lay_out(mine, co_await all_to_all(counts));
  mine.narrow_sources.clear();
}

/// Returns one list for each PE p. For each piece (part of a bucket) of p, the list has the index
/// at which p stores this PE's keys of the piece. When the call returns, all PEs are ready to
/// receive keys. Every PE calls this function.
template <class Key>
task<received_parts<std::uint64_t>> all_exchange_sizes(key_part<Key>& mine) {
  co_await all_lay_out(mine);
  co_return co_await all_to_all(mine.places);
}

/// Returns the memory for received keys of PE `pe`. Returns null if this PE cannot store into the
/// memory of PE `pe` directly.
template <class Key>
Key* reached_memory(symmetric_array<Key> received, int pe) {
  return pe == my_pe() ? received.local().data() : received.directly_mapped(pe).data();
}

/// Sets the destination of the first key of each piece (part of a bucket). The destination is in
/// the memory of the owner or, if the owner is on another node, in staging memory.
template <class Key>
task<> aim(key_part<Key>& mine, symmetric_array<Key> received,
           const received_parts<std::uint64_t>& places) {
  mine.next.clear();
  std::size_t staged = 0;
  const auto goes_beyond = [&](int pe) { return reached_memory(received, pe) == nullptr; };
  for (std::size_t piece = 0; piece < mine.counts.size(); ++piece)
    if (goes_beyond(mine.owners[piece])) staged += mine.counts[piece];
  co_await grow(mine.staged, staged);
  Key* beside = mine.staged.data();
  for (int pe = 0; pe < pes(); ++pe) {
    Key* const memory = reached_memory(received, pe);
    if (memory == nullptr && travels_narrow<Key>(mine.shape))
      mine.narrow_sources.push_back(static_cast<std::size_t>(pe));
    for (const std::uint64_t place : places[static_cast<std::size_t>(pe)]) {
      mine.next.push_back(memory == nullptr ? beside : memory + place);
      if (memory == nullptr) beside += mine.counts[mine.next.size() - 1];
    }
  }
}

/// Begins a put of the keys of a piece (part of a bucket) to `place` on another PE. The call does
/// not wait.
template <class Key>
void put_piece(std::span<Key> keys, symmetric_array<Key> received, int pe, std::uint64_t place,
               const key_shape& shape) {
  if (!travels_narrow<Key>(shape)) return one_sided::put_nbi(received.on(pe, place), keys);
  const auto bits = narrow(keys, shape.shift());
  const std::uint64_t before = keys.size() * (sizeof(Key) - sizeof(narrow_key));
  const global_address<narrow_key> to(pe, received.on(pe, place).offset() + before);
  one_sided::put_nbi(to, bits);
  atl::charge(work::byte_copied, bits.size_bytes());
}

/// Sends all staged keys to their places by puts, and waits until all keys have arrived.
template <class Key>
task<> put_staged(key_part<Key>& mine, symmetric_array<Key> received,
                  const received_parts<std::uint64_t>& places) {
  Key* from = mine.staged.data();
  std::size_t piece = 0;
  for (int pe = 0; pe < pes(); ++pe) {
    const bool beyond = reached_memory(received, pe) == nullptr;
    for (const std::uint64_t place : places[static_cast<std::size_t>(pe)]) {
      const std::uint64_t count = mine.counts[piece++];
      if (!beyond || count == 0) continue;
      put_piece(std::span(from, count), received, pe, place, mine.shape);
      from += count;
    }
  }
  co_await one_sided::quiet();
}

/// Moves all keys to the PEs that own them. Every PE calls this function after the keys were
/// divided. When the call returns, all keys have arrived.
template <class Key>
task<> all_exchange(key_part<Key>& mine, symmetric_array<Key> received) {
  if (go_together(mine)) {
    co_await all_exchange_together(mine, received.local());
    co_return;
  }
  const auto places = co_await all_exchange_sizes(mine);
  co_await aim(mine, received, places);
  co_await store_all_keys(mine);
  co_await put_staged(mine, received, places);
  co_await all_barrier();
}

}  // namespace atl::kernels::sort
