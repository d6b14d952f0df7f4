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

/// The part of a fault that has a fixed size in a message. The text of the error follows as the
/// payload of the message.
class travelling_fault {
 public:
  explicit travelling_fault(const event_fault& fault);

  /// Makes a fault from a received message, where `text` is the payload. If the sender only
  /// forwards the fault of another PE, the number of that PE is put before the text.
  event_fault arrived(std::span<const std::byte> text) const;

 private:
  transport::travelling_site where_;
  int pe_;
  errc code_;
};

/// Returns the text of the error in `fault`, cut off after `most` bytes.
std::string text_of(const event_fault& fault, std::size_t most);

/// Serialises `fault` as a payload of at most `most` bytes. The function `unpacked` makes a fault
/// from such a payload.
std::vector<std::byte> packed(const event_fault& fault, std::size_t most);
event_fault unpacked(std::span<const std::byte> bytes);

// The next functions send messages to the event tables of other PEs. If the comment of a function
// names no overflow error, the function succeeds even if the send buffers are full.

/// Subscribes this PE to the event `awaited` of another PE. The other PE notifies this PE when the
/// event has ended.
void send_subscription(name awaited);

/// Ends the subscription of this PE to the event `awaited`. If the event has not ended yet, the
/// other PE answers by `send_forgotten`.
void send_unsubscription(name awaited);
void send_forgotten(int pe, name own);

/// Notifies PE `pe`, which has subscribed, that the event `own` of this PE has ended. If `fault` is
/// null, the event has triggered. Otherwise the event has failed with `fault`.
void send_ended(int pe, name own, const event_fault* fault);

/// Sends a message from this PE, whose number is `own`, to itself. The message calls `table::go_on`
/// after the messages that are already in flight to this PE.
void send_go_on(int own);

/// Triggers the user event `user` of another PE. The enclosing scope does not end before the
/// message was executed. Throws atl::error (overflow).
void send_trigger(name user, site where);
/// Makes the user event `user` of another PE trigger when `precondition` has triggered. The
/// enclosing scope does not end before the message was executed. Throws atl::error (overflow).
void send_promise(name user, name precondition, site where);

/// Sends empty messages to PE `to`. When PE `to` has executed them, it has also executed all
/// earlier messages of `send_trigger`, `send_promise` and `send_poison` from this PE. The enclosing
/// scope does not end before the empty messages were executed.
void send_nothing(int to, site where);

/// Makes the user event `user` of another PE fail with `fault`. The enclosing scope does not end
/// before the message was executed. Throws atl::error (overflow).
void send_poison(name user, const event_fault& fault);

}  // namespace atl::events
