#pragma once
// The deferred operations of one PE by the names of their events, for those that are withdrawn.
// Nothing is kept before the first one is: then the PE finds its operations among its frames, and
// notes what comes and goes from there on. Called by its own PE only.

#include "atoll/base/charged.hpp"
#include "atoll/event.hpp"

#include <memory>

namespace atl::events {

class table;

/// What a PE says that is to withdraw one of its operations.
enum class withdrawal : std::uint8_t {
  too_late,   ///< it may begin, has begun or has ended
  withdrawn,  ///< it never begins
  not_here    ///< it has ended, or is on its way: its event tells soon, and then `was_withdrawn`
};

class operations {
 public:
  /// Finds those that there are.
  explicit operations(table& events, pe& self);
  ~operations();
  operations(const operations&) = delete;
  operations& operator=(const operations&) = delete;

  /// The operation has come and waits for `precondition`. Throws atl::error (withdrawn) where it
  /// was withdrawn before.
  void note(name promised, name precondition, const tasks::root& task);
  void forget(name promised) { held_.erase(promised.in_job()); }

  withdrawal withdraw(name promised, site where);

  /// After `not_here`, when the event has ended: the operation was stopped as it came, for the
  /// first who asks.
  bool was_withdrawn(name promised);

 private:
  struct held {
    const tasks::root* task;
    name precondition;
  };
  struct expected {
    site withdrawn;            ///< where
    std::uint32_t askers = 0;  ///< have not asked `was_withdrawn`
    bool has_come = false;
  };

  table& events_;
  charged_map<std::uint64_t, held> held_;          ///< by `in_job` of their events
  charged_map<std::uint64_t, expected> expected_;  ///< by names
};

/// As the functions of `operations`, where this PE keeps them.
void note_operation(name promised, name precondition, const tasks::root& task);
void forget_operation(name promised);

/// "the WHAT at ASKED was withdrawn at WITHDRAWN".
[[nodiscard]] std::exception_ptr withdrawn_failure(const char* what, site asked, site withdrawn);

}  // namespace atl::events
