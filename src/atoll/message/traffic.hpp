#pragma once
// Kinds of messages.

#include <cstdint>

namespace atl::message {

/// Who learns that a message was executed. tracked: the activity that was current when it was sent.
/// untracked: nobody (it answers by a message of its own). owed: nobody, and the overflow limit
/// does not refuse it: it follows from a step that cannot be taken back. control: like owed, and it
/// is counted as the runtime's own, not as an application message.
enum class traffic : std::uint8_t { tracked, untracked, owed, control };

/// The overflow limit applies to it.
constexpr bool may_be_refused(traffic kind) {
  return kind != traffic::owed && kind != traffic::control;
}

}  // namespace atl::message
