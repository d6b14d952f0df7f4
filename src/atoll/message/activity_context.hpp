#pragma once
// The activity that what this PE sends or spawns now belongs to.

#include "atoll/message/activity.hpp"

#include <exception>
#include <utility>

namespace atl::message {

class activity_context {
 public:
  activity_context() = default;
  activity_context(const activity_context&) = delete;
  activity_context& operator=(const activity_context&) = delete;

  activity& enclosing() const { return **slot_; }

  /// Where the pointer to it lies, so that a change of context is one store.
  activity** slot() const { return slot_; }
  void enter(activity** slot) { slot_ = slot; }

  /// The activity of messages that belong to no scope. Nobody waits for it.
  activity& unscoped() { return unscoped_; }

  /// Rethrows what left a handler that belongs to no scope.
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
