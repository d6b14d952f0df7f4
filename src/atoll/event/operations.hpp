#pragma once
// This file finds the deferred operations of one PE by the names of their events, for withdrawals.
// Before the first withdrawal, the PE keeps no list. At the first withdrawal, the PE finds the
// operations among its frames, and from then on keeps a list. Only its own PE calls the functions.

#include "atoll/base/charged.hpp"
#include "atoll/event.hpp"

#include <memory>

namespace atl::events {

class table;

/// The answer of a PE that is asked to withdraw one of its operations.
enum class withdrawal : std::uint8_t {
  too_late,   ///< the operation may begin, has begun or has ended
  withdrawn,  ///< the operation never begins
  /// The operation has ended, or is in flight. Wait for its event, then call `was_withdrawn`.
  not_here
};

class operations {
 public:
  /// Finds the present operations among the frames of the PE.
  explicit operations(table& events, pe& self);
  ~operations();
  operations(const operations&) = delete;
  operations& operator=(const operations&) = delete;

  /// Records an operation that waits for `precondition`. Throws atl::error (withdrawn) if the
  /// operation was withdrawn before it arrived.
  void note(name promised, name precondition, const tasks::root& task);
  void forget(name promised) { held_.erase(promised.in_job()); }

  withdrawal withdraw(name promised, site where);

  /// Returns true if the operation was stopped when it arrived. Call this function after
  /// `not_here`, when the event has ended. Only the first call for an event returns true.
  bool was_withdrawn(name promised);

 private:
  struct held {
    const tasks::root* task;
    name precondition;
  };
  struct expected {
    site withdrawn;            ///< the place of the withdrawal
    std::uint32_t askers = 0;  ///< callers that have not yet called `was_withdrawn`
    bool has_come = false;
  };

  table& events_;
  charged_map<std::uint64_t, held> held_;          ///< by `in_job` of their events
  charged_map<std::uint64_t, expected> expected_;  ///< by `word` of their events
};

/// Calls `operations::note` if this PE keeps a list of its operations.
void note_operation(name promised, name precondition, const tasks::root& task);
/// Calls `operations::forget` if this PE keeps a list of its operations.
void forget_operation(name promised);

/// Returns an error with the text "the WHAT at ASKED was withdrawn at WITHDRAWN".
[[nodiscard]] std::exception_ptr withdrawn_failure(const char* what, site asked, site withdrawn);

}  // namespace atl::events
