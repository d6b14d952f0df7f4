#pragma once

#include "atoll/container/ordered_structure.hpp"

namespace atl {
namespace container {

/// Pushes and pops wait in one batch, which reserves the cells of both in one step.
template <class T>
class queue_proxy {
 public:
  using request = push_or_pop<T>;
  using answer = std::optional<T>;
  using pending = combine::pending<request, answer>;

  explicit queue_proxy(cells stored) : commit_(stored, discipline::oldest_first) {}

  combine::merged merge(const request&, answer&, std::span<pending>) {
    return combine::merged::waits;
  }

  task<> sync(std::span<pending> batch) { return commit_.run(batch); }

 private:
  ordered_commit<T> commit_;
};

}  // namespace container

/// A queue of all PEs, first in, first out; linearizable. The handle is a small trivially copyable
/// value: capture it, send it. Its cells lie on all PEs; it grows as long as there is memory.
template <class T>
class global_queue : public container::ordered_structure<T, container::queue_proxy<T>> {
 public:
  global_queue() = default;

  /// One task makes it for all PEs.
  static task<global_queue> make(combining_options options = {}, site where = site::current()) {
    global_queue made;
    co_await made.open(container::discipline::oldest_first, options, where);
    co_return made;
  }
};

}  // namespace atl
