#pragma once
// This file has the messages between the event tables of two PEs, and the serialisation of faults.
// A fault is the error with which an event has failed, with the source line and the PE that raised
// the error.

#include "atoll/event.hpp"
#include "atoll/transport/site_word.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace atl::events {

/// The part of a fault that a message contains in front of its payload. The payload is the text of
/// the error.
class travelling_fault {
 public:
  explicit travelling_fault(const event_fault& fault);

  /// Makes a fault from this object and the received payload `text`. If the sender has forwarded
  /// the fault of another PE, the number of that PE is put before the text.
  event_fault arrived(std::span<const std::byte> text) const;

 private:
  transport::travelling_site where_;
  int pe_;
  errc code_;
};

/// Returns the text of the error in `fault`, cut off after `most` bytes.
std::string text_of(const event_fault& fault, std::size_t most);

/// Serialises `fault` as a payload of at most `most` bytes. The function `unpacked` makes a fault
/// from a payload of `packed`.
std::vector<std::byte> packed(const event_fault& fault, std::size_t most);
event_fault unpacked(std::span<const std::byte> bytes);

// The next functions send messages to the event tables of other PEs. Functions whose comments do
// not mention an overflow error succeed even if the send buffers are full.

/// Subscribes this PE to the event `awaited` of another PE. The other PE notifies this PE when the
/// event has ended.
void send_subscription(name awaited);

/// Ends the subscription of this PE to the event `awaited`. If the event has not ended yet, the
/// other PE answers by `send_forgotten`.
void send_unsubscription(name awaited);
void send_forgotten(int pe, name own);

/// Notifies PE `pe`, which has subscribed, that the event `own` of this PE has ended. If `fault` is
/// null, the event has triggered. If `fault` is not null, the event has failed.
void send_ended(int pe, name own, const event_fault* fault);

/// Sends a message from this PE, which has the rank `own`, to itself; the message calls
/// `table::go_on`. The PE executes other messages before `go_on` wakes more waiters.
void send_go_on(int own);

/// Triggers the user event `user` of another PE. The enclosing scope waits until the message has
/// been executed. Throws atl::error (overflow).
void send_trigger(name user, site where);
/// Makes the user event `user` of another PE trigger when `precondition` has triggered. The
/// enclosing scope waits until the message has been executed. Throws atl::error (overflow).
void send_promise(name user, name precondition, site where);

/// Makes the enclosing scope wait until PE `to` has executed all earlier messages of
/// `send_trigger`, `send_promise` and `send_poison` from this PE. The function sends an empty
/// message of each of the three kinds, and the scope waits until the empty messages have been
/// executed.
void send_nothing(int to, site where);

/// Makes the user event `user` of another PE fail with `fault`. The enclosing scope waits until the
/// message has been executed. Throws atl::error (overflow).
void send_poison(name user, const event_fault& fault);

}  // namespace atl::events
