#include "atoll/base/leak_search.hpp"

#include <atomic>

namespace atl {
namespace {

std::atomic<bool> left_out = false;

}  // namespace

void leave_out_leak_search() noexcept { left_out = true; }

}  // namespace atl

/// The sanitizer asks this at the end of the process, under its own name for it
/// (sanitizer/lsan_interface.h).
extern "C" int leak_search_is_off() asm("__lsan_is_turned_off");
int leak_search_is_off() { return atl::left_out ? 1 : 0; }
