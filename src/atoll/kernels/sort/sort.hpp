#pragma once
// Integer sort, as IS of the NAS benchmarks, for any keys and any number of PEs.
//
// Each PE counts its keys by bucket, their highest bits; the counts of all say which PE gets which
// buckets. Keys move to their PE, which then counts them by value, and so knows the rank of each,
// or sorts them. However keys repeat, no PE gets more than a thirty-second above its equal share.
//
// Read in this order: division, count, exchange, narrow and together, local.

#include "atoll/kernels/sort/exchange.hpp"
#include "atoll/kernels/sort/local.hpp"
#include "atoll/random.hpp"

namespace atl::kernels::sort {

/// A *Move* brings divided keys to their PEs: `all_move(all)`, a coroutine that every PE calls.
/// This one has them stored by the PEs that have them.
struct move_by_stores {
  template <class Key>
  task<> all_move(keys_of_all<Key> all) const {
    return all_exchange(all.parts.local(), all.received);
  }
};

/// Every PE then has its keys in order, in `sorted`. Every PE calls it.
template <class Key, class Move = move_by_stores>
task<> all_sort(keys_of_all<Key> all, Move how = {}) {
  key_part<Key>& mine = all.parts.local();
  co_await all_divide(mine);
  co_await how.all_move(all);
  const bool ranks = counts_by_value(mine.shape, mine.own_pieces(), mine.size());
  co_await order_received(mine, all.received.local(), {.ranks = ranks, .keys = true});
}

/// The first key that a PE begins with; `pes()`: the end of all.
inline std::uint64_t first_key_of(const nas_class& of, int pe) {
  return division::share_begin(of.keys(), static_cast<std::uint64_t>(pe),
                               static_cast<std::uint64_t>(pes()));
}

/// An iteration of NAS IS: replaces two keys, ranks all, and looks up the ranks of the tested keys.
/// Returns how many of those this PE owns and finds right. Every PE calls it.
template <class Key, class Move>
task<std::uint64_t> all_rank(keys_of_all<Key> all, Move how, const nas_class& of,
                             std::uint64_t iteration) {
  key_part<Key>& mine = all.parts.local();
  const std::uint64_t first = first_key_of(of, my_pe());
  const auto holds = [&](std::uint64_t i) { return i >= first && i - first < mine.keys.size(); };
  for (const auto& [index, key] : nas_changes(of, iteration))
    if (holds(index)) mine.keys[index - first] = static_cast<Key>(key);
  std::array<std::uint64_t, nas_class::tested_keys> tested{};
  for (std::size_t i = 0; i < nas_class::tested_keys; ++i)
    if (holds(of.tests[i].index)) tested[i] = mine.keys[of.tests[i].index - first];
  co_await all_divide(mine, tested);
  co_await how.all_move(all);
  co_await order_received(mine, all.received.local(), {.ranks = true});
  std::uint64_t right = 0;
  for (std::size_t i = 0; i < nas_class::tested_keys; ++i) {
    if (mine.parts.owner_of(tested[i], mine.shape.shift()) != my_pe()) continue;
    const auto rank = static_cast<std::int64_t>(mine.rank_of(tested[i]));
    right += rank == of.tests[i].rank_in(iteration) ? 1 : 0;
  }
  co_return right;
}

}  // namespace atl::kernels::sort
