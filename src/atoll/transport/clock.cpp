#include "atoll/transport/clock.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace atoll::transport {
namespace {

/// The rate is taken over at least this long; the kernel's clock is read with an error of some 50
/// ns.
constexpr nanoseconds shortest_measurement = 1'000'000;
constexpr nanoseconds longest_time_between_settings = 16'000'000;

/// The kernel has compared the counters of all cores and found that they agree and never stop.
bool kernel_uses_counter() {
#if defined(__x86_64__)
  static const bool used = [] {
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string name;
    return file >> name && name == "tsc";
  }();
  return used;
#else
  return false;
#endif
}

}  // namespace

counter_clock::counter_clock() noexcept
    : first_(monotonic_now()),
      first_ticks_(read_counter()),
      counter_is_good_(kernel_uses_counter()) {}

// The longer the measurement, the better the rate, and the longer the clock may run by itself.
nanoseconds counter_clock::set() noexcept {
  const nanoseconds time = monotonic_now();
  const nanoseconds measured = time - first_;
  if (!counter_is_good_ || measured < shortest_measurement) return time;
  const std::uint64_t ticks = read_counter();
  const std::uint64_t passed = ticks - base_ticks_;
  const bool ran = valid_ticks_ != 0 && passed < 2 * valid_ticks_;
  const nanoseconds shown =
      ran ? base_ + static_cast<nanoseconds>(passed * nanoseconds_per_2_32_ticks_ >> 32) : time;
  const double rate = static_cast<double>(measured) / static_cast<double>(ticks - first_ticks_);
  nanoseconds_per_2_32_ticks_ = static_cast<std::uint64_t>(rate * 4294967296.0);
  valid_ticks_ = static_cast<std::uint64_t>(
      static_cast<double>(std::min(measured, longest_time_between_settings)) / rate);
  base_ticks_ = ticks;
  base_ = std::max(time, shown);
  return base_;
}

}  // namespace atoll::transport
