#pragma once
// Moving keys to the PEs that get them. Sizes are exchanged, so that each PE knows a place for each
// of its keys; then it stores them there itself, bucket by bucket, in one pass and without a copy
// on the way. Keys for memory beyond reach are stored side by side first, and put from there, as
// short as they can be; few of them go together (together.hpp).

#include "atoll/kernels/sort/together.hpp"

namespace atl::kernels::sort {

/// Tells each PE how many keys come of each of its pieces, which says where they begin there. Every
/// PE calls it.
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

/// Where this PE's keys of each piece go, by PE. All PEs are ready to receive when it returns.
/// Every PE calls it.
template <class Key>
task<received_parts<std::uint64_t>> all_exchange_sizes(key_part<Key>& mine) {
  co_await all_lay_out(mine);
  co_return co_await all_to_all(mine.places);
}

/// The memory of another PE as this one stores to it; null beyond reach.
template <class Key>
Key* reached_memory(symmetric_array<Key> received, int pe) {
  return pe == my_pe() ? received.local().data() : received.reached(pe).data();
}

/// Sets where keys go: into the memory of their PE, or beside each other.
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

/// Begins to put the keys of a piece where it goes, `place` of another PE.
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

/// Puts what was stored beside each other where it goes.
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

/// Every PE calls it, once the keys are divided. All keys are where they go when it returns.
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
