#pragma once
// What a task can wait for by itself: the other ready tasks, time, and room for messages.

#include "atoll/task/scheduler.hpp"

namespace atl {
namespace tasks {

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

}  // namespace tasks

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
