#pragma once
// Every task is a coroutine. This file has the promise of a task<T>. The promise determines how the
// task begins and ends, and stores the value or exception of the task. This file also has the first
// coroutine of a started task. Awaitables in this file let a task yield to other tasks, sleep, and
// wait for prefetched memory or for room for messages.

#include "atoll/task/frame.hpp"
#include "atoll/task/scheduler.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace atl {

template <class T = void>
class task;

}  // namespace atl

namespace atl::tasks {

/// Resumes the awaiting coroutine when a task's coroutine has ended.
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
  /// Returns whether the scheduler should resume the awaiting coroutine from an empty stack. Code
  /// with sanitizers makes no tail calls. A loop that awaits tasks would therefore fill the stack
  /// if each ended task resumed the loop directly.
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

/// The type of the value that a function call gives. If the function returns a task, `type` is the
/// type of the task's value.
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

/// Records in the scope of a task that an exception has escaped the task. The task that waits for
/// the scope gets the exception.
inline void fail_in_scope(const root& task, const std::exception_ptr& failure) noexcept {
  if (!task.scope->failure) this_pe().tasks->task_failed(task, failure);
  this_pe().messages->fail_in(*task.scope, failure, task.spawned_at);
}

/// The first coroutine of a spawned task. The coroutine keeps the closure alive until the task has
/// ended, and then removes the task from its scope. Usually, the closure is not called if a part of
/// the scope has already failed. If tasks outside of the scope wait for the task, the closure is
/// called even if the scope has failed.
struct root_task {
  struct promise_type : root {
    struct ended_awaiter {
      bool await_ready() noexcept { return false; }
      void await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        message::activity& scope = *ended.promise().scope;
        this_pe().tasks->task_ended(ended.promise());
        ended.destroy();
        scope.end();
      }
      void await_resume() noexcept {}
    };

    root_task get_return_object() noexcept { return {this}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    ended_awaiter final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { fail_in_scope(*this, std::current_exception()); }
  };

  promise_type* promise;
};

template <class Closure>
root_task root_of(Closure closure) {
  const root& itself = *this_pe().tasks->current();
  this_pe().tasks->task_started(itself);
  if (itself.scope->failure && !itself.is_owed) co_return;
  if constexpr (is_task<std::invoke_result_t<Closure&>>) {
    co_await std::invoke(closure);
  } else {
    std::invoke(closure);
  }
}

/// Rethrows the current exception. If memory was exhausted, the text of the rethrown error also
/// names the line that spawned the task.
[[noreturn]] void rethrow_naming(site spawned_at);

/// Makes a task that has not begun. The caller must count the task in `scope` before the task
/// begins.
template <class Closure>
root& make_root(message::activity& scope, Closure closure, site where) {
  try {
    root& task = *root_of(std::move(closure)).promise;
    task.begin(scope, where);
    return task;
  } catch (...) {
    rethrow_naming(where);
  }
}

/// Starts a task that is a part of `scope`.
template <class Closure>
root& spawn_in(message::activity& scope, Closure closure, site where) {
  root& task = make_root(scope, std::move(closure), where);
  scope.begin();
  this_pe().tasks->ready(task);
  return task;
}

/// Starts a task for which tasks outside of its scope wait. The task begins even if its scope has
/// failed.
template <class Closure>
root& spawn_owed(Closure closure, site where) {
  root& task = spawn_in(this_pe().messages->enclosing(), std::move(closure), where);
  task.is_owed = true;
  return task;
}

/// Starts a task that occupies one of the places for tasks of parallel loops (see the setting
/// `workers`) until the task ends. While the task waits for the tasks of a scope, it gives its
/// place to another task.
template <class Closure>
void spawn_worker(Closure closure, site where) {
  scheduler& tasks = *this_pe().tasks;
  tasks.take_place(spawn_in(this_pe().messages->enclosing(), std::move(closure), where));
}

// The awaiter stores no source place, because a default argument of `await_suspend` is the place of
// the `co_await`.
struct yield_awaiter {
  bool await_ready() noexcept { return false; }
  template <task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended, site where = site::current()) {
    suspended.promise().waiting_at = where;
    this_pe().tasks->ready(suspended.promise());
  }
  void await_resume() noexcept {}
};

struct yield_at_awaiter : yield_awaiter {
  site where;

  explicit yield_at_awaiter(site place) : where(place) {}
  template <task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    yield_awaiter::await_suspend(suspended, where);
  }
};

// While messages wait for room at a receiver, the scheduler resumes no task. A task that waits for
// room therefore simply waits in the ready queue.
struct room_awaiter : yield_at_awaiter {
  using yield_at_awaiter::yield_at_awaiter;

  bool await_ready() noexcept { return this_pe().messages->has_room(); }
};

struct fetch_awaiter {
  const void* line;  // null if the task need not wait
  site where;

  bool await_ready() noexcept { return line == nullptr; }
  template <task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    __builtin_prefetch(line);
    suspended.promise().waiting_at = where;
    this_pe().tasks->ready_when_fetched(suspended.promise());
  }
  void await_resume() noexcept {
    if (line != nullptr) this_pe().tasks->fetched();
  }
};

struct sleep_awaiter {
  transport::nanoseconds duration;
  site where;

  bool await_ready() noexcept { return duration <= 0; }
  template <task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    scheduler& tasks = *this_pe().tasks;
    suspended.promise().waiting_at = where;
    const auto now = tasks.now();
    const auto longest = (transport::forever - now) / 2;  // halved so that sums do not overflow
    tasks.ready_at(now + std::min(duration, longest), suspended.promise());
  }
  void await_resume() noexcept {}
};

}  // namespace atl::tasks
