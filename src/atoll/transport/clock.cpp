#include "atoll/transport/clock.hpp"

#include <algorithm>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace atl::transport {
namespace {

/// Minimum time in ns over which the rate of the counter is measured. A shorter measurement would
/// be inexact, because a reading of the kernel's clock has an error of about 50 ns.
constexpr nanoseconds shortest_measurement = 1'000'000;
/// Maximum number of ticks that may pass while the kernel's clock is read. If more ticks pass, the
/// thread was interrupted, and the reading is not used.
constexpr std::uint64_t most_ticks_of_a_reading = 2000;
constexpr nanoseconds longest_time_between_settings = 16'000'000;

/// Returns whether the kernel uses the time stamp counter as its clock. The kernel uses the time
/// stamp counter only if the counters of all cores agree and never stop.
bool kernel_uses_counter() {
  static const bool used = [] {
    constexpr std::string_view wanted = "tsc\n";
    char name[wanted.size()] = {};
    const int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                          O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t bytes = read(file, name, sizeof name);
    close(file);
    return bytes == static_cast<ssize_t>(sizeof name) &&
           std::string_view(name, sizeof name) == wanted;
  }();
  return used;
}

}  // namespace

counter_clock::counter_clock() noexcept : counter_is_good_(kernel_uses_counter()) {}

nanoseconds counter_clock::set() noexcept {
  const std::uint64_t before = read_counter();
  const nanoseconds time = monotonic_now();
  const std::uint64_t ticks = read_counter();
  const bool interrupted = ticks - before > most_ticks_of_a_reading;
  const nanoseconds now = std::max(time, shown_at(ticks));
  if (counter_is_good_ && !interrupted) set_to(now, time, ticks);
  return now;
}

/// Returns the time that this clock shows when the counter has the value `ticks`. The clock must
/// never go back, so it must not be set to a time before the returned one.
nanoseconds counter_clock::shown_at(std::uint64_t ticks) const noexcept {
  const std::uint64_t passed = ticks - base_ticks_;
  // After more than `2 * valid_ticks_` ticks, the kernel's clock is later than every time that this
  // clock has shown. The result 0 makes the caller use the time of the kernel's clock.
  if (passed > 2 * valid_ticks_) return 0;
  return base_ + static_cast<nanoseconds>(passed * nanoseconds_per_2_32_ticks_ >> 32);
}

// Sets the clock to the time `shown` at the counter value `ticks`, and computes the rate of the
// counter anew. The longer the rate was measured, the longer the clock may run until it is set
// again.
void counter_clock::set_to(nanoseconds shown, nanoseconds time, std::uint64_t ticks) noexcept {
  if (first_ == 0) {
    first_ = time;
    first_ticks_ = ticks;
  }
  const nanoseconds measured = time - first_;
  if (measured < shortest_measurement) return;
  const double rate = static_cast<double>(measured) / static_cast<double>(ticks - first_ticks_);
  nanoseconds_per_2_32_ticks_ = static_cast<std::uint64_t>(rate * 4294967296.0);
  valid_ticks_ = static_cast<std::uint64_t>(
      static_cast<double>(std::min(measured, longest_time_between_settings)) / rate);
  base_ticks_ = ticks;
  base_ = shown;
}

}  // namespace atl::transport
