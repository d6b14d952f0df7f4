#pragma once
// Queue and stack over all PEs. Operations are linearizable (docs/explanation/memory-model.md).

#include "atoll/container/ordered.hpp"

namespace atl {

/// A queue over all PEs, first in, first out, with linearizable operations. The handle is a small
/// trivially copyable value to capture and send. Its memory is spread over all PEs, and grows as
/// long as there is memory.
template <class T>
class global_queue : public container::ordered_structure<T, container::queue_proxy<T>> {
 public:
  global_queue() = default;

  /// Makes an empty queue for all PEs. One task calls it and waits.
  static task<global_queue> make(combining_options options = {}, site where = site::current()) {
    global_queue made;
    co_await made.open(container::discipline::oldest_first, options, where);
    co_return made;
  }
};

/// A stack over all PEs, last in, first out, with linearizable operations. The handle is a small
/// trivially copyable value to capture and send. Its memory is spread over all PEs, and grows as
/// long as there is memory.
template <class T>
class global_stack : public container::ordered_structure<T, container::stack_proxy<T>> {
 public:
  global_stack() = default;

  /// Makes an empty stack for all PEs. One task calls it and waits.
  static task<global_stack> make(combining_options options = {}, site where = site::current()) {
    global_stack made;
    co_await made.open(container::discipline::newest_first, options, where);
    co_return made;
  }
};

}  // namespace atl
