#pragma once
// Tasks are coroutines that run on one PE. This header has functions that start tasks, and
// awaitables that a task can wait for. Scopes wait for everything that was started in them.

#include "atoll/task/promise.hpp"

#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace atl {

/// A coroutine that runs on one PE. The coroutine starts when a task awaits it. The awaiting task
/// then gets the returned value, or the exception that escaped the coroutine. At every `co_await`,
/// other tasks of the PE may run; code between two `co_await` is atomic on its PE. `task<>` returns
/// no value.
template <class T>
class [[nodiscard("a task begins to run when it is awaited: write co_await")]] task {
 public:
  using promise_type = tasks::task_promise_of<T>;
  using value_type = T;

  task(task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  task& operator=(task&&) = delete;
  ~task() {
    if (coroutine_) coroutine_.destroy();
  }

  /// Starts the coroutine and waits for it. One task of the same PE may await the coroutine, once.
  auto operator co_await() && noexcept { return awaiter{coroutine_}; }

  /// Causes a compile-time error if a task is awaited by its name without `std::move`, because a
  /// task can be awaited only once.
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

}  // namespace tasks

// The next function starts tasks.

/// Starts a task on this PE that calls `closure`, a function or a coroutine without arguments. The
/// closure lives as long as the task. Tasks and handlers may call this function, which does not
/// block. The enclosing scope (`finish`, or the whole job) waits for the task and for everything
/// the task starts. Throws atl::error (out_of_memory).
template <class Closure>
void spawn(Closure closure, site where = site::current()) {
  tasks::spawn_in(this_pe().messages->enclosing(), std::move(closure), where);
}

// A scope waits for everything that was started in the scope: tasks, asynchronous delegates, and
// everything that the tasks and delegates start on any PE.

/// A scope counts everything that is spawned in it, and `wait` waits until all of that has ended. A
/// task must have waited for the scope before the scope is destroyed.
class scope {
 public:
  scope() {
    activity_.on_idle = [](message::activity& idle) { static_cast<counted&>(idle).wake(); };
  }
  ~scope() { ATOLL_ASSERT(activity_.pending == 0, "a scope must be waited for before it ends"); }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  /// Starts a task on this PE like atl::spawn, but the task becomes a part of this scope. Does not
  /// block.
  template <class Closure>
  void spawn(Closure closure, site where = site::current()) {
    tasks::spawn_in(activity_, std::move(closure), where);
  }

  /// Suspends the task until everything that this scope counts has ended, and then rethrows the
  /// first exception that escaped a part of the scope. Only one task at a time may wait.
  auto wait(site where = site::current()) { return awaiter{activity_, where, nullptr}; }

  message::activity& activity() { return activity_; }

 private:
  struct counted : message::activity {
    tasks::frame* waiter = nullptr;

    void wake() {
      if (waiter != nullptr) this_pe().tasks->ready(*std::exchange(waiter, nullptr));
    }
  };

  struct awaiter {
    counted& activity;
    site where;
    // The waiting task, if the task has given up its place as a worker (see the setting `workers`)
    // while it waits; null otherwise.
    tasks::root* worker = nullptr;

    [[noreturn]] void rethrow() {
      const std::exception_ptr failure = std::exchange(activity.failure, nullptr);
      this_pe().messages->failures().drop(failure);
      std::rethrow_exception(failure);
    }

    bool await_ready() noexcept { return activity.pending == 0; }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      suspended.promise().waiting_at = where;
      activity.waiter = &suspended.promise();
      tasks::root& task = *suspended.promise().owner;
      if (this_pe().tasks->give_place_back(task)) worker = &task;
    }
    void await_resume() {
      if (worker != nullptr) this_pe().tasks->take_place(*worker);
      if (activity.failure) [[unlikely]]
        rethrow();
    }
  };

  counted activity_;
};

namespace tasks {

/// While this object exists, `inner` is the enclosing scope of the current task.
class enclosing_scope {
 public:
  explicit enclosing_scope(scope& inner) : task_(*this_pe().tasks->current()), outer_(task_.scope) {
    task_.scope = &inner.activity();
  }
  ~enclosing_scope() { task_.scope = outer_; }
  enclosing_scope(const enclosing_scope&) = delete;
  enclosing_scope& operator=(const enclosing_scope&) = delete;

 private:
  root& task_;
  message::activity* outer_;
};

}  // namespace tasks

/// Calls `body`, a function or a coroutine without arguments. Suspends the task until everything
/// that `body` started has ended. The function waits for tasks that `body` spawned, and for
/// `async_*` delegates that `body` and these tasks issued, on all PEs. (The name comes from
/// `finish` in X10.)
///
/// Rethrows the first exception after everything has ended. On the PE of the exception, tasks and
/// loop iterations that have not begun are skipped. If another task waits for an effect of a
/// skipped task, that task waits forever.
template <class Body>
task<> finish(Body body, site where = site::current()) {
  scope inner;
  {
    tasks::enclosing_scope enclosing(inner);
    try {
      if constexpr (tasks::is_task<std::invoke_result_t<Body&>>) {
        co_await body();
      } else {
        body();
      }
    } catch (...) {
      this_pe().messages->fail_in(inner.activity(), std::current_exception(),
                                  this_pe().tasks->current()->spawned_at);
    }
  }
  co_await inner.wait(where);
}

// A task can also wait for other ready tasks, for time, and for room for messages.

/// Suspends the task until the other ready tasks of this PE have run.
inline auto yield() { return tasks::yield_awaiter(); }
inline auto yield(site where) { return tasks::yield_at_awaiter(where); }

/// Returns whether there is room for the messages that are sent now. A plain loop that sends
/// messages may continue as long as the result is true. If the result is false, its task should
/// await `room()`. Does not block.
inline bool has_room() { return this_pe().messages->has_room(); }

/// Suspends the task until there is room for the messages sent so far (back-pressure). Continues at
/// once if there is room already. A task that sends messages in a long loop of its own should await
/// `room()` between iterations. Parallel loops await `room()` by themselves.
inline auto room(site where = site::current()) { return tasks::room_awaiter(where); }

/// Suspends the task for at least `duration` nanoseconds of the PE's time. A duration of more than
/// 146 years is shortened to 146 years.
inline auto sleep_for(transport::nanoseconds duration, site where = site::current()) {
  return tasks::sleep_awaiter{duration, where};
}

}  // namespace atl
