#pragma once
// A deferred operation begins when an event, its precondition, has triggered. This file withdraws
// deferred operations that have not begun. To find an operation, a withdrawal searches a list for
// the name of the event that triggers when the operation ends. The PE makes the list of its
// operations at the first withdrawal, from its coroutine frames, and keeps the list up to date
// afterwards. In programs without withdrawals, the list therefore costs nothing. Each function is
// called only by the PE on which the operations wait.

#include "atoll/base/charged.hpp"
#include "atoll/event.hpp"

#include <memory>

namespace atl::events {

class table;

/// The answer of a PE that was asked to withdraw an operation.
enum class withdrawal : std::uint8_t {
  /// The operation is about to begin, has begun or has ended.
  too_late,
  /// The operation was withdrawn and will never begin.
  withdrawn,
  /// The operation has ended, or is in flight to the asked PE. After the answer `not_here`, the
  /// caller must wait for the event of the operation, and then call `was_withdrawn`.
  not_here
};

class operations {
 public:
  /// Makes the list of the operations that wait on the PE now, from the coroutine frames of the PE.
  explicit operations(table& events, pe& self);
  ~operations();
  operations(const operations&) = delete;
  operations& operator=(const operations&) = delete;

  /// Adds the operation `task`, which waits for `precondition`, to the list. The event `promised`
  /// triggers when the operation ends. Throws atl::error (withdrawn) if the operation was withdrawn
  /// while it was in flight to this PE.
  void note(name promised, name precondition, const tasks::root& task);
  void forget(name promised) { held_.erase(promised.in_job()); }

  withdrawal withdraw(name promised, site where);

  /// Returns true if the operation of the event `promised` was withdrawn while the operation was in
  /// flight to this PE. If `withdraw` has returned `not_here`, the caller calls this function after
  /// the event has ended. If several callers have withdrawn the operation, only the first call
  /// returns true.
  bool was_withdrawn(name promised);

 private:
  struct held {
    const tasks::root* task;
    name precondition;
  };
  struct expected {
    site withdrawn;            ///< source line of the withdrawal
    std::uint32_t askers = 0;  ///< number of callers that will still call `was_withdrawn`
    bool has_come = false;
  };

  table& events_;
  charged_map<std::uint64_t, held> held_;          ///< key: `name::in_job` of the operation's event
  charged_map<std::uint64_t, expected> expected_;  ///< key: `name::word` of the operation's event
};

/// Calls `operations::note` if this PE keeps a list of its operations.
void note_operation(name promised, name precondition, const tasks::root& task);
/// Calls `operations::forget` if this PE keeps a list of its operations.
void forget_operation(name promised);

/// Returns an error with the text "the WHAT at ASKED was withdrawn at WITHDRAWN".
[[nodiscard]] std::exception_ptr withdrawn_failure(const char* what, site asked, site withdrawn);

}  // namespace atl::events
