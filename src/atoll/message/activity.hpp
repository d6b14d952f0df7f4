#pragma once
// An activity counts the unfinished parts of a scope on this PE. A task is a part from its creation
// until it and everything it started are done. A message counts in the same way, by itself or with
// its run (outgoing.hpp).
//
// A part that runs on another PE counts there in a *remote activity*. The remote activity
// acknowledges to the PE that it came from once everything its messages set off there is done. This
// is the tree of Dijkstra and Scholten's termination detection, with one tree per scope.

#include <cstdint>
#include <exception>
#include <utility>

namespace atl::message {

struct activity {
  std::int64_t pending = 0;
  /// Called whenever `pending` returns to 0; may destroy the activity. Null: no one waits.
  void (*on_idle)(activity&) = nullptr;
  /// The first exception that left a part. The task that waits for the activity rethrows it.
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

/// Parts of another PE's activity that run here.
struct remote_activity : activity {
  int origin = 0;
  std::uint64_t origin_activity = 0;
  std::uint64_t executed = 0;
};

/// Holds the activity that new messages and tasks of this PE belong to.
class activity_context {
 public:
  activity_context() = default;
  activity_context(const activity_context&) = delete;
  activity_context& operator=(const activity_context&) = delete;

  activity& enclosing() const { return **slot_; }

  /// Address of the pointer to the current activity, so that a change of context is one store.
  activity** slot() const { return slot_; }
  void enter(activity** slot) { slot_ = slot; }

  /// The activity of messages that belong to no scope. No task waits for this activity.
  activity& unscoped() { return unscoped_; }

  /// Rethrows an exception that left a handler without a scope.
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
