#pragma once
// Collectives: every PE calls them, one task a PE at a time, in the same order; each suspends its
// task until it has what it waits for. Small values go up and down a binary tree rooted at PE 0, or
// up and straight to the PE that wants them, and are combined in the order of the tree, so results
// do not depend on timing. What differs per pair of PEs is exchanged (exchange.hpp).

#include "atoll/memory/collective_state.hpp"
#include "atoll/memory/exchange.hpp"

#include <vector>

namespace atl {

/// Returns when every PE has called it.
task<> all_barrier(site where = site::current());

namespace memory {

/// `combine(a, b)` over the values of all PEs; the result is on PE `root`, or on every PE.
template <class T, class Combine>
task<> reduce_values(std::span<T> values, const Combine& combine, int root, site where) {
  const auto combine_all = [&combine](std::span<std::byte> mine, std::span<const std::byte> other) {
    combine_elements<T>(mine, other, combine);
  };
  co_await reduce_in_tree(std::as_writable_bytes(values), sizeof(T), combine_all, root, where);
}

}  // namespace memory

/// `combine(a, b)` over the values of all PEs, on every PE. The operation must be associative.
template <class T, class Combine>
task<T> all_reduce(T value, Combine combine, site where = site::current()) {
  std::vector<T> one(1, value);
  co_await memory::reduce_values(std::span(one), combine, memory::k_every_pe, where);
  co_return one[0];
}

/// Element by element; the vectors have equal lengths on all PEs.
template <class T, class Combine>
task<std::vector<T>> all_reduce(std::vector<T> values, Combine combine,
                                site where = site::current()) {
  co_await memory::reduce_values(std::span(values), combine, memory::k_every_pe, where);
  co_return values;
}

/// As all_reduce, on PE `root` alone: the others get their own value back, and do not wait for it.
template <class T, class Combine>
task<T> all_reduce_to(int root, T value, Combine combine, site where = site::current()) {
  memory::check_pe("all_reduce_to", root, where);
  std::vector<T> one(1, value);
  co_await memory::reduce_values(std::span(one), combine, root, where);
  co_return my_pe() == root ? one[0] : value;
}

/// The value of PE `root`, on every PE.
template <class T>
task<T> all_broadcast(T value, int root = 0, site where = site::current()) {
  const bool mine = my_pe() == root;
  std::vector<memory::offered<T>> one(1, memory::offered<T>{value, mine});
  const auto offered_one = [](const auto& a, const auto& b) { return a.offers ? a : b; };
  co_await memory::reduce_values(std::span(one), offered_one, memory::k_every_pe, where);
  co_return one[0].value;
}

/// Returns when nothing can happen any more by itself: no application message is under way, whoever
/// it belongs to, and no task is ready or sleeps (termination detection, message/termination.hpp).
task<> all_quiet(site where = site::current());

}  // namespace atl
