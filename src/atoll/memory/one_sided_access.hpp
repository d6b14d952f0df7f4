#pragma once
// The state of one-sided access on a PE, and access to the symmetric memory of other PEs.

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

/// Operations beyond the address space that are not known to be complete and that no task awaits.
/// They are divided into generations, one after the other, so that `quiet` waits only for
/// operations begun before it.
class open_generations {
 public:
  open_generations() : open_(1) {}

  /// Returns the generation that counts new operations.
  transport::open_operations& present() { return open_.back(); }

  /// Begins a new generation if the present one has open operations. Returns the number of the
  /// previous generation.
  std::uint64_t close() {
    if (open_.back().count != 0) open_.emplace_back();
    return first_ + open_.size() - 2;
  }

  /// Returns true if all generations up to `up_to` are complete.
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
  /// Null until the first collective on symmetric memory.
  std::shared_ptr<symmetric_team> team;
};

// Targets in the symmetric memory of other PEs, with which all one-sided operations begin, and
// awaitables for operations that take a while.

/// Throws atl::error (input), which names the call: `pe` does not exist, or the bytes do not lie in
/// one symmetric array.
[[noreturn]] void refuse_one_sided(const char* call, int pe, std::uint64_t offset,
                                   std::uint64_t bytes, site where);

/// The target of an operation.
struct one_sided_target {
  std::byte* reached;  ///< in this address space; null: beyond it
  transport::remote_place place;
};

/// Returns the target of an operation. Throws the atl::error (input) of `refuse_one_sided`.
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

/// Throws atl::error (input): a word does not lie at a multiple of its size.
[[noreturn]] void refuse_misaligned(const char* call, std::uint64_t offset, std::uint64_t bytes,
                                    site where);

/// Returns the target of an operation that changes or watches a word as one unit. Throws atl::error
/// (input) if it is misaligned or has no target.
template <class T>
one_sided_target find_word(const char* call, global_address<T> at, site where) {
  if (at.offset() % sizeof(T) != 0) [[unlikely]]
    refuse_misaligned(call, at.offset(), sizeof(T), where);
  return find_target(call, at, 1, where);
}

inline transport::remote_memory& far_memory() { return *this_pe().transport->far_memory(); }
inline transport::open_operations& open_puts() { return this_pe().one_sided->open.present(); }

/// Stores a value that others may watch with `wait_until`: whole words at once.
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

/// Copies between the memory of two PEs, bypassing the caches if that pays. Later stores become
/// visible after the copy.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes);

/// Awaitable base: waits until a condition holds that no message announces. The derived class
/// defines `await_ready`.
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

/// Awaitable base: waits until the operations that it counts are complete.
struct far_awaiter : transport::open_operations {
  tasks::frame* suspended = nullptr;
  site where;

  explicit far_awaiter(site place) : open_operations{0, &wake}, where(place) {}

  /// Suspends `frame` and calls `begin`. The operations that it begins may be complete before it
  /// returns.
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
