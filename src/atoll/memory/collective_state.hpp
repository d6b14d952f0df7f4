#pragma once
// What collectives keep on a PE: what has arrived for a collective this PE may not have reached
// yet, by its number.

#include "atoll/memory/bulk.hpp"
#include "atoll/memory/collective_tree.hpp"

#include <functional>
#include <map>
#include <vector>

namespace atl::memory {

using bytes = std::vector<std::byte>;

struct collective {
  std::vector<bytes> from_children = std::vector<bytes>(4);
  int children_arrived = 0;
  bytes result;
  bool result_arrived = false;

  struct stream {
    bytes data;
    std::uint64_t arrived = 0;
    bool begun = false;
  };
  std::vector<stream> streams;  // by source, for an exchange
  int complete_streams = 0;

  tasks::frame* waiter = nullptr;
};

struct collective_state {
  explicit collective_state(tree_place place) : place(std::move(place)) {}

  const tree_place place;
  std::uint64_t next_number = 0;
  std::map<std::uint64_t, collective> under_way;

  /// Which collectives this PE has entered, for a report of who waits for whom.
  void tell_entered(std::vector<observe::finding>& into) const;
};

/// Awaitable: until `ready(collective)` holds; whatever changes the collective wakes the waiter.
template <class Ready>
struct collective_awaiter {
  collective& of;
  Ready ready;
  site where;

  bool await_ready() { return ready(of); }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    suspended.promise().waiting_at = where;
    of.waiter = &suspended.promise();
    this_pe().messages->flush();
  }
  void await_resume() {}
};

using combine_bytes = std::function<void(std::span<std::byte> mine, std::span<const std::byte>)>;

inline constexpr int k_every_pe = -1;

/// Combines `values` of all PEs, which have equal lengths, in pieces of whole elements of
/// `element_bytes`; the result replaces them on PE `root`, or on every PE. On the others they are
/// nothing then.
task<> reduce_in_tree(std::span<std::byte> values, std::size_t element_bytes, combine_bytes combine,
                      int root, site where);

/// What all PEs have, by PE, on PE `root`; nothing on the others.
task<std::vector<bytes>> gather_at(int root, std::span<const std::byte> mine, site where);

/// outgoing[p] goes to PE p; returns what came, by source.
task<std::vector<bytes>> exchange(std::vector<std::span<const std::byte>> outgoing, site where);

template <class T, class Combine>
void combine_elements(std::span<std::byte> mine, std::span<const std::byte> other,
                      const Combine& combine) {
  static_assert(std::is_trivially_copyable_v<T>);
  for (std::size_t at = 0; at < mine.size(); at += sizeof(T)) {
    alignas(T) std::byte storage[2 * sizeof(T)];
    std::memcpy(storage, mine.data() + at, sizeof(T));
    std::memcpy(storage + sizeof(T), other.data() + at, sizeof(T));
    const auto* pair = reinterpret_cast<const T*>(storage);
    const T result = combine(pair[0], pair[1]);
    std::memcpy(mine.data() + at, &result, sizeof(T));
  }
}

/// A value that only the root of a broadcast offers.
template <class T>
struct offered {
  T value;
  bool offers;
};

/// Gives back the bytes of each source as soon as they are copied: of many PEs each has much.
template <class T>
std::vector<std::vector<T>> as_vectors(std::vector<bytes> incoming) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::vector<T>> result(incoming.size());
  for (std::size_t source = 0; source < incoming.size(); ++source) {
    result[source].resize(incoming[source].size() / sizeof(T));
    if (!incoming[source].empty()) {
      std::memcpy(result[source].data(), incoming[source].data(), incoming[source].size());
    }
    bytes().swap(incoming[source]);
  }
  return result;
}

}  // namespace atl::memory
