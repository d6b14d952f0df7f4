#pragma once

#include "atoll/container/ordered_structure.hpp"

namespace atl {
namespace container {

/// Pushes and pops of one PE answer each other, so that a batch holds only one kind.
template <class T>
class stack_proxy {
 public:
  using request = push_or_pop<T>;
  using answer = std::optional<T>;
  using pending = combine::pending<request, answer>;

  explicit stack_proxy(cells stored) : commit_(stored, discipline::newest_first) {}

  combine::merged merge(const request& wanted, answer& result, std::span<pending> before) {
    if (before.empty() || before.back().request.is_push == wanted.is_push)
      return combine::merged::waits;
    if (wanted.is_push) {
      *before.back().answer = wanted.value;
    } else {
      result = before.back().request.value;
    }
    return combine::merged::answered_both;
  }

  task<> sync(std::span<pending> batch) { return commit_.run(batch); }

 private:
  ordered_commit<T> commit_;
};

}  // namespace container

/// A stack of all PEs, last in, first out; linearizable. The handle is a small trivially copyable
/// value: capture it, send it. Its cells lie on all PEs; it grows as long as there is memory.
template <class T>
class global_stack : public container::ordered_structure<T, container::stack_proxy<T>> {
 public:
  global_stack() = default;

  /// One task makes it for all PEs.
  static task<global_stack> make(combining_options options = {}, site where = site::current()) {
    global_stack made;
    co_await made.open(container::discipline::newest_first, options, where);
    co_return made;
  }
};

}  // namespace atl
