#pragma once
// The clock of the PEs that run on this machine.

#include "atoll/transport/transport.hpp"

#include <cstdint>
#include <ctime>

namespace atl::transport {

/// Returns nanoseconds of the kernel's monotonic clock, which is the same in all processes of this
/// machine.
inline nanoseconds monotonic_now() noexcept {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * nanoseconds{1'000'000'000} + time.tv_nsec;
}

/// The monotonic clock at less than half its cost. The time is read from the processor's time stamp
/// counter, and adjusted by the kernel's clock again and again. The clock never goes back, and is
/// less than a microsecond off. If the kernel does not rely on the counter, this is the kernel's
/// clock. Used by its own PE only.
class counter_clock {
 public:
  counter_clock() noexcept;

  nanoseconds now() noexcept {
    const std::uint64_t ticks = read_counter() - base_ticks_;
    if (ticks >= valid_ticks_) return set();
    return base_ + static_cast<nanoseconds>(ticks * nanoseconds_per_2_32_ticks_ >> 32);
  }

 private:
  static std::uint64_t read_counter() noexcept { return __builtin_ia32_rdtsc(); }

  nanoseconds set() noexcept;
  nanoseconds shown_at(std::uint64_t ticks) const noexcept;
  void set_to(nanoseconds shown, nanoseconds time, std::uint64_t ticks) noexcept;

  // `valid_ticks_` is 0 until the rate is known. It stays 0 if the kernel does not rely on the
  // counter.
  std::uint64_t base_ticks_ = 0;
  std::uint64_t valid_ticks_ = 0;
  std::uint64_t nanoseconds_per_2_32_ticks_ = 0;
  nanoseconds base_ = 0;
  nanoseconds first_ = 0;  // where the measurement of the rate began
  std::uint64_t first_ticks_ = 0;
  bool counter_is_good_;
};

}  // namespace atl::transport
