#pragma once
// Integer sort, like IS of the NAS benchmarks, for any keys and any number of PEs.
//
// Each PE counts its keys by bucket, their highest bits. The counts of all PEs determine which PE
// gets which buckets. Keys move to their PE, which then counts them by value and so ranks them, or
// sorts them. However keys repeat, no PE gets more than a thirty-second above its equal share.
//
// The files are best read in this order: division.hpp, store.hpp, exchange.hpp, local.hpp.

#include "atoll/kernels/sort/exchange.hpp"
#include "atoll/kernels/sort/local.hpp"
#include "atoll/random.hpp"

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
}

/// Returns the first key with which a PE begins; for `pes()`, the end of all keys.
inline std::uint64_t first_key_of(const nas_class& of, int pe) {
  return division::share_begin(of.keys(), static_cast<std::uint64_t>(pe),
                               static_cast<std::uint64_t>(pes()));
}

/// Performs an iteration of NAS IS: replaces two keys, ranks all, and looks up the ranks of the
/// tested keys. Returns how many of them this PE owns and finds right. Every PE calls it.
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

// Runs of the sort, timed by the rules of NAS: from the keys in memory to their ranks, all PEs
// together.

/// The results of a run, on all PEs together.
struct run_outcome {
  double seconds = 0;         ///< time of the ten rankings of NAS, or of one sort
  double seconds_sorted = 0;  ///< time of one sort to whole keys in order
  std::uint64_t keys = 0;
  std::uint64_t rankings = 0;      ///< rankings that `seconds` covers; 0: a sort
  std::uint64_t tests_passed = 0;  ///< tests of NAS; five per ranking
  std::uint64_t most_of_pe = 0;    ///< keys that one PE got

  double rate() const { return static_cast<double>(keys) * rounds() / seconds; }
  double rate_sorted() const { return static_cast<double>(keys) / seconds_sorted; }
  bool passed() const { return tests_passed == rankings * nas_class::tested_keys; }

 private:
  double rounds() const { return rankings == 0 ? 1 : static_cast<double>(rankings); }
};

/// Makes the keys of a class with which this PE begins, without the changes of iterations. Every PE
/// calls it.
template <class Key>
task<> take_nas_keys(key_part<Key>& mine, const nas_class& of) {
  const std::uint64_t first = first_key_of(of, my_pe());
  mine.shape = shape_for(of.bits, pes());
  co_await grow(mine.keys, first_key_of(of, my_pe() + 1) - first);
  nas_keys from(of, first);
  co_await in_stretches(std::span(mine.keys), [&](std::span<Key> some) {
    for (Key& each : some) each = static_cast<Key>(from.next());
  });
}

/// Reverts the changes of the iterations.
template <class Key>
void restore_nas_keys(key_part<Key>& mine, const nas_class& of) {
  const std::uint64_t first = first_key_of(of, my_pe());
  nas_keys from(of, first);
  for (std::uint64_t i = first; i <= 2 * nas_class::iterations && i - first < mine.keys.size(); ++i)
    mine.keys[i - first] = static_cast<Key>(from.next());
}

/// Combines the results of the PEs; the slowest PE determines the time. Every PE calls it.
template <class Key>
task<run_outcome> all_combine(run_outcome mine, const key_part<Key>& part) {
  mine.keys = part.parts.keys();
  mine.most_of_pe = part.size();
  const auto of_both = [](run_outcome a, const run_outcome& b) {
    a.seconds = std::max(a.seconds, b.seconds);
    a.seconds_sorted = std::max(a.seconds_sorted, b.seconds_sorted);
    a.tests_passed += b.tests_passed;
    a.most_of_pe = std::max(a.most_of_pe, b.most_of_pe);
    return a;
  };
  co_return co_await all_reduce(mine, of_both);
}

/// Performs one timed sort. Every PE calls it.
template <class Key, class Move>
task<double> all_time_sort(keys_of_all<Key> all, Move how) {
  co_await all_barrier();
  const auto begin = now();
  co_await all_sort(all, how);
  co_await all_barrier();
  co_return seconds_since(begin);
}

/// Runs the whole benchmark of NAS once, and a sort of its last keys. Every PE calls it.
template <class Key, class Move>
task<run_outcome> all_run_nas(keys_of_all<Key> all, nas_class of, Move how) {
  key_part<Key>& mine = all.parts.local();
  run_outcome outcome;
  restore_nas_keys(mine, of);
  co_await all_barrier();
  const auto begin = now();
  for (std::uint64_t iteration = 1; iteration <= nas_class::iterations; ++iteration)
    outcome.tests_passed += co_await all_rank(all, how, of, iteration);
  co_await all_barrier();
  outcome.seconds = seconds_since(begin);
  outcome.rankings = nas_class::iterations;
  outcome.seconds_sorted = co_await all_time_sort(all, how);
  co_return co_await all_combine(outcome, mine);
}

/// Runs the benchmark of a class of NAS or, if that has no bits, a sort of other keys. Every PE
/// calls it.
template <class Key, class Move = move_by_stores>
task<run_outcome> all_run(keys_of_all<Key> all, nas_class of = {}, Move how = {}) {
  if (of.bits != 0) co_return co_await all_run_nas(all, of, how);
  run_outcome outcome;
  outcome.seconds_sorted = co_await all_time_sort(all, how);
  outcome.seconds = outcome.seconds_sorted;
  co_return co_await all_combine(outcome, all.parts.local());
}

// The templates are compiled once for each width of keys, in sort.cpp.
#define ATOLL_SORT_RUN_BY(kind, Key, Move)                                                         \
  kind template task<run_outcome> all_run(keys_of_all<Key>, nas_class, Move);
#define ATOLL_SORT_RUN(kind, Key)                                                                  \
  kind template struct keys_of_all<Key>;                                                           \
  kind template task<> take_nas_keys(key_part<Key>&, const nas_class&);                            \
  ATOLL_SORT_RUN_BY(kind, Key, move_by_stores)
ATOLL_SORT_RUN(extern, std::uint32_t)
ATOLL_SORT_RUN(extern, std::uint64_t)

}  // namespace atl::kernels::sort
