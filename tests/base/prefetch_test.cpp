#include "atoll/base/pages_and_lines.hpp"

#include "bench/support/prefetch.hpp"

#include <gtest/gtest.h>

// The limit programs prefetch as far ahead as the runtime, so that their rates can be compared.
TEST(prefetch, is_as_early_in_benchmarks) { EXPECT_EQ(bench::near_distance, atl::k_near_distance); }
