#pragma once
// A frame holds the data that every coroutine of a task has, such as the place where the coroutine
// waits. The frame lies at a fixed place of the coroutine's memory, so the scheduler can resume a
// coroutine without knowing its type.

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

/// Base class of all promises. A task consists of one root frame and the frames of the coroutines
/// that the task awaits.
struct frame {
  std::coroutine_handle<> continuation;
  root* owner = nullptr;
  union {
    /// Place in the source where the coroutine waits. Every awaitable that suspends the coroutine
    /// sets `waiting_at`.
    site waiting_at;
    /// The exception that escaped the coroutine, until the awaiting coroutine takes it. The union
    /// contains `waiting_at` until the function `fail` is called. The function `fail` stores
    /// `failure` and sets `owner` to null.
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

  /// Rethrows the exception that escaped this coroutine, if there is one. The awaiting coroutine
  /// calls this function.
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
  /// The activity that counts the task, and all work that the task starts.
  message::activity* scope = nullptr;
  site spawned_at;
  /// Whether the task occupies one of the places for tasks of parallel loops. A PE has as many
  /// places as the setting workers states.
  std::uint64_t holds_place : 1 = 0;
  /// Whether tasks outside of this task's scope wait for this task.
  std::uint64_t is_owed : 1 = 0;
  /// Whether this task executes a call for which only the calling task waits. The caller is usually
  /// on another PE.
  std::uint64_t has_asker : 1 = 0;
  /// Event of the deferred operation that this task executes (`name::in_job`). If this task
  /// executes no deferred operation, the value is 0.
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
