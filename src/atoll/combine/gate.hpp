#pragma once
// A gate is where a task waits until its requests are answered, one or several at a time.

#include "atoll/task.hpp"

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace atl::combine {

/// Counts requests of one PE that have no answer yet. A gate lies in the frame of the waiting task.
/// The gate of asynchronous requests lies in their batch; a scope waits for them.
struct gate {
  std::uint32_t open_requests = 0;
  tasks::frame* waiting = nullptr;     ///< null: the last answer wakes no task
  message::activity* scope = nullptr;  ///< scope that counts asynchronous requests; otherwise null
  site where;                          ///< place of the operation; a hang report shows its commit
                                       ///< there, too
  std::exception_ptr failure;
  std::optional<task<>> leading;  ///< the commit that the waiting task runs meanwhile

  gate() = default;
  explicit gate(std::uint32_t requests, site operation = {})
      : open_requests(requests), where(operation) {}

  bool is_open() const { return open_requests == 0; }

  /// Counts an answer. The last answer wakes the waiting task.
  void one_answered() {
    if (scope != nullptr) return scope->end();
    answered(1);
  }

  /// Counts answers of `requests` requests that no scope counts.
  void answered(std::uint32_t requests) {
    open_requests -= requests;
    if (open_requests == 0 && waiting != nullptr)
      this_pe().tasks->ready(*std::exchange(waiting, nullptr));
  }

  /// Counts a request that has failed; it has no other answer.
  void one_failed(const std::exception_ptr& reason) {
    if (scope != nullptr) {
      scope->fail(reason);
    } else if (!failure) {
      failure = reason;
    }
    one_answered();
  }

  /// Rethrows the failure of a request, or an exception that left the commit that the task ran.
  void check() {
    if (leading || failure) [[unlikely]]
      check_both();
  }

  /// Stores in `failure` what `check` would throw.
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

/// Awaitable: waits until all requests of the gate are answered. Rethrows the first failure.
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

/// Awaitable: waits until all requests of the gate are answered. A failure is not thrown and stays
/// at the gate.
struct quiet_gate_awaiter : gate_awaiter {
  using gate_awaiter::gate_awaiter;

  void await_resume() { at.settle(); }
};

/// Lets the task that waits at `at` run `commit` before it continues. Returns the frame to resume.
tasks::frame& run_before(gate& at, task<> commit);

}  // namespace atl::combine
