#include "atoll/base/pages_and_lines.hpp"

#include "bench/support/prefetch.hpp"

#include <gtest/gtest.h>

// Limit programs ask for memory as early as the runtime that is measured beside them.
TEST(prefetch, is_as_early_in_benchmarks) { EXPECT_EQ(bench::near_distance, atl::k_near_distance); }
