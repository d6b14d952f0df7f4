#pragma once
// Kinds of messages.

#include <cstdint>

namespace atl::message {

/// Who learns that a message was executed. tracked: the activity that was current when it was sent.
/// untracked: nobody (it answers by a message of its own). owed: nobody, and the overflow limit
/// does not refuse it: it follows from a step that cannot be taken back. control: like owed, and it
/// is counted as the runtime's own, not as an application message. relayed: a tracked one that a
/// PE on its way sends on (relay.hpp): not refused, and as a message counted elsewhere.
enum class traffic : std::uint8_t { tracked, untracked, owed, control, relayed };

/// It belongs to an activity.
constexpr bool has_scope(traffic kind) {
  return kind == traffic::tracked || kind == traffic::relayed;
}

/// The overflow limit applies to it.
constexpr bool may_be_refused(traffic kind) {
  return kind == traffic::tracked || kind == traffic::untracked;
}

/// It is counted as a message of the application where it is sent.
constexpr bool is_created(traffic kind) {
  return kind != traffic::control && kind != traffic::relayed;
}

}  // namespace atl::message
