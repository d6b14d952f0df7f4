#pragma once
// Tasks: coroutines that run on one PE, how they are started, what they wait for, and scopes, which
// wait for all that was started in them.

#include "atoll/task/awaiters.hpp"
#include "atoll/task/promise.hpp"
#include "atoll/task/root_task.hpp"

#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace atl {

/// A coroutine that runs on one PE. It starts when awaited, and its awaiter goes on with the value
/// it returned or the exception that left it. Every `co_await` marks a place where other tasks of
/// the PE may run; a stretch between two of them is atomic on its PE. `task<>` returns no value.
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

}  // namespace tasks

// Starting tasks.

/// Starts a task on this PE that calls `closure`, a function or a coroutine without arguments. The
/// closure lives as long as the task. The enclosing scope (`finish`, or the whole job) waits for it
/// and for all it starts. Returns at once; throws atl::error (out_of_memory). Tasks and handlers.
template <class Closure>
void spawn(Closure closure, site where = site::current()) {
  tasks::spawn_in(this_pe().messages->enclosing(), std::move(closure), where);
}

// Waiting for all that was started: tasks, asynchronous delegates, and what those start, on
// any PE.

/// What is spawned in a scope, `wait` waits for. Must be waited for before it is destroyed.
class scope {
 public:
  scope() {
    activity_.on_idle = [](message::activity& idle) { static_cast<counted&>(idle).wake(); };
  }
  ~scope() { ATOLL_ASSERT(activity_.pending == 0, "a scope must be waited for before it ends"); }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  /// Starts a task on this PE, as atl::spawn does, that counts in this scope.
  template <class Closure>
  void spawn(Closure closure, site where = site::current()) {
    tasks::spawn_in(activity_, std::move(closure), where);
  }

  /// Suspends the task until all that counts in this scope has ended; then rethrows the first
  /// exception that left a part of it. One task at a time.
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
    tasks::root* worker = nullptr;  // that has given its place back meanwhile

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

/// Makes a scope the enclosing scope of the current task, as long as this object lives.
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

/// Calls `body`, a function or a coroutine without arguments, and waits for everything it started:
/// the tasks it spawned and the `async_*` delegates it and they issued, on all PEs. Rethrows the
/// first exception, after all has ended; tasks and iterations of loops that had not begun on the PE
/// of the exception are left out, and who waits for one of those by other means than this scope
/// waits in vain. (`finish` of X10.)
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

// What a task can wait for by itself: the other ready tasks, time, and room for messages.

/// Lets the other ready tasks of this PE run first.
inline auto yield() { return tasks::yield_awaiter(); }
inline auto yield(site where) { return tasks::yield_at_awaiter(where); }

/// Messages sent now find room. A plain loop that sends goes on while this holds; its task then
/// awaits `room()`.
inline bool has_room() { return this_pe().messages->has_room(); }

/// Waits until the messages sent so far have found room; ready at once while there is any. A task
/// that sends in a long loop of its own awaits it between iterations; parallel loops do so
/// themselves.
inline auto room(site where = site::current()) { return tasks::room_awaiter(where); }

/// Waits for `duration` nanoseconds of the PE's time, at least; for 146 years at most.
inline auto sleep_for(transport::nanoseconds duration, site where = site::current()) {
  return tasks::sleep_awaiter{duration, where};
}

}  // namespace atl
