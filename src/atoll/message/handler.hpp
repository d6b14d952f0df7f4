#pragma once
// A handler is a function that executes messages. A message refers to its handler by a name. A name
// denotes the same function on every PE, even if the PEs loaded the program at different addresses.
// Handlers in shared libraries have names, too.

#include "atoll/base/modules.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::message {

/// Says how a message is counted, and whether its sender learns that the message was executed.
///
/// `tracked`: the receiver acknowledges the message to the activity (a counter of unfinished work)
/// that was current when the message was sent.
///
/// `untracked`: the sender gets no acknowledgement; the handler answers with a message of its own.
///
/// `owed`: the sender gets no acknowledgement. An `owed` message is sent even if the overflow limit
/// is exceeded, because its sender has already taken a step that cannot be undone.
///
/// `control`: a message of the runtime, which is not counted as a message of the application. The
/// sender of a `control` message gets no acknowledgement, and the overflow limit does not apply to
/// the message.
///
/// `relayed`: a tracked message that a PE on its route forwards (runs.hpp). A `relayed` message is
/// sent even if the overflow limit is exceeded. Only the first sender of a `relayed` message counts
/// the message as created.
enum class traffic : std::uint8_t { tracked, untracked, owed, control, relayed };

/// Returns whether messages of this kind belong to an activity (a counter of unfinished work).
constexpr bool has_scope(traffic kind) {
  return kind == traffic::tracked || kind == traffic::relayed;
}

/// Returns whether the overflow limit (for messages that wait for room at their receivers) applies
/// to messages of this kind.
constexpr bool may_be_refused(traffic kind) {
  return kind == traffic::tracked || kind == traffic::untracked;
}

/// Returns whether the sender counts a message of this kind as a created message of the
/// application.
constexpr bool is_created(traffic kind) {
  return kind != traffic::control && kind != traffic::relayed;
}

class engine;

/// Executes a run of messages, which lies in memory from `at` to `end`. Returns how many messages
/// must be acknowledged to an activity of their sender.
using run_function = std::uint32_t (*)(engine&, const std::byte* at, const std::byte* end);

using handler_name = place_name;

/// The handlers that one PE knows, and their names.
class handler_table {
 public:
  /// Returns the name of `function`. Throws atl::error (environment) if the library that contains
  /// the function has no name.
  handler_name name_of(run_function function) {
    const handler_name name = modules_.name_of(reinterpret_cast<std::uintptr_t>(function));
    if (name == 0) [[unlikely]]
      refuse_to_send(function);
    return name;
  }

  /// Returns the function called `name`. Returns null if this process has not loaded the library of
  /// the function, or has loaded another build of the library.
  run_function function_of(handler_name name) {
    return reinterpret_cast<run_function>(modules_.address_of(name));
  }

  /// Throws atl::error (environment), because PE `pe` does not know the function with the name
  /// `name`.
  [[noreturn]] void fail_unknown_to(int pe, handler_name name);

 private:
  [[noreturn]] static void refuse_to_send(run_function function);

  module_table modules_;
};

}  // namespace atl::message
