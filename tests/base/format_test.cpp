#include "atoll/log.hpp"

#include <gtest/gtest.h>

namespace atl {
namespace {

TEST(human_number, has_three_digits_and_a_prefix) {
  EXPECT_EQ(human_number(0), "0");
  EXPECT_EQ(human_number(7), "7");
  EXPECT_EQ(human_number(0.25), "0.25");
  EXPECT_EQ(human_number(1.234), "1.23");
  EXPECT_EQ(human_number(999), "999");
  EXPECT_EQ(human_number(1000), "1 K");
  EXPECT_EQ(human_number(42'712'345), "42.7 M");
  EXPECT_EQ(human_number(1.06e9), "1.06 G");
  EXPECT_EQ(human_number(-5300), "-5.3 K");
  EXPECT_EQ(human_number(0.00012), "0.00012");
}

TEST(human_number, never_shows_four_digits) {
  EXPECT_EQ(human_number(999'499), "999 K");
  EXPECT_EQ(human_number(999'600), "1 M");
  EXPECT_EQ(human_number(99.96), "100");
  EXPECT_EQ(human_number(9.996), "10");
}

TEST(human_bytes, has_binary_units) {
  EXPECT_EQ(human_bytes(17), "17 B");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes(256 << 20), "256 MiB");
  EXPECT_EQ(human_bytes(23.5 * (1ull << 30)), "23.5 GiB");
}

TEST(human_seconds, goes_from_nanoseconds_to_hours) {
  EXPECT_EQ(human_seconds(0), "0 ns");
  EXPECT_EQ(human_seconds(2.5e-9), "2.5 ns");
  EXPECT_EQ(human_seconds(100e-6), "100 us");
  EXPECT_EQ(human_seconds(0.0012), "1.2 ms");
  EXPECT_EQ(human_seconds(12.5), "12.5 s");
  EXPECT_EQ(human_seconds(200), "3 min 20 s");
  EXPECT_EQ(human_seconds(7500), "2 h 5 min");
}

TEST(human_percent, is_short) {
  EXPECT_EQ(human_percent(0.125), "12.5 %");
  EXPECT_EQ(human_percent(1), "100 %");
}

TEST(grouped_digits, keeps_all_digits) {
  EXPECT_EQ(grouped_digits(0), "0");
  EXPECT_EQ(grouped_digits(999), "999");
  EXPECT_EQ(grouped_digits(1000), "1,000");
  EXPECT_EQ(grouped_digits(1048576), "1,048,576");
  EXPECT_EQ(grouped_digits(18446744073709551615u), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace atl
