#include "atoll/base/leak_search.hpp"

#include <atomic>

namespace atoll {
namespace {

std::atomic<bool> left_out = false;

}  // namespace

void leave_out_leak_search() noexcept { left_out = true; }

}  // namespace atoll

/// The sanitizer asks this at the end of the process (sanitizer/lsan_interface.h).
extern "C" int __lsan_is_turned_off() { return atoll::left_out ? 1 : 0; }
