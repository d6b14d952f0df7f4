#pragma once
// What a task waits for by itself: other ready tasks, time, memory, and room for messages.

#include "atoll/task/scheduler.hpp"

#include <algorithm>

namespace atl::tasks {

// Keeps nothing in the frame: a default argument of await_suspend is the place of the co_await.
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

// While the engine is congested the scheduler resumes nothing, so the ready queue is the place to
// wait.
struct room_awaiter : yield_at_awaiter {
  using yield_at_awaiter::yield_at_awaiter;

  bool await_ready() noexcept { return this_pe().messages->has_room(); }
};

struct fetch_awaiter {
  const void* line;  // null: nothing to wait for
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
    const auto longest = (transport::forever - now) / 2;  // later clocks can still count on from it
    tasks.ready_at(now + std::min(duration, longest), suspended.promise());
  }
  void await_resume() noexcept {}
};

}  // namespace atl::tasks
