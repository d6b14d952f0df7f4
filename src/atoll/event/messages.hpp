#pragma once
// Messages between the tables of events of two PEs, and the serialisation of faults.

#include "atoll/event.hpp"
#include "atoll/transport/site_word.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace atl::events {

// The part of a fault that a message contains; the text of the fault is a payload.

/// The header before the text of a fault.
class travelling_fault {
 public:
  explicit travelling_fault(const event_fault& fault);

  /// Returns the fault on the PE that received it. The PE where it arose is put before the text
  /// once.
  event_fault arrived(std::span<const std::byte> text) const;

 private:
  transport::travelling_site where_;
  int pe_;
  errc code_;
};

/// Returns the text of a fault, at most `most` bytes.
std::string text_of(const event_fault& fault, std::size_t most);

/// Serialises a fault as a payload of at most `most` bytes. The function `unpacked` reverses this.
std::vector<std::byte> packed(const event_fault& fault, std::size_t most);
event_fault unpacked(std::span<const std::byte> bytes);

// Messages between the tables of events of two PEs. None of them is refused for lack of space,
// because each follows from a step that was taken.

/// Subscribes this PE to an event of another PE.
void send_subscription(name awaited);

/// Ends the subscription of this PE to `awaited`. The other PE answers by `send_forgotten`, unless
/// the event has ended.
void send_unsubscription(name awaited);
void send_forgotten(int pe, name own);

/// Notifies PE `pe`, which waits for it, that the event `own` of this PE has ended.
void send_ended(int pe, name own, const event_fault* fault);

/// Sends this PE a message to wake more waiters, after its other messages have had their turn.
void send_go_on(int own);

/// Triggers a user event of another PE: `send_trigger` at once, `send_promise` after `precondition`
/// has triggered. The enclosing scope counts the message. Both throw atl::error (overflow).
void send_trigger(name user, site where);
void send_promise(name user, name precondition, site where);

/// Sends PE `to` an empty message behind all triggers, promises and `send_poison` of this PE. When
/// the message has been executed, so have they. The enclosing scope counts the message.
void send_nothing(int to, site where);

/// Lets a user event of another PE fail. The enclosing scope counts the message. Throws atl::error
/// (overflow).
void send_poison(name user, const event_fault& fault);

}  // namespace atl::events
