#pragma once
// Where a task waits until its requests are answered: one request, or several at a time.

#include "atoll/task.hpp"

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace atl::combine {

/// Belongs to one PE. Lies in the frame of the waiting task; the gate of asynchronous requests, for
/// which a scope waits instead, lies in their batch.
struct gate {
  std::uint32_t open_requests = 0;
  tasks::frame* waiting = nullptr;     ///< null: no task is to be woken by the last answer
  message::activity* scope = nullptr;  ///< of asynchronous requests: what counts them
  site where;                          ///< of the operation; its commit is said to wait there too
  std::exception_ptr failure;
  std::optional<task<>> leading;  ///< the commit that the waiting task does meanwhile

  gate() = default;
  explicit gate(std::uint32_t requests, site operation = {})
      : open_requests(requests), where(operation) {}

  bool is_open() const { return open_requests == 0; }

  /// A request has its answer. The task goes on when it was the last.
  void one_answered() {
    if (scope != nullptr) return scope->end();
    answered(1);
  }

  /// So many requests, for which no scope waits, have their answers.
  void answered(std::uint32_t requests) {
    open_requests -= requests;
    if (open_requests == 0 && waiting != nullptr)
      this_pe().tasks->ready(*std::exchange(waiting, nullptr));
  }

  /// A request has failed, and has no other answer.
  void one_failed(const std::exception_ptr& reason) {
    if (scope != nullptr) {
      scope->fail(reason);
    } else if (!failure) {
      failure = reason;
    }
    one_answered();
  }

  /// Throws what a request failed with, or what left the commit that the task did.
  void check() {
    if (leading || failure) [[unlikely]]
      check_both();
  }

  /// As `check`, and keeps it instead.
  void settle() {
    try {
      check();
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
    }
  }

 private:
  void check_both();
};

/// Awaitable: all requests of the gate are answered. Throws what one of them failed with.
struct gate_awaiter {
  gate& at;
  site where;

  gate_awaiter(gate& waited_for, site place) : at(waited_for), where(place) {}

  bool await_ready() noexcept { return at.is_open(); }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    suspended.promise().waiting_at = where;
    at.waiting = &suspended.promise();
  }
  void await_resume() { at.check(); }
};

/// As `gate_awaiter`; what failed stays at the gate.
struct quiet_gate_awaiter : gate_awaiter {
  using gate_awaiter::gate_awaiter;

  void await_resume() { at.settle(); }
};

/// Lets the task that waits at `at` run `commit` before it goes on. Returns the frame to resume.
tasks::frame& run_before(gate& at, task<> commit);

}  // namespace atl::combine
