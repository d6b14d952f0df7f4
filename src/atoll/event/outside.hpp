#pragma once
// Events for threads that are no PE: a thread that the program itself has started in the process of
// a PE, as for input and output, a window, or the callbacks of a library. A task makes a handle and
// gives it to the thread. (external_wait is Realm's word.)

#include "atoll/event/event.hpp"

#include <chrono>
#include <memory>

namespace atl {
namespace events {
class outside_wait;
class outside_sender;
}  // namespace events

/// What such a thread has of an event: a value to copy, and to keep beyond the end of the job. Its
/// functions may be called by any thread of the process, but for that of the PE, which they would
/// stop for ever.
class outside_event {
 public:
  explicit outside_event(std::shared_ptr<events::outside_wait> ending)
      : ending_(std::move(ending)) {}

  /// Waits until the event has triggered. Blocks the thread, which sleeps. Throws what the event
  /// has failed with, as an atl::error of its kind and text; atl::error (environment) where the job
  /// ends without it.
  void external_wait(site where = site::current()) const;

  /// The same for so long at most. False: it has neither triggered nor failed.
  bool external_wait_for(std::chrono::nanoseconds longest, site where = site::current()) const;

 private:
  std::shared_ptr<events::outside_wait> ending_;
};

/// The same of a user event, which such a thread may end. As long as one that has not been used
/// exists, the job waits for it where it would otherwise be said to hang.
class outside_user_event : public outside_event {
 public:
  outside_user_event(const outside_event& event, std::shared_ptr<events::outside_sender> sender)
      : outside_event(event), sender_(std::move(sender)) {}

  /// Triggers it: the PE does soon, and is woken for that. Does not wait. Throws atl::error (input)
  /// that names both places where this handle or a copy has ended it before; (environment) where
  /// the job has ended; what comes as it ends may go unheard. That a task has ended it meanwhile
  /// ends the job with an error.
  void trigger(site where = site::current()) const;

  /// Lets it fail. Otherwise as `trigger`.
  void poison(const error& failure, site where = site::current()) const;

 private:
  std::shared_ptr<events::outside_sender> sender_;
};

}  // namespace atl
