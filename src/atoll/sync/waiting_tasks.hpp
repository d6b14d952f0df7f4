#pragma once
// The tasks that wait at a synchronisation object, first come, first served.
//
// All objects of this layer belong to the PE whose memory they lie in, and only its tasks call
// their members; a stretch of code without `co_await` is atomic there, so they need no other
// protection. Zeroed memory is a valid object, so they may be elements of global arrays; the
// functions that take a `global_address` are for the tasks of any PE.

#include "atoll/delegates.hpp"

namespace atl::sync {

/// A waiting task; lies in its frame.
struct waiter {
  tasks::frame* suspended = nullptr;
  tasks::root* worker = nullptr;  ///< that has given its place back meanwhile
  waiter* next = nullptr;

  /// The task has been resumed.
  void resumed() {
    if (worker != nullptr) this_pe().tasks->take_place(*worker);
  }
};

class waiting_tasks {
 public:
  bool empty() const { return first_ == nullptr; }
  const waiter* first() const { return first_; }

  /// Suspends the task behind the others. It gives its worker's place back, for the task that it
  /// waits for may have none.
  template <tasks::task_promise Promise>
  void suspend(waiter& waiting, std::coroutine_handle<Promise> suspended, site where) {
    suspended.promise().waiting_at = where;
    append(waiting, suspended.promise());
  }

  /// Makes the first one ready. Not when empty.
  waiter& wake_first();
  void wake_all();

 private:
  void append(waiter& waiting, tasks::frame& suspended);

  waiter* first_ = nullptr;
  waiter* last_ = nullptr;
};

/// Runs `operation(object, where)`, a coroutine, on the object's owner and waits for what it
/// returns.
template <class T, class Operation>
auto wait_at(global_address<T> at, Operation operation, site where) {
  const auto there = [offset = at.offset(), operation, from = transport::travelling_site(where)] {
    return operation(object_at<T>(offset), from);
  };
  return call(at.pe(), there, where);
}

}  // namespace atl::sync
