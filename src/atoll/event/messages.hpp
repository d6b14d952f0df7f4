#pragma once
// This file has the messages between the tables of events of two PEs, and the serialisation of
// faults. A fault is the error with which an event has failed, and the place where the error arose.

#include "atoll/event.hpp"
#include "atoll/transport/site_word.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace atl::events {

/// The part of a fault that a message contains. The text of the fault follows as a payload.
class travelling_fault {
 public:
  explicit travelling_fault(const event_fault& fault);

  /// Returns the fault on the PE that received it. The number of the PE where the fault arose is
  /// put before the text, but only once.
  event_fault arrived(std::span<const std::byte> text) const;

 private:
  transport::travelling_site where_;
  int pe_;
  errc code_;
};

/// Returns the text of a fault, shortened to `most` bytes.
std::string text_of(const event_fault& fault, std::size_t most);

/// Serialises a fault as a payload of at most `most` bytes. The function `unpacked` reverses this.
std::vector<std::byte> packed(const event_fault& fault, std::size_t most);
event_fault unpacked(std::span<const std::byte> bytes);

// The next functions send messages between the tables of events of two PEs. A message that follows
// from a step that was taken is never refused for lack of space.

/// Subscribes this PE to the event `awaited` of another PE, which then tells this PE when the event
/// has ended.
void send_subscription(name awaited);

/// Ends the subscription of this PE to `awaited`. If the event has not ended yet, the other PE
/// answers by `send_forgotten`.
void send_unsubscription(name awaited);
void send_forgotten(int pe, name own);

/// Tells PE `pe`, which has subscribed, that the event `own` of this PE has ended. If `fault` is
/// not null, the event has failed.
void send_ended(int pe, name own, const event_fault* fault);

/// Sends this PE itself a message to wake more waiters, so that other messages are executed first.
void send_go_on(int own);

/// Triggers a user event of another PE. The enclosing scope waits for the message. Throws
/// atl::error (overflow).
void send_trigger(name user, site where);
/// Triggers a user event of another PE after `precondition` has triggered. The enclosing scope
/// waits for the message. Throws atl::error (overflow).
void send_promise(name user, name precondition, site where);

/// Sends PE `to` empty messages behind all triggers, promises and `send_poison` of this PE. When
/// the empty messages have been executed, all earlier ones have been executed, too. The enclosing
/// scope waits for the messages.
void send_nothing(int to, site where);

/// Makes a user event of another PE fail. The enclosing scope waits for the message. Throws
/// atl::error (overflow).
void send_poison(name user, const event_fault& fault);

}  // namespace atl::events
