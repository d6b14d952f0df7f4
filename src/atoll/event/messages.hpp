#pragma once
// What the tables of events of two PEs tell each other. None of it is refused for want of room:
// each follows from a step that was taken.

#include "atoll/event.hpp"

namespace atl::events {

/// This PE waits for an event of another.
void send_subscription(name awaited);

/// It does not any more. The other answers by `send_forgotten`, unless the event has ended.
void send_unsubscription(name awaited);
void send_forgotten(int pe, name own);

/// An event of this PE has ended, for which `pe` waits.
void send_ended(int pe, name own, const event_fault* fault);

/// This PE is to wake more of what has ended, when its other messages have had their turn.
void send_go_on(int own);

/// A user event of another PE is to trigger; is to when `precondition` has triggered. Counted by
/// the enclosing scope. Throw atl::error (overflow).
void send_trigger(name user, site where);
void send_promise(name user, name precondition, site where);

/// Nothing, behind all of these and `send_poison` that this PE has sent to that one: where it has
/// been executed, they have been. Counted by the enclosing scope.
void send_nothing(int to, site where);

/// A user event of another PE is to fail; counted by the enclosing scope. Throws atl::error
/// (overflow).
void send_poison(name user, const event_fault& fault);

}  // namespace atl::events
