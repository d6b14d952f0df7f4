#pragma once
// This file has the queue of tasks that wait at a synchronisation object, such as a mutex. The
// first task to come is served first.
//
// An object of this layer belongs to the PE whose memory contains it, and only tasks of that PE
// call its members. Code without `co_await` is atomic on its PE, so the objects need no other
// protection. Zeroed memory is a valid object, so elements of global arrays may be such objects.
// Tasks of any PE may call the functions that take a `global_address`.

#include "atoll/delegates.hpp"

namespace atl::sync {

/// A waiting task. The object is stored in the frame of the task.
struct waiter {
  tasks::frame* suspended = nullptr;
  tasks::root* worker = nullptr;  ///< the task, if it has given its worker's place back
  waiter* next = nullptr;

  /// Takes the worker's place again. Call this function when the task has been resumed.
  void resumed() {
    if (worker != nullptr) this_pe().tasks->take_place(*worker);
  }
};

class waiting_tasks {
 public:
  bool empty() const { return first_ == nullptr; }
  const waiter* first() const { return first_; }

  /// Suspends the task behind the other waiting tasks. The task gives its worker's place (setting
  /// workers) back, because the task that it waits for may need a place.
  template <tasks::task_promise Promise>
  void suspend(waiter& waiting, std::coroutine_handle<Promise> suspended, site where) {
    suspended.promise().waiting_at = where;
    append(waiting, suspended.promise());
  }

  /// Makes the first waiting task ready. The queue must not be empty.
  waiter& wake_first();
  void wake_all();

 private:
  void append(waiter& waiting, tasks::frame& suspended);

  waiter* first_ = nullptr;
  waiter* last_ = nullptr;
};

/// Runs the coroutine `operation(object, where)` on the object's owner. Await the returned task to
/// get the result.
template <class T, class Operation>
auto wait_at(global_address<T> at, Operation operation, site where) {
  const auto there = [offset = at.offset(), operation, from = transport::travelling_site(where)] {
    return operation(object_at<T>(offset), from);
  };
  return call(at.pe(), there, where);
}

}  // namespace atl::sync
