#pragma once
// The promise of a task<T>: how it begins, ends, and keeps its value or exception.

#include "atoll/task/frame.hpp"

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace atl {

template <class T = void>
class task;

}  // namespace atl

namespace atl::tasks {

/// Resumes the awaiter when a task's coroutine has ended.
struct final_awaiter {
  bool await_ready() noexcept { return false; }
  template <task_promise Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) noexcept {
    const auto continuation = ended.promise().continuation;
#ifdef ATOLL_SANITIZED
    if (goes_by_queue(continuation)) return std::noop_coroutine();
#endif
    return continuation;
  }
  void await_resume() noexcept {}

 private:
  /// Instrumented code makes no tail calls, so that a loop over awaited tasks would fill the stack:
  /// now and then the awaiter is resumed by the scheduler, from an empty one.
  static bool goes_by_queue(std::coroutine_handle<> awaiter) noexcept;
};

struct task_promise_base : frame {
  std::suspend_always initial_suspend() noexcept { return {}; }
  final_awaiter final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { fail(std::current_exception()); }
};

template <class T>
struct task_promise_of : task_promise_base {
  static_assert(alignof(T) <= 16, "frames keep results aligned to 16 bytes at most");
  std::optional<T> result;

  task<T> get_return_object() noexcept;
  template <class Value>
  void return_value(Value&& value) {
    result.emplace(std::forward<Value>(value));
  }
  T take() {
    throw_failure();
    return std::move(*result);
  }
};

template <>
struct task_promise_of<void> : task_promise_base {
  task<void> get_return_object() noexcept;
  void return_void() noexcept {}
  void take() { throw_failure(); }
};

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<task<T>> = true;

/// What calling the function gives, a task unwrapped to the value it returns.
template <class T>
struct unwrapped {
  using type = T;
};
template <class T>
struct unwrapped<task<T>> {
  using type = T;
};
template <class Function, class... Arguments>
using result_of = typename unwrapped<std::invoke_result_t<Function, Arguments...>>::type;

}  // namespace atl::tasks
