#include "atoll/transport/clock.hpp"

#include "transport/durations.hpp"

#include <cstdlib>
#include <gtest/gtest.h>

namespace atl::transport {
namespace {

TEST(counter_clock, never_goes_back_and_stays_with_the_kernels_clock) {
  counter_clock clock;
  const nanoseconds end = monotonic_now() + 200 * millisecond;
  nanoseconds last = clock.now();
  while (last < end) {
    const nanoseconds before = monotonic_now();
    const nanoseconds now = clock.now();
    const nanoseconds after = monotonic_now();
    ASSERT_GE(now, last);
    ASSERT_GE(now, before - millisecond);
    ASSERT_LE(now, after + millisecond);
    last = now;
  }
}

TEST(counter_clock, is_right_after_it_was_left_alone) {
  counter_clock clock;
  const nanoseconds pause = 30 * millisecond;
  for (int i = 0; i < 3; ++i) {
    const nanoseconds start = monotonic_now();
    while (monotonic_now() < start + pause) {
    }
    const nanoseconds before = monotonic_now();
    EXPECT_GE(clock.now(), before - millisecond);
    EXPECT_LE(clock.now(), monotonic_now() + millisecond);
  }
}

}  // namespace
}  // namespace atl::transport
