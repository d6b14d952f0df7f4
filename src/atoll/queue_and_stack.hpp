#pragma once
// A queue and a stack that are distributed over all PEs. Operations are linearizable
// (docs/explanation/memory-model.md).

#include "atoll/container/ordered.hpp"

namespace atl {

/// A queue over all PEs: first in, first out. Operations are linearizable. The queue object is a
/// small trivially copyable handle, which can be captured and sent. The elements are stored on all
/// PEs, and the queue grows until memory is exhausted.
template <class T>
class global_queue : public container::ordered_structure<T, container::queue_proxy<T>> {
 public:
  global_queue() = default;

  /// Makes an empty queue over all PEs. One task calls this function and waits.
  static task<global_queue> make(combining_options options = {}, site where = site::current()) {
    global_queue made;
    co_await made.open(container::discipline::oldest_first, options, where);
    co_return made;
  }
};

/// A stack over all PEs: last in, first out. Operations are linearizable. The stack object is a
/// small trivially copyable handle, which can be captured and sent. The elements are stored on all
/// PEs, and the stack grows until memory is exhausted.
template <class T>
class global_stack : public container::ordered_structure<T, container::stack_proxy<T>> {
 public:
  global_stack() = default;

  /// Makes an empty stack over all PEs. One task calls this function and waits.
  static task<global_stack> make(combining_options options = {}, site where = site::current()) {
    global_stack made;
    co_await made.open(container::discipline::newest_first, options, where);
    co_return made;
  }
};

}  // namespace atl
