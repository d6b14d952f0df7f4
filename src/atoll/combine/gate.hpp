#pragma once
// A gate counts requests that have no answer yet. The task that made the requests waits at the gate
// until all requests are answered.

#include "atoll/task.hpp"

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace atl::combine {

/// Counts requests of one PE that have no answer yet. A gate is stored in the frame of the waiting
/// task. Asynchronous requests have no waiting task, so the gate of asynchronous requests is stored
/// in their batch.
struct gate {
  std::uint32_t open_requests = 0;
  /// The task that the last answer wakes; null if no task waits.
  tasks::frame* waiting = nullptr;
  /// The scope that waits for asynchronous requests; null for other requests.
  message::activity* scope = nullptr;
  /// Line of the operation in the program. If the program hangs, the report also shows the commit
  /// of the request at `where`.
  site where;
  std::exception_ptr failure;
  std::optional<task<>> leading;  ///< commit that the waiting task runs as a leader while it waits

  gate() = default;
  explicit gate(std::uint32_t requests, site operation = {})
      : open_requests(requests), where(operation) {}

  bool is_open() const { return open_requests == 0; }

  /// Counts one answer. The last answer wakes the waiting task.
  void one_answered() {
    if (scope != nullptr) return scope->end();
    answered(1);
  }

  /// Counts the answers of `requests` requests. The requests must not be asynchronous.
  void answered(std::uint32_t requests) {
    open_requests -= requests;
    if (open_requests == 0 && waiting != nullptr)
      this_pe().tasks->ready(*std::exchange(waiting, nullptr));
  }

  /// Counts a request as failed with `reason`. A failed request counts as answered.
  void one_failed(const std::exception_ptr& reason) {
    if (scope != nullptr) {
      scope->fail(reason);
    } else if (!failure) {
      failure = reason;
    }
    one_answered();
  }

  /// Rethrows the exception of a failed request, or of the commit that the task has run.
  void check() {
    if (leading || failure) [[unlikely]]
      check_both();
  }

  /// Stores in `failure` the exception that `check` would throw, if any.
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

/// An awaitable that waits until all requests of the gate are answered, and then rethrows the first
/// failure.
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

/// An awaitable that waits until all requests of the gate are answered. A failure is not thrown,
/// but stays in `gate::failure`.
struct quiet_gate_awaiter : gate_awaiter {
  using gate_awaiter::gate_awaiter;

  void await_resume() { at.settle(); }
};

/// Makes the task that waits at `at` run `commit` before the task continues. Returns the frame to
/// resume, which begins `commit`.
tasks::frame& run_before(gate& at, task<> commit);

}  // namespace atl::combine
