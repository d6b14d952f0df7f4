#pragma once

#include "atoll/sync/mutex.hpp"

namespace atl {

/// Tasks wait here for a condition that others make true while they hold a mutex. They are woken in
/// the order in which they came.
class condition_variable {
  struct awaiter {
    condition_variable& at;
    site where;
    sync::waiter waiting{};

    bool await_ready() noexcept { return false; }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      at.waiting_.suspend(waiting, suspended, where);
    }
    void await_resume() { waiting.resumed(); }
  };

 public:
  /// Unlocks the mutex, which this task holds, waits for a notification, and locks it again. Mutex
  /// and condition variable are of one PE. No notification is lost in between, and none is made up.
  task<> wait(mutex& held, site where = site::current()) {
    const observe::task_name holder = held.held_by().by();
    held.unlock();
    co_await awaiter{*this, where};
    co_await held.lock_for(holder, where);
  }

  /// Waits, as long as `condition()` does not hold, for notifications.
  template <class Condition>
  task<> wait(mutex& held, Condition condition, site where = site::current()) {
    while (!condition()) co_await wait(held, where);
  }

  /// Wakes the first task, or all. Nothing happens where none waits.
  void notify_one() {
    if (!waiting_.empty()) waiting_.wake_first();
  }
  void notify_all() { waiting_.wake_all(); }

 private:
  sync::waiting_tasks waiting_;
};

/// As the member, for a mutex and a condition variable that any one PE may own.
inline auto wait(global_address<condition_variable> at, global_address<mutex> held,
                 site where = site::current()) {
  ATOLL_ASSERT(at.pe() == held.pe(), "a condition variable and its mutex are of one PE");
  const auto wait_there = [offset = held.offset()](condition_variable& condition, site from) {
    return condition.wait(object_at<mutex>(offset), from);
  };
  return sync::wait_at(at, wait_there, where);
}

inline auto notify_one(global_address<condition_variable> at, site where = site::current()) {
  return update(at, [](condition_variable& there) { there.notify_one(); }, where);
}

inline auto notify_all(global_address<condition_variable> at, site where = site::current()) {
  return update(at, [](condition_variable& there) { there.notify_all(); }, where);
}

}  // namespace atl
