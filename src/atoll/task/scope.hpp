#pragma once
// Waiting for all that was started: tasks, asynchronous delegates, and what those start, on
// any PE.

#include "atoll/task/spawn.hpp"

namespace atl {

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

}  // namespace atl
