#pragma once
// The clock of the PEs that run on this machine.

#include "atoll/transport/transport.hpp"

#include <ctime>

namespace atoll::transport {

/// Nanoseconds of the kernel's monotonic clock: the same in all processes of this machine.
inline nanoseconds monotonic_now() noexcept {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * nanoseconds{1'000'000'000} + time.tv_nsec;
}

}  // namespace atoll::transport
