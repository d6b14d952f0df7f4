// This file replaces src/atoll/transport/shm/futex.cpp. The replacement has no time-outs.

#include "atoll/transport/shm/region.hpp"

#include <climits>

namespace atl::transport::shm {

void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, nanoseconds) noexcept {
  word.futex_wait(expected);
}

void futex_wake(atomic<std::uint32_t>& word) noexcept { word.futex_wake(1); }

void futex_wake_all(atomic<std::uint32_t>& word) noexcept { word.futex_wake(INT_MAX); }

}  // namespace atl::transport::shm
