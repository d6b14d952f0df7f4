#pragma once
// Starting tasks.

#include "atoll/task/scheduler.hpp"
#include "atoll/task/task.hpp"

#include <functional>

namespace atoll {
namespace tasks {

/// The coroutine a spawned task begins with. It keeps the closure alive until the task has ended,
/// and then counts the task out of its scope.
struct root_task {
  struct promise_type : root {
    struct ended_awaiter {
      bool await_ready() noexcept { return false; }
      void await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        message::activity& scope = *ended.promise().scope;
        ended.destroy();
        this_pe().tasks->task_ended(scope);
      }
      void await_resume() noexcept {}
    };

    root_task get_return_object() noexcept { return {this}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    ended_awaiter final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept {
      const std::exception_ptr failure = std::current_exception();
      if (!scope->failure) this_pe().tasks->task_failed(*this, failure);
      scope->fail(failure);
    }
  };

  promise_type* promise;
};

template <class Closure>
root_task root_of(Closure closure) {
  this_pe().tasks->task_started(*this_pe().tasks->current());
  if constexpr (is_task<std::invoke_result_t<Closure&>>) {
    co_await std::invoke(closure);
  } else {
    std::invoke(closure);
  }
}

/// Starts a task that counts in `scope`.
template <class Closure>
void spawn_in(message::activity& scope, Closure closure, site where) {
  root& task = *root_of(std::move(closure)).promise;
  task.owner = &task;
  task.scope = &scope;
  task.spawned_at = where;
  scope.begin();
  this_pe().tasks->ready(task);
}

}  // namespace tasks

/// Starts a task on this PE that calls `closure`, a function or a coroutine without arguments. The
/// closure lives as long as the task. The enclosing scope (`finish`, or the whole job) waits for it
/// and for all it starts. Returns at once; throws atoll::error (out_of_memory). Tasks and handlers.
template <class Closure>
void spawn(Closure closure, site where = site::current()) {
  tasks::spawn_in(this_pe().messages->enclosing(), std::move(closure), where);
}

}  // namespace atoll
