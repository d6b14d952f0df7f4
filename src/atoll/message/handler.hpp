#pragma once
// Each message has a kind, and its handler executes it. Handlers travel under names. A name means
// the same function on PEs that loaded the program at different addresses, or have the handler in a
// shared library.

#include "atoll/base/modules.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::message {

/// Says how a message is counted, and who learns that it was executed.
///
/// `tracked`: the activity that was current when the message was sent gets an acknowledgement.
/// `untracked`: nobody learns of it; the handler answers by a message of its own.
/// `owed`: nobody learns of it. The overflow limit does not refuse the message, because it follows
/// from a step that cannot be taken back.
/// `control`: like `owed`, but counted as a message of the runtime, not of the application.
/// `relayed`: a tracked message that a PE on its route sends on (runs.hpp). The overflow limit does
/// not refuse the message, and it is counted as a message elsewhere.
enum class traffic : std::uint8_t { tracked, untracked, owed, control, relayed };

/// Returns whether messages of this kind belong to an activity.
constexpr bool has_scope(traffic kind) {
  return kind == traffic::tracked || kind == traffic::relayed;
}

/// Returns whether the overflow limit applies to messages of this kind.
constexpr bool may_be_refused(traffic kind) {
  return kind == traffic::tracked || kind == traffic::untracked;
}

/// Returns whether messages of this kind count as messages of the application where they are sent.
constexpr bool is_created(traffic kind) {
  return kind != traffic::control && kind != traffic::relayed;
}

class engine;

/// Executes the messages in [at, end), all of the one kind the function was made for. Returns how
/// many of them are acknowledged to an activity of their sender.
using run_function = std::uint32_t (*)(engine&, const std::byte* at, const std::byte* end);

using handler_name = place_name;

/// The handlers that one PE knows, and their names.
class handler_table {
 public:
  /// Returns the name of `function`; does not block. Throws atl::error (environment) if the
  /// function's library cannot be named.
  handler_name name_of(run_function function) {
    const handler_name name = modules_.name_of(reinterpret_cast<std::uintptr_t>(function));
    if (name == 0) [[unlikely]]
      refuse_to_send(function);
    return name;
  }

  /// Returns the function called `name`. Null if this process has not loaded its library, or loaded
  /// another build.
  run_function function_of(handler_name name) {
    return reinterpret_cast<run_function>(modules_.address_of(name));
  }

  /// Throws atl::error (environment): `pe` does not know the function that this PE calls `name`.
  [[noreturn]] void fail_unknown_to(int pe, handler_name name);

 private:
  [[noreturn]] static void refuse_to_send(run_function function);

  module_table modules_;
};

}  // namespace atl::message
