#pragma once
// Collectives: every PE calls them, one task a PE at a time, in the same order; each suspends its
// task until it has what it waits for. Small values go up and down a binary tree rooted at PE 0, or
// up and straight to the PE that wants them, and are combined in the order of the tree, so results
// do not depend on timing. What differs per pair of PEs is exchanged (exchange.hpp).

#include "atoll/memory/collective_state.hpp"
#include "atoll/memory/exchange.hpp"

#include <array>
#include <vector>

namespace atl {

/// Returns when every PE has called it.
task<> all_barrier(site where = site::current());

namespace memory {

/// `combine(a, b)` over the values of all PEs; the result is on PE `root`, or on every PE.
template <class T, class Combine>
task<> reduce_values(std::span<T> values, reduction_call call, const Combine& combine, site where) {
  const auto combine_all = [&combine](std::span<std::byte> mine, std::span<const std::byte> other) {
    combine_elements<T>(mine, other, combine);
  };
  co_await reduce_in_tree(std::as_writable_bytes(values), call, combine_all, where);
}

inline reduction_call to_all(const collective_kind& kind) { return {kind, k_every_pe, k_every_pe}; }

template <class T, class Combine>
inline constexpr collective_kind k_all_reduce = kind_of<T, Combine>("all_reduce");
template <class T, class Combine>
inline constexpr collective_kind k_all_reduce_to = kind_of<T, Combine>("all_reduce_to");
template <class T>
inline constexpr collective_kind k_all_broadcast = kind_of<T>("all_broadcast");

}  // namespace memory

/// `combine(a, b)` over the values of all PEs, on every PE. The operation must be associative.
template <class T, class Combine>
task<T> all_reduce(T value, Combine combine, site where = site::current()) {
  memory::refuse_owning<T>();
  std::array<T, 1> one{{value}};
  co_await memory::reduce_values(std::span<T>(one),
                                 memory::to_all(memory::k_all_reduce<T, Combine>), combine, where);
  co_return one[0];
}

/// Element by element; the vectors have equal lengths on all PEs, which is looked at.
template <class T, class Combine>
task<std::vector<T>> all_reduce(std::vector<T> values, Combine combine,
                                site where = site::current()) {
  memory::refuse_owning<T>();
  static_assert(!std::is_same_v<T, bool>,
                "a std::vector<bool> has no elements to send: write std::vector<char>");
  co_await memory::reduce_values(std::span<T>(values),
                                 memory::to_all(memory::k_all_reduce<T, Combine>), combine, where);
  co_return values;
}

/// As all_reduce, on PE `root` alone: the others get their own value back, and do not wait for it.
template <class T, class Combine>
task<T> all_reduce_to(int root, T value, Combine combine, site where = site::current()) {
  memory::refuse_owning<T>();
  memory::check_pe("all_reduce_to", root, where);
  std::array<T, 1> one{{value}};
  const memory::reduction_call call{memory::k_all_reduce_to<T, Combine>, root, root};
  co_await memory::reduce_values(std::span<T>(one), call, combine, where);
  co_return my_pe() == root ? one[0] : value;
}

/// The value of PE `root`, on every PE.
template <class T>
task<T> all_broadcast(T value, int root = 0, site where = site::current()) {
  memory::refuse_owning<T>();
  memory::check_pe("all_broadcast", root, where);
  std::vector<memory::offered<T>> one(1, memory::offered<T>{value, my_pe() == root});
  const auto offered_one = [](const auto& a, const auto& b) { return a.offers ? a : b; };
  const memory::reduction_call call{memory::k_all_broadcast<T>, root, memory::k_every_pe};
  co_await memory::reduce_values(std::span(one), call, offered_one, where);
  co_return one[0].value;
}

/// Returns when nothing can happen any more by itself: no application message is under way, whoever
/// it belongs to, and no task is ready or sleeps (termination detection, message/termination.hpp).
task<> all_quiet(site where = site::current());

}  // namespace atl
