#pragma once
// This file has the queue of tasks that wait at a synchronisation object, such as a mutex. The
// tasks are woken in the order in which they began to wait.
//
// A synchronisation object belongs to the PE whose memory contains the object. Only tasks of the PE
// that owns an object call its members, and tasks of other PEs call the functions that take a
// `global_address`. No other task of a PE runs between two `co_await`s, so the objects need no
// locks. Zeroed memory is a valid object, so the elements of a global array may be synchronisation
// objects.

#include "atoll/delegates.hpp"

namespace atl::sync {

/// An entry of the queue `waiting_tasks`, for one waiting task. The entry is stored in the frame of
/// the task.
struct waiter {
  tasks::frame* suspended = nullptr;
  /// The waiting task if it is a worker, a task that runs loop iterations; null if it is no worker.
  /// A worker is not counted while it waits. The function `resumed` uses the pointer to count the
  /// worker again.
  tasks::root* worker = nullptr;
  waiter* next = nullptr;

  /// Counts the task as a worker again. Call this function when the task has been resumed.
  void resumed() {
    if (worker != nullptr) this_pe().tasks->take_place(*worker);
  }
};

class waiting_tasks {
 public:
  bool empty() const { return first_ == nullptr; }
  const waiter* first() const { return first_; }

  /// Appends a suspended task to the queue. The setting `workers` limits the number of workers, the
  /// tasks that run loop iterations. A worker is not counted while it waits. If waiting workers
  /// were counted, all workers might wait for a task that can never start.
  template <tasks::task_promise Promise>
  void suspend(waiter& waiting, std::coroutine_handle<Promise> suspended, site where) {
    suspended.promise().waiting_at = where;
    append(waiting, suspended.promise());
  }

  /// Removes the first waiting task from the queue and makes the task ready to run. The queue must
  /// not be empty.
  waiter& wake_first();
  void wake_all();

 private:
  void append(waiter& waiting, tasks::frame& suspended);

  waiter* first_ = nullptr;
  waiter* last_ = nullptr;
};

/// Runs the coroutine `operation(object, where)` on the PE that owns the object `at`. Await the
/// returned task to get the result.
template <class T, class Operation>
auto wait_at(global_address<T> at, Operation operation, site where) {
  const auto there = [offset = at.offset(), operation, from = transport::travelling_site(where)] {
    return operation(object_at<T>(offset), from);
  };
  return call(at.pe(), there, where);
}

}  // namespace atl::sync
