#pragma once
// The names handlers travel under: (module, offset in it), so that PEs which loaded the same
// program at different addresses, or keep the handler in a shared library, mean the same function.

#include "atoll/base/namespace.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace atoll::message {

class engine;

/// Executes the messages in [at, end), all of the one kind the function was made for, and returns
/// how many of them are acknowledged to an activity of their sender.
using run_function = std::uint32_t (*)(engine&, const std::byte* at, const std::byte* end);

/// 48 bits: 8 of the module's number, 40 of the offset in it.
using handler_name = std::uint64_t;

/// The modules (program and shared libraries) of this PE, in the loader's order.
class handler_table {
 public:
  handler_table();

  /// Any PE; does not block. Throws atoll::error (environment) beyond 256 modules.
  handler_name name_of(run_function function) {
    const auto offset = reinterpret_cast<std::uintptr_t>(function) - modules_[0].base;
    if (offset < modules_[0].bytes) [[likely]]
      return offset;
    return name_in_library(function);
  }

  run_function function_of(handler_name name) const {
    return reinterpret_cast<run_function>(modules_[name >> 40].base + (name & ((1ULL << 40) - 1)));
  }

 private:
  struct module {
    std::uintptr_t base = 0;
    std::uintptr_t bytes = 0;
  };

  handler_name name_in_library(run_function function);
  void read_modules();

  std::vector<module> modules_;
};

}  // namespace atoll::message
