#pragma once
// This file has the state of collectives on a PE. A collective is an operation that all PEs call,
// such as a reduction or an exchange.

#include "atoll/array.hpp"
#include "atoll/memory/collective_call.hpp"
#include "atoll/memory/collective_tree.hpp"
#include "atoll/memory/mapped_block.hpp"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace atl::memory {

/// Data that another PE has sent to this PE. The object owns the memory of the data.
class received_bytes {
 public:
  received_bytes() = default;
  explicit received_bytes(std::uint64_t size)
      : own_(std::make_unique_for_overwrite<std::byte[]>(size)), all_(own_.get(), size) {}
  received_bytes(mapped_block block, std::uint64_t size)
      : block_(std::move(block)), all_(block_.data(), size) {}

  std::span<std::byte> all() const { return all_; }
  const mapped_block& block() const { return block_; }

 private:
  std::unique_ptr<std::byte[]> own_;
  mapped_block block_;
  std::span<std::byte> all_;
};

// The next types hold the state of collectives on a PE. Each PE numbers its collectives in the
// order of its calls. Data that arrive before this PE calls the collective are stored under the
// number of the collective.

using bytes = std::vector<std::byte>;

/// The data that one other PE sends to this PE in an exchange, and how many bytes have arrived.
struct incoming_part {
  received_bytes data;
  std::uint64_t arrived = 0;
};

/// Memory of PE `pe`, at `offset`, in which this PE may store the data that it sends in an
/// exchange.
struct granted_block {
  int pe;
  std::uint64_t offset;
};

struct collective {
  collective_call mine;   ///< the call of this PE, once this PE has made it
  collective_call heard;  ///< the first call that another PE announced

  std::vector<bytes> from_children = std::vector<bytes>(4);
  int children_arrived = 0;
  bytes result;
  bool result_arrived = false;

  // Only an exchange uses the next fields.
  std::vector<incoming_part> parts;  // by source PE
  int complete_parts = 0;
  std::vector<granted_block> granted;

  tasks::frame* waiter = nullptr;
};

struct collective_state {
  explicit collective_state(tree_place place) : place(std::move(place)) {}

  const tree_place place;
  std::uint64_t next_number = 0;
  std::map<std::uint64_t, collective> under_way;
  /// the latest 16 calls of this PE; call number n is at index n % 16
  std::array<collective_call, 16> latest;

  /// An entry for a task of this PE and the library call for which the task works. The task either
  /// made the library call, or does this PE's part of the work of the library call.
  struct task_of_call {
    const tasks::root* task;
    caller of;
  };
  std::vector<task_of_call> calls;  ///< library calls that tasks of this PE made
  std::vector<task_of_call> parts;  ///< library calls for which tasks do this PE's part of the work
  std::uint32_t calls_begun = 0;

  /// Returns the call of a library function for which `task` works. Returns an empty caller if
  /// `task` works for no library call, but runs code of the program.
  caller caller_of(const tasks::root* task) const;

  /// Returns a call of a library function, other than `one`, for which a task of this PE works at
  /// present. Returns null if no task works for another library call.
  const task_of_call* active_beside(const caller& one) const;

  /// Ends the job with an error if the number of collectives that this PE has entered differs from
  /// `call.entered`.
  void check_begin(const begun_call& call) const;

  /// Adds the collectives that this PE has entered to `into`, the report that a stalled program
  /// prints.
  void tell_entered(std::vector<observe::finding>& into) const;
};

/// An awaitable that waits for a change of the collective `of`. If `ready(of)` is already true, the
/// task does not wait. After any change of the collective, the task continues, so the caller must
/// test its condition again.
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

/// A collective call with its number. Each PE numbers its collective calls in order, so a
/// collective has the same number on all PEs.
struct numbered_call {
  std::uint64_t number;
  collective_call what;
};

/// Begins a collective on this PE. If all PEs must pass the same amount of data, `bytes` is the
/// size of this PE's data. If the sizes may differ, `bytes` is 0. If another PE has announced a
/// different call, the job ends with an error that names both calls.
numbered_call enter_collective(const collective_kind& kind, std::uint64_t bytes, int root,
                               site where);

/// Returns the collective to which a message of another PE belongs. Only message handlers call this
/// function. If this PE makes, or has made, a different collective call with the same number, ends
/// the job with an error.
collective& collective_told_of(const numbered_call& there);

/// Compares the call in a message with this PE's call that has the same number. The collective call
/// of this PE may have ended already. Ends the job with an error if the calls differ. Calls older
/// than the latest 16 are not compared.
void compare_calls(const numbered_call& there);

inline collective& collective_of(std::uint64_t number) {
  return this_pe().collectives->under_way[number];
}
inline void wake_waiter(collective& changed) {
  if (changed.waiter != nullptr) this_pe().tasks->ready(*std::exchange(changed.waiter, nullptr));
}

using combine_bytes = std::function<void(std::span<std::byte> mine, std::span<const std::byte>)>;

inline constexpr int k_every_pe = -1;

/// The properties of a reduction.
struct reduction_call {
  const collective_kind& kind;
  int root;  ///< the root that was passed to the call; `k_every_pe` if the call has no root
  int to;    ///< the PE that gets the result; `k_every_pe` if every PE gets the result
};

/// Combines the `values` of all PEs element by element. `values` must have the same length on all
/// PEs. The result replaces `values` on PE `call.to`, or on every PE. On a PE that gets no result,
/// the contents of `values` are unspecified afterwards.
task<> reduce_in_tree(std::span<std::byte> values, reduction_call call, combine_bytes combine,
                      site where);

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

/// The value that a PE passes to a broadcast. `offers` is true only on the root, and only the
/// root's value is used.
template <class T>
struct offered {
  T value;
  bool offers;
};

}  // namespace atl::memory
