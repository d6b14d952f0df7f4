#pragma once
// What a scope waits for: the number of its unfinished parts on this PE. Tasks count themselves in
// when they are created, messages too or with their run (outgoing.hpp), and both out when they, and
// all they started, are done.
//
// A part that runs on another PE counts there in a *remote activity*, which acknowledges to the PE
// it came from only when everything the messages set off there is done as well (the tree of
// Dijkstra and Scholten's termination detection, one tree for each scope).

#include <cstdint>
#include <exception>
#include <utility>

namespace atl::message {

struct activity {
  std::int64_t pending = 0;
  /// Called whenever `pending` returns to 0; may destroy the activity. Null: nobody waits.
  void (*on_idle)(activity&) = nullptr;
  /// The first exception that left a part; who waits for the activity rethrows it.
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

/// The activity that what this PE sends or spawns now belongs to.
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
