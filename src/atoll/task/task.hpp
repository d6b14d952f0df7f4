#pragma once
// task<T>: a coroutine that runs on one PE. It starts when awaited, and its awaiter goes on with
// the value it returned or the exception that left it. Every `co_await` marks a place where other
// tasks of the PE may run; a stretch between two of them is atomic on its PE.

#include "atoll/task/frame.hpp"

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace atl {

template <class T = void>
class task;

namespace tasks {

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

}  // namespace tasks

template <class T>
class [[nodiscard]] task {
 public:
  using promise_type = tasks::task_promise_of<T>;
  using value_type = T;

  task(task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  task& operator=(task&&) = delete;
  ~task() {
    if (coroutine_) coroutine_.destroy();
  }

  /// Within a task of the same PE, once.
  auto operator co_await() && noexcept { return awaiter{coroutine_}; }

  /// A task that has a name is not awaited by that alone, since it can be awaited only once.
  template <class Never = void>
  auto operator co_await() const& noexcept {
    static_assert(
        !std::is_void_v<Never>,
        "a task can be awaited once: write `co_await std::move(name)` for a task that has "
        "a name, or `co_await` the call that makes it");
    return awaiter{coroutine_};
  }

 private:
  friend promise_type;

  struct awaiter {
    std::coroutine_handle<promise_type> coroutine;

    bool await_ready() noexcept { return false; }
    template <tasks::task_promise Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> parent) noexcept {
      coroutine.promise().continuation = parent;
      coroutine.promise().owner = parent.promise().owner;
      return coroutine;
    }
    T await_resume() { return coroutine.promise().take(); }
  };

  explicit task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

namespace tasks {

template <class T>
task<T> task_promise_of<T>::get_return_object() noexcept {
  return task<T>(std::coroutine_handle<task_promise_of<T>>::from_promise(*this));
}

inline task<void> task_promise_of<void>::get_return_object() noexcept {
  return task<void>(std::coroutine_handle<task_promise_of<void>>::from_promise(*this));
}

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

}  // namespace tasks
}  // namespace atl
