#pragma once
// The clock of PEs that are not simulated.

#include "atoll/transport/transport.hpp"

#include <cstdint>
#include <ctime>

namespace atl::transport {

/// Returns the time of the kernel's monotonic clock in nanoseconds. The clock is the same in all
/// processes of this machine.
inline nanoseconds monotonic_now() noexcept {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * nanoseconds{1'000'000'000} + time.tv_nsec;
}

/// A clock that shows the time of `monotonic_now` at less than half the cost. The clock computes
/// the time from the time stamp counter of the processor, and is set to the kernel's clock at least
/// every 16 ms. The clock never goes back and differs from the kernel's clock by less than a
/// microsecond. If the kernel itself does not use the counter, `now` reads the kernel's clock each
/// time. Each PE has its own `counter_clock`.
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

  std::uint64_t base_ticks_ = 0;
  // Number of ticks of the counter after which the clock must be set again. The number is 0 until
  // the rate of the counter is known, and stays 0 if the kernel does not use the counter.
  std::uint64_t valid_ticks_ = 0;
  std::uint64_t nanoseconds_per_2_32_ticks_ = 0;
  nanoseconds base_ = 0;
  nanoseconds first_ = 0;  // time when the measurement of the rate began; 0 before that
  std::uint64_t first_ticks_ = 0;
  bool counter_is_good_;
};

}  // namespace atl::transport
