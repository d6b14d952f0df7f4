#pragma once
// What every coroutine of a task has in common, at a fixed place of its frame, so that the
// scheduler resumes it without knowing its type.

#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/message/activity.hpp"

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

namespace atl::tasks {

struct root;

/// Base of all promises. A task is one root frame and the frames of the coroutines it awaits.
struct frame {
  std::coroutine_handle<> continuation;
  root* owner = nullptr;
  union {
    /// Where it waits, set by every awaitable when it suspends.
    site waiting_at;
    /// The exception that left it, until its awaiter takes that; it has no owner then.
    std::exception_ptr failure;
  };

  frame() noexcept : waiting_at() {}
  ~frame() {}
  frame(const frame&) = delete;
  frame& operator=(const frame&) = delete;

  void fail(std::exception_ptr exception) noexcept {
    new (&failure) std::exception_ptr(std::move(exception));
    owner = nullptr;
  }

  /// Rethrows in the awaiter the exception that left it.
  void throw_failure() {
    if (owner == nullptr) [[unlikely]]
      throw_on();
  }

  void resume() { std::coroutine_handle<frame>::from_promise(*this).resume(); }

  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory, std::size_t bytes) noexcept;

 private:
  [[noreturn, gnu::noinline, gnu::cold]] void throw_on() {
    const std::exception_ptr taken = std::move(failure);
    failure.~exception_ptr();
    std::rethrow_exception(taken);
  }
};

/// The first frame of a task: what the whole task has.
struct root : frame {
  /// What the task itself, and all it starts, counts in.
  message::activity* scope = nullptr;
  site spawned_at;
  /// It is one of the PE's workers.
  std::uint64_t holds_place : 1 = 0;
  /// Somebody outside of its scope waits for it.
  std::uint64_t is_owed : 1 = 0;
  /// That is the one task that has called it, mostly of another PE.
  std::uint64_t has_asker : 1 = 0;
  /// The event of the deferred operation that it is (`name::in_job`); 0: it is none.
  std::uint64_t operation_in_job : 59 = 0;

  root() = default;
  root(message::activity& counted_in, site spawned) { begin(counted_in, spawned); }

  void begin(message::activity& counted_in, site spawned) {
    owner = this;
    scope = &counted_in;
    spawned_at = spawned;
  }

  void set_operation(std::uint64_t in_job) {
    operation_in_job = in_job & ((std::uint64_t{1} << 59) - 1);
  }
  std::uint64_t operation() const { return operation_in_job; }
};

template <class Promise>
concept task_promise = std::derived_from<Promise, frame>;

}  // namespace atl::tasks
