#include "atoll/task/own_addresses.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/pe.hpp"

#include <cstdint>
#include <cstring>

namespace atl::tasks {
namespace {

/// The `pe` of a PE lies where its stack begins.
bool lies_on_stack(std::uintptr_t address) {
  const auto end = reinterpret_cast<std::uintptr_t>(&this_pe());
  return address >= reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) && address < end;
}

}  // namespace

void check_own_addresses(std::span<const std::byte> closure, site where) {
  for (; closure.size() >= sizeof(std::uintptr_t); closure = closure.subspan(sizeof(void*))) {
    std::uintptr_t word = 0;
    std::memcpy(&word, closure.data(), sizeof word);
    if (!lies_on_stack(word)) continue;
    fail(errc::input,
         "{}: a closure that travels holds an address of its sender's stack, which means nothing "
         "on another PE; capture what it needs by value",
         to_string(where));
  }
}

}  // namespace atl::tasks
