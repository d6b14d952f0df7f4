#pragma once
// The sort of integer keys, for any keys and any number of PEs.
//
// Each PE counts its keys by bucket, their highest bits. The counts of all PEs determine which PE
// gets which buckets. Keys move to their PE, which then counts them by value and so ranks them, or
// sorts them. Even if many keys are equal, no PE gets more than 33/32 of its equal share of the
// keys.
//
// The files are best read in this order: division.hpp, store.hpp, exchange.hpp, local.hpp.

#include "atoll/kernels/sort/exchange.hpp"
#include "atoll/kernels/sort/local.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace atl::kernels::sort {

/// A *Move* transfers divided keys to their PEs: `all_move(all)`, a coroutine that every PE calls.
/// In this Move, the PEs that have keys store them.
struct move_by_stores {
  template <class Key>
  task<> all_move(keys_of_all<Key> all) const {
    return all_exchange(all.parts.local(), all.received);
  }
};

/// Sorts the keys; afterwards every PE has its keys in order, in `sorted`. Every PE calls it.
template <class Key, class Move = move_by_stores>
task<> all_sort(keys_of_all<Key> all, Move how = {}) {
  key_part<Key>& mine = all.parts.local();
  co_await all_divide(mine);
  co_await how.all_move(all);
  const bool ranks = counts_by_value(mine.shape, mine.own_pieces(), mine.size());
  co_await order_received(mine, all.received.local(), {.ranks = ranks, .keys = true});
  mine.is_sorted = true;
}

/// The rank of a key, on the PE that owns it, and nothing on the others.
using known_ranks = std::vector<std::optional<std::uint64_t>>;

/// Returns the keys with these numbers, as far as this PE has them; 0 for others.
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

/// Ranks all keys, and looks up the ranks of the keys with these numbers. If there are too many
/// values for a table of ranks, it sorts the keys. Every PE calls it with the same numbers.
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

// The templates are compiled once for each width of keys, in sort.cpp.
#define ATOLL_SORT_BY(kind, Key, Move)                                                             \
  kind template task<> all_sort(keys_of_all<Key>, Move);                                           \
  kind template task<known_ranks> all_rank(keys_of_all<Key>, std::span<const std::uint64_t>, Move);
#define ATOLL_SORT(kind, Key)                                                                      \
  kind template struct keys_of_all<Key>;                                                           \
  ATOLL_SORT_BY(kind, Key, move_by_stores)
ATOLL_SORT(extern, std::uint32_t)
ATOLL_SORT(extern, std::uint64_t)

}  // namespace atl::kernels::sort
