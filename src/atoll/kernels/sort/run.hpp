#pragma once
// Sorts or ranks integer keys over all PEs. The keys may have any values, and the job may have any
// number of PEs.
//
// The highest bits of a key select its bucket. Each PE counts its keys in each bucket. The numbers
// of keys in all buckets determine which buckets a PE gets. Keys then move to the PEs that own
// them. Finally, each PE sorts its keys, or ranks them by counting the keys of each value. Even if
// many keys are equal, no PE gets more than 33/32 of its equal share of the keys.
//
// A reader of the code should read the files in this order: division.hpp, store.hpp, exchange.hpp,
// local.hpp.

#include "atoll/kernels/sort/exchange.hpp"
#include "atoll/kernels/sort/local.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace atl::kernels::sort {

/// A *Move* is a method that transfers divided keys to the PEs that own them. Every PE calls the
/// coroutine `all_move(all)` of a Move. The Move `move_by_stores` calls `all_exchange`, which
/// stores keys in the memory of their owners.
struct move_by_stores {
  template <class Key>
  task<> all_move(keys_of_all<Key> all) const {
    return all_exchange(all.parts.local(), all.received);
  }
};

/// Sorts the keys. After the call, `sorted` of each PE has the PE's keys in ascending order. Every
/// PE calls this function.
template <class Key, class Move = move_by_stores>
task<> all_sort(keys_of_all<Key> all, Move how = {}) {
  key_part<Key>& mine = all.parts.local();
  co_await all_divide(mine);
  co_await how.all_move(all);
  const bool ranks = counts_by_value(mine.shape, mine.own_pieces(), mine.size());
  co_await order_received(mine, all.received.local(), {.ranks = ranks, .keys = true});
  mine.is_sorted = true;
}

/// Ranks of keys. The rank of a key is the number of smaller keys on all PEs. The PE that owns a
/// key has the rank of the key, and other PEs have no value for the key.
using known_ranks = std::vector<std::optional<std::uint64_t>>;

/// Returns the keys at the positions `indices` of the input. If the input of this PE does not
/// contain a key, the result for the key is 0.
template <class Key>
std::vector<std::uint64_t> keys_at(const key_part<Key>& mine,
                                   std::span<const std::uint64_t> indices) {
  std::vector<std::uint64_t> keys;
  for (const std::uint64_t index : indices) {
    const bool holds = index >= mine.first && index - mine.first < mine.keys.size();
    keys.push_back(holds ? mine.keys[index - mine.first] : 0);
  }
  return keys;
}

/// Ranks all keys. Returns the ranks of the keys at the positions `indices` of the input. If a
/// table of ranks would be too large, the call sorts the keys instead. Every PE calls this function
/// with the same positions.
template <class Key, class Move = move_by_stores>
task<known_ranks> all_rank(keys_of_all<Key> all, std::span<const std::uint64_t> indices,
                           Move how = {}) {
  key_part<Key>& mine = all.parts.local();
  auto keys = keys_at(mine, indices);
  co_await all_divide(mine, keys);
  co_await how.all_move(all);
  const bool ranks = counts_by_value(mine.shape, mine.own_pieces(), mine.size());
  co_await order_received(mine, all.received.local(), {.ranks = ranks, .keys = !ranks});
  mine.is_sorted = !ranks;
  known_ranks found(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (mine.parts.owner_of(keys[i], mine.shape.shift()) == my_pe())
      found[i] = mine.rank_of(keys[i]);
  co_return found;
}

// The templates are compiled once for each width of keys in bits, in sort.cpp.
#define ATOLL_SORT_BY(kind, Key, Move)                                                             \
  kind template task<> all_sort(keys_of_all<Key>, Move);                                           \
  kind template task<known_ranks> all_rank(keys_of_all<Key>, std::span<const std::uint64_t>, Move);
#define ATOLL_SORT(kind, Key)                                                                      \
  kind template struct keys_of_all<Key>;                                                           \
  ATOLL_SORT_BY(kind, Key, move_by_stores)
ATOLL_SORT(extern, std::uint32_t)
ATOLL_SORT(extern, std::uint64_t)

}  // namespace atl::kernels::sort
