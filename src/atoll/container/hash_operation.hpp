#pragma once
// How a task waits for an operation on a hash table of all PEs.

#include "atoll/container/hash_combiner.hpp"

#include <optional>

namespace atl::container {

/// Awaitable: does one operation, and returns whether or, where `Looks`, an optional value. On a
/// key of this PE it is done at once, or when the memory has come into the cache; others wait in
/// the batch of this PE or, where nothing is combined, travel alone.
template <class Key, class Value, bool Looks>
class [[nodiscard]] hash_operation {
 public:
  using request = hash_request<Key, Value>;
  using part = hash_part<Key, Value>;

  /// Throws atl::error (input) where a key and its value are larger than a message.
  hash_operation(per_pe<part> parts, hash_combiner<Key, Value>& combining, request&& wanted,
                 site where)
      : awaited_{.gate = combine::gate(1, where)},
        wanted_(std::move(wanted)),
        owner_(owner_of(wanted_.key)),
        parts_(parts),
        combining_(combining) {
    check_request(wanted_, where);
  }

  [[gnu::always_inline]] bool await_ready() {
    if (owner_ != my_pe())
      return combining_.combines() &&
             combining_.own().merge(wanted_, awaited_.answer, awaited_.gate);
    if (parts_->is_large()) return false;
    do_here();
    return true;
  }

  template <tasks::task_promise Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> suspended) {
    suspended.promise().waiting_at = awaited_.gate.where;
    if (owner_ == my_pe()) {
      parts_->table.prefetch(wanted_.key);
      this_pe().tasks->ready_when_fetched(suspended.promise());
      return std::noop_coroutine();
    }
    awaited_.gate.waiting = &suspended.promise();
    if (combining_.combines()) return combining_.own().lead_if_offered(awaited_.gate);
    ask_alone(owner_, parts_, wanted_, awaited_);
    return std::noop_coroutine();
  }

  auto await_resume() {
    awaited_.gate.check();
    if (owner_ == my_pe() && !awaited_.gate.is_open()) {
      this_pe().tasks->fetched();
      do_here();
    }
    if (has_failed(awaited_.outcome)) std::rethrow_exception(failure_of(awaited_.outcome));
    if (awaited_.outcome == hash_outcome::yes) awaited_.answer.yes = true;
    if constexpr (Looks) {
      return awaited_.answer.yes ? std::optional<Value>(std::move(awaited_.answer.value))
                                 : std::nullopt;
    } else {
      return awaited_.answer.yes;
    }
  }

 private:
  void do_here() {
    awaited_.answer = parts_->apply(wanted_);
    awaited_.gate.open_requests = 0;
  }

  // Thousands of these lie side by side in frames: small, and what waking touches comes first.
  hash_awaited<Key, Value> awaited_;
  request wanted_;
  int owner_;
  per_pe<part> parts_;
  hash_combiner<Key, Value>& combining_;
};

}  // namespace atl::container
