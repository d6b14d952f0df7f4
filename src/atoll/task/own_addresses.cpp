#include "atoll/task/own_addresses.hpp"

#include "atoll/base/pe.hpp"
#include "atoll/error.hpp"
#include "atoll/settings.hpp"
#include "atoll/task/scheduler.hpp"

#include <cstdint>
#include <cstring>

namespace atl::tasks {
namespace {

/// Returns whether the address is on the stack of this PE, which begins at the `pe` object of this
/// PE.
bool lies_on_stack(std::uintptr_t address) {
  const auto end = reinterpret_cast<std::uintptr_t>(&this_pe());
  return address >= reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) && address < end;
}

/// Returns whether all PEs are in one process. PEs in one process can use a coroutine frame of
/// another PE while the frame exists.
bool frames_are_reached() {
  const settings& options = *this_pe().options;
  return options.pe_kind == pe_kind::thread || options.transport == transport_kind::sim;
}

/// Returns a text that names the owner of the address, or null if closures may contain the address.
const char* owned_place(std::uintptr_t address) {
  if (lies_on_stack(address)) return "its sender's stack";
  if (!frames_are_reached() && this_pe().tasks->frames().holds(address))
    return "a variable of its sender's coroutine";
  return nullptr;
}

}  // namespace

void check_own_addresses(std::span<const std::byte> closure, site where) {
  for (; closure.size() >= sizeof(std::uintptr_t); closure = closure.subspan(sizeof(void*))) {
    std::uintptr_t word = 0;
    std::memcpy(&word, closure.data(), sizeof word);
    const char* const place = owned_place(word);
    if (place == nullptr) continue;
    fail(errc::input,
         "{}: a closure that travels holds an address of {}, which means nothing on another PE; "
         "capture what it needs by value",
         to_string(where), place);
  }
}

}  // namespace atl::tasks
