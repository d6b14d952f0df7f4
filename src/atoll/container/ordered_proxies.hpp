#pragma once
// The proxies of queue and stack: which requests of a batch answer each other.

#include "atoll/container/ordered_structure.hpp"

namespace atl::container {

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

}  // namespace atl::container
