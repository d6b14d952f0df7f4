#include "atoll/base/pages_and_lines.hpp"

#include "bench/support/prefetch.hpp"

#include <gtest/gtest.h>

// Programs that measure the limits of the machine must prefetch as far ahead as the runtime, so
// that both rates can be compared.
TEST(prefetch, is_as_early_in_benchmarks) { EXPECT_EQ(bench::near_distance, atl::k_near_distance); }
