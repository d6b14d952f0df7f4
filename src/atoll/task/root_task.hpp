#pragma once
// The coroutine that a started task begins with.

#include "atoll/task/promise.hpp"
#include "atoll/task/scheduler.hpp"

#include <exception>
#include <functional>
#include <utility>

namespace atl::tasks {

/// The exception left the task; who waits for its scope gets it.
inline void fail_in_scope(const root& task, const std::exception_ptr& failure) noexcept {
  if (!task.scope->failure) this_pe().tasks->task_failed(task, failure);
  this_pe().messages->fail_in(*task.scope, failure, task.spawned_at);
}

/// The coroutine a spawned task begins with. It keeps the closure alive until the task has ended,
/// and then counts the task out of its scope. The closure is not called where a part of the scope
/// has failed already, unless others wait for it.
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

/// Rethrows the present exception; where it says that there is no memory, with the line that wanted
/// some.
[[noreturn]] void rethrow_naming(site spawned_at);

/// A task that has not begun; its scope must count it already.
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

/// Starts a task that counts in `scope`.
template <class Closure>
root& spawn_in(message::activity& scope, Closure closure, site where) {
  root& task = make_root(scope, std::move(closure), where);
  scope.begin();
  this_pe().tasks->ready(task);
  return task;
}

/// Starts a task that others wait for, so that it begins whatever has become of its scope.
template <class Closure>
root& spawn_owed(Closure closure, site where) {
  root& task = spawn_in(this_pe().messages->enclosing(), std::move(closure), where);
  task.is_owed = true;
  return task;
}

/// Starts a task that takes a free worker's place. It gives the place back at its end, and while it
/// waits for a scope.
template <class Closure>
void spawn_worker(Closure closure, site where) {
  scheduler& tasks = *this_pe().tasks;
  tasks.take_place(spawn_in(this_pe().messages->enclosing(), std::move(closure), where));
}

}  // namespace atl::tasks
