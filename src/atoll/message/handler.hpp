#pragma once
// The names handlers travel under, so that PEs which loaded the same program at different
// addresses, or keep the handler in a shared library, mean the same function.

#include "atoll/base/modules.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::message {

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
