#pragma once
// Common part of every coroutine of a task, at a fixed place of its frame. The scheduler thus
// resumes a coroutine without knowing its type.

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
    /// Place where the coroutine waits, set by every awaitable that suspends it.
    site waiting_at;
    /// The exception that left the coroutine, until its awaiter takes it; `owner` is null then.
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

  /// Rethrows, in the awaiter, the exception that left the coroutine.
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

/// The first frame of a task, with the data of the whole task.
struct root : frame {
  /// The activity in which the task, and everything it starts, counts.
  message::activity* scope = nullptr;
  site spawned_at;
  /// The task holds the place of a worker.
  std::uint64_t holds_place : 1 = 0;
  /// Others outside of the task's scope wait for it.
  std::uint64_t is_owed : 1 = 0;
  /// The only waiting task is the one that has called this task, mostly from another PE.
  std::uint64_t has_asker : 1 = 0;
  /// Event of the deferred operation that this task is (`name::in_job`); 0: it is none.
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
