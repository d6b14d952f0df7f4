#pragma once
// How a PE reaches the symmetric memory of another: what all one-sided operations begin with, and
// how a task waits for those that take a while.

#include "atoll/global_address.hpp"
#include "atoll/memory/one_sided_state.hpp"
#include "atoll/task/scheduler.hpp"
#include "atoll/transport/transport.hpp"

#include <span>
#include <type_traits>
#include <utility>

namespace atl::memory {

/// Throws atl::error (input): `pe` does not exist, or these bytes do not lie in one symmetric
/// array. Names the call.
[[noreturn]] void refuse_one_sided(const char* call, int pe, std::uint64_t offset,
                                   std::uint64_t bytes, site where);

/// Where an operation goes.
struct one_sided_target {
  std::byte* reached;  ///< in this address space; null: beyond it
  transport::remote_place place;
};

/// Throws atl::error (input) as `refuse_one_sided`.
inline one_sided_target find_target(const char* call, int pe, std::uint64_t offset,
                                    std::uint64_t bytes, site where) {
  const atl::pe& self = this_pe();
  if (static_cast<unsigned>(pe) >= static_cast<unsigned>(self.size) || offset < k_symmetric ||
      !self.memory->holds(offset, bytes)) [[unlikely]]
    refuse_one_sided(call, pe, offset, bytes, where);
  const std::uint64_t within = offset - k_symmetric;
  std::byte* const segment = self.transport->reached(pe);
  return {segment == nullptr ? nullptr : segment + within, {pe, within}};
}

template <class T>
one_sided_target find_target(const char* call, global_address<T> at, std::uint64_t count,
                             site where) {
  const std::uint64_t bytes = bytes_of_count(count, sizeof(T), where);
  return find_target(call, at.pe(), at.offset(), bytes, where);
}

/// Throws atl::error (input): a word is not at a multiple of its size.
[[noreturn]] void refuse_misaligned(const char* call, std::uint64_t offset, std::uint64_t bytes,
                                    site where);

/// As `find_target`, of a word that is changed or watched as one.
template <class T>
one_sided_target find_word(const char* call, global_address<T> at, site where) {
  if (at.offset() % sizeof(T) != 0) [[unlikely]]
    refuse_misaligned(call, at.offset(), sizeof(T), where);
  return find_target(call, at, 1, where);
}

inline transport::remote_memory& far_memory() { return *this_pe().transport->far_memory(); }
inline transport::open_operations& open_puts() { return this_pe().one_sided->open.present(); }

/// Stores what others may look at with `wait_until`: whole words at once.
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

/// Copies between memory of two PEs, around the caches where that pays. What is stored after it is
/// seen after it.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes);

/// Awaitable base: until a condition holds that nobody announces; `await_ready` is the derived
/// one's.
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

/// Awaitable base: the operations that count in it, until they are complete.
struct far_awaiter : transport::open_operations {
  tasks::frame* suspended = nullptr;
  site where;

  explicit far_awaiter(site place) : open_operations{0, &wake}, where(place) {}

  /// Suspends `frame` and calls `begin`; what that begins may be complete before it returns.
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
