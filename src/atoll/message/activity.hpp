#pragma once
// An activity is one PE's counter of the unfinished parts of a scope (a group of tasks and messages
// that one task can wait for). A task is a part of its scope from its creation until the task and
// all work that it started are done. A message is a part of its scope until its receiver has
// acknowledged the message. While a run (a sequence of messages for the same function,
// send_buffer.hpp) is being filled, the run's activity counts the run as one unfinished part.
//
// If messages of a scope are executed on another PE, that PE counts their unfinished work in a
// *remote activity*. When all work of a remote activity is done, its PE sends an acknowledgement to
// the PE from which the work came. The activities of a scope form the tree of Dijkstra and
// Scholten's termination detection, in which children send acknowledgements to their parents.

#include <cstdint>
#include <exception>
#include <utility>

namespace atl::message {

struct activity {
  std::int64_t pending = 0;
  /// `on_idle` is called whenever `pending` returns to 0, and may destroy the activity. If
  /// `on_idle` is null, no function is called.
  void (*on_idle)(activity&) = nullptr;
  /// The first exception that escaped a part (a task or a message handler) of the scope. The task
  /// that waits for the activity rethrows this exception.
  std::exception_ptr failure;

  void begin(std::int64_t parts = 1) noexcept { pending += parts; }

  void end(std::int64_t parts = 1) {
    pending -= parts;
    if (pending == 0 && on_idle != nullptr) on_idle(*this);
  }

  void fail(std::exception_ptr exception) {
    if (!failure) failure = std::move(exception);
  }
};

/// A remote activity counts the unfinished tasks and messages that were started on this PE by
/// received messages of one scope.
struct remote_activity : activity {
  int origin = 0;
  std::uint64_t origin_activity = 0;
  std::uint64_t executed = 0;
};

/// Holds the activity (a counter of unfinished work) that new messages and tasks of this PE belong
/// to.
class activity_context {
 public:
  activity_context() = default;
  activity_context(const activity_context&) = delete;
  activity_context& operator=(const activity_context&) = delete;

  activity& enclosing() const { return **slot_; }

  /// Returns the address of the variable that points to the current activity. To change the current
  /// activity, `enter` stores the address of another such variable, for example that of a task,
  /// which costs only one store.
  activity** slot() const { return slot_; }
  void enter(activity** slot) { slot_ = slot; }

  /// Returns the activity of messages that belong to no scope. No task waits for this activity.
  activity& unscoped() { return unscoped_; }

  /// If an exception has escaped a handler of a message without a scope, rethrows the exception.
  void throw_unscoped_failure() {
    if (unscoped_.failure) [[unlikely]]
      std::rethrow_exception(unscoped_.failure);
  }

 private:
  activity** slot_ = &unscoped_slot_;
  activity* unscoped_slot_ = &unscoped_;
  activity unscoped_;
};

}  // namespace atl::message
