#pragma once
// What the tables of events of two PEs tell each other, and faults on their way.

#include "atoll/event.hpp"
#include "atoll/transport/site_word.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace atl::events {

// A fault inside a message. Its text is a payload.

/// What stands in front of the text.
class travelling_fault {
 public:
  explicit travelling_fault(const event_fault& fault);

  /// The fault, on the PE that has got it. The PE where it arose is put before the text once.
  event_fault arrived(std::span<const std::byte> text) const;

 private:
  transport::travelling_site where_;
  int pe_;
  errc code_;
};

/// The text of a fault, `most` bytes of it at most.
std::string text_of(const event_fault& fault, std::size_t most);

/// A fault as a payload of `most` bytes at most, and back.
std::vector<std::byte> packed(const event_fault& fault, std::size_t most);
event_fault unpacked(std::span<const std::byte> bytes);

// What the tables of events of two PEs tell each other. None of it is refused for want of room:
// each follows from a step that was taken.

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
