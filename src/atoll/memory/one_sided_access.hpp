#pragma once
// This file has one-sided access to the symmetric memory of other PEs. The memory of PEs on the
// same node is usually mapped into this PE's address space. Access to mapped memory is a plain load
// or store. Memory that is not mapped is called far memory. An operation on far memory is
// asynchronous: this PE sends a request, and must wait until the operation is complete.

#include "atoll/global_address.hpp"
#include "atoll/task/scheduler.hpp"
#include "atoll/transport/one_sided.hpp"
#include "atoll/transport/transport.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace atl::memory {

class symmetric_team;

/// Counts the incomplete operations on far memory (memory that is not mapped) that no task awaits.
/// The operations are grouped into generations: each operation belongs to the generation that was
/// the newest when the operation began. `quiet` closes the newest generation and waits for all
/// closed generations, but not for operations that begin later.
class open_generations {
 public:
  open_generations() : open_(1) {}

  /// Returns the counter of the newest generation, to which an operation that begins now belongs.
  transport::open_operations& present() { return open_.back(); }

  /// If the newest generation has incomplete operations, closes it and begins a new generation.
  /// Returns the number of the latest closed generation.
  std::uint64_t close() {
    if (open_.back().count != 0) open_.emplace_back();
    return first_ + open_.size() - 2;
  }

  /// Returns true if all operations of generation `up_to` and of earlier generations are complete.
  bool are_complete(std::uint64_t up_to) {
    while (open_.size() > 1 && open_.front().count == 0) {
      open_.pop_front();
      ++first_;
    }
    return first_ > up_to;
  }

 private:
  std::deque<transport::open_operations> open_;
  std::uint64_t first_ = 1;  // number of the oldest generation
};

/// The state of one-sided access on a PE.
struct one_sided_state {
  open_generations open;
  /// The state of collectives on symmetric memory. The pointer is null until this PE first takes
  /// part in a collective on symmetric memory.
  std::shared_ptr<symmetric_team> team;
};

// The next types describe targets of one-sided operations, and awaitables for operations on far
// memory.

/// Throws atl::error (input), because PE `pe` does not exist or the bytes do not lie in one
/// symmetric array. The text of the error names the call `call`.
[[noreturn]] void refuse_one_sided(const char* call, int pe, std::uint64_t offset,
                                   std::uint64_t bytes, site where);

/// The target of a one-sided operation.
struct one_sided_target {
  std::byte* reached;  ///< address of the target in this PE; null for far memory
  transport::remote_place place;
};

/// Returns the target of a one-sided operation. Throws atl::error (input) if PE `pe` does not
/// exist, or if no symmetric array contains all of the bytes.
inline one_sided_target find_target(const char* call, int pe, std::uint64_t offset,
                                    std::uint64_t bytes, site where) {
  const atl::pe& self = this_pe();
  if (static_cast<unsigned>(pe) >= static_cast<unsigned>(self.size) || offset < k_symmetric ||
      !self.memory->holds(offset, bytes)) [[unlikely]]
    refuse_one_sided(call, pe, offset, bytes, where);
  const std::uint64_t within = offset - k_symmetric;
  std::byte* const segment = self.transport->directly_mapped(pe);
  return {segment == nullptr ? nullptr : segment + within, {pe, within}};
}

template <class T>
one_sided_target find_target(const char* call, global_address<T> at, std::uint64_t count,
                             site where) {
  const std::uint64_t bytes = bytes_of_count(count, sizeof(T), where);
  return find_target(call, at.pe(), at.offset(), bytes, where);
}

/// Throws atl::error (input), because the offset of a word is not a multiple of the word's size.
[[noreturn]] void refuse_misaligned(const char* call, std::uint64_t offset, std::uint64_t bytes,
                                    site where);

/// Returns the target of an operation on one word, which is an atomic operation or a wait for a
/// change of the word. Throws atl::error (input) if the word is misaligned or does not lie in a
/// symmetric array.
template <class T>
one_sided_target find_word(const char* call, global_address<T> at, site where) {
  if (at.offset() % sizeof(T) != 0) [[unlikely]]
    refuse_misaligned(call, at.offset(), sizeof(T), where);
  return find_target(call, at, 1, where);
}

inline transport::remote_memory& far_memory() { return *this_pe().transport->far_memory(); }
inline transport::open_operations& open_puts() { return this_pe().one_sided->open.present(); }

/// Stores a value for which other PEs may wait with `wait_until`. If the value has 1, 2, 4 or 8
/// bytes, the store is one atomic store with release order.
template <class T>
void store_value(std::byte* to, const T& value) {
  if constexpr (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) {
    __atomic_store(reinterpret_cast<T*>(to), const_cast<T*>(&value), __ATOMIC_RELEASE);
  } else {
    std::memcpy(to, &value, sizeof(T));
  }
}

template <class T>
T load_value(const std::byte* from) {
  T value;
  if constexpr (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) {
    __atomic_load(reinterpret_cast<const T*>(from), &value, __ATOMIC_ACQUIRE);
  } else {
    std::memcpy(&value, from, sizeof(T));
  }
  return value;
}

/// Copies bytes between the memory of two PEs. A large copy bypasses the caches. A PE that sees a
/// later store of this PE also sees the copied bytes.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes);

/// Base of an awaitable that waits for a condition on memory. No message reports that the condition
/// holds, so the scheduler tests the condition repeatedly. The derived class defines `await_ready`.
struct watching_awaiter : tasks::watcher {
  site where;

  watching_awaiter(bool (*condition)(const watcher&) noexcept, site place)
      : watcher(condition), where(place) {}

  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> handle) {
    handle.promise().waiting_at = where;
    suspended = &handle.promise();
    this_pe().tasks->ready_when(*this);
  }
  void await_resume() const noexcept {}
};

/// Base of an awaitable that begins operations on far memory and waits until they are complete.
struct far_awaiter : transport::open_operations {
  tasks::frame* suspended = nullptr;
  site where;

  explicit far_awaiter(site place) : open_operations{0, &wake}, where(place) {}

  /// Records that the task `frame` waits, and calls `begin`, which begins the operations. The
  /// operations may be complete before this function returns.
  template <class Begin>
  void suspend(tasks::frame& frame, const Begin& begin) {
    frame.waiting_at = where;
    suspended = &frame;
    ++count;
    begin();
    far_memory().send();
    one_complete();
  }

 private:
  static void wake(open_operations& complete) {
    auto& self = static_cast<far_awaiter&>(complete);
    if (self.suspended != nullptr) this_pe().tasks->ready(*std::exchange(self.suspended, nullptr));
  }
};

}  // namespace atl::memory
