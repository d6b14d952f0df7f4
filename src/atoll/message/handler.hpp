#pragma once
// A message is of a kind, and is executed by a handler. Handlers travel under names, so that PEs
// which loaded the same program at different addresses, or keep the handler in a shared library,
// mean the same function.

#include "atoll/base/modules.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::message {

/// Who learns that a message was executed. tracked: the activity that was current when it was sent.
/// untracked: nobody (it answers by a message of its own). owed: nobody, and the overflow limit
/// does not refuse it: it follows from a step that cannot be taken back. control: like owed, and it
/// is counted as the runtime's own, not as an application message. relayed: a tracked one that a
/// PE on its way sends on (runs.hpp): not refused, and as a message counted elsewhere.
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

class engine;

/// Executes the messages in [at, end), all of the one kind the function was made for, and returns
/// how many of them are acknowledged to an activity of their sender.
using run_function = std::uint32_t (*)(engine&, const std::byte* at, const std::byte* end);

using handler_name = place_name;

/// Of one PE.
class handler_table {
 public:
  /// Does not block. Throws atl::error (environment) where the function's library cannot be named.
  handler_name name_of(run_function function) {
    const handler_name name = modules_.name_of(reinterpret_cast<std::uintptr_t>(function));
    if (name == 0) [[unlikely]]
      refuse_to_send(function);
    return name;
  }

  /// Null where this process has not loaded the function's library, or another build of it.
  run_function function_of(handler_name name) {
    return reinterpret_cast<run_function>(modules_.address_of(name));
  }

  /// `pe` does not know the function that this PE calls `name`: throws atl::error (environment).
  [[noreturn]] void fail_unknown_to(int pe, handler_name name);

 private:
  [[noreturn]] static void refuse_to_send(run_function function);

  module_table modules_;
};

}  // namespace atl::message
