// Tests how numbers, sizes and durations are written as text and parsed.

#include "atoll/error.hpp"
#include "atoll/settings.hpp"
#include "base/complaint.hpp"

#include <gtest/gtest.h>

namespace atl {
namespace {

using test::complaint;

TEST(parse_count, takes_decimal_numbers_up_to_64_bits) {
  EXPECT_EQ(parse_count("0"), 0u);
  EXPECT_EQ(parse_count("1024"), 1024u);
  EXPECT_EQ(parse_count("18446744073709551615"), UINT64_MAX);
}

TEST(parse_count, refuses_everything_else) {
  for (const char* wrong : {"", "-1", "+1", "1.5", "1e3", "0x10", "ten", "1 ", " 1", "1k", "1,000"})
    EXPECT_EQ(complaint([&] { parse_count(wrong); }),
              fmt::format("\"{}\" is not a whole number", wrong));
  EXPECT_EQ(complaint([] { parse_count("18446744073709551616"); }),
            "\"18446744073709551616\" is too large");
}

TEST(parse_size, knows_binary_and_decimal_units) {
  EXPECT_EQ(parse_size("100"), 100u);
  EXPECT_EQ(parse_size("100B"), 100u);
  EXPECT_EQ(parse_size("64KiB"), 65536u);
  EXPECT_EQ(parse_size("64 KiB"), 65536u);
  EXPECT_EQ(parse_size("64kib"), 65536u);
  EXPECT_EQ(parse_size("64K"), 65536u);
  EXPECT_EQ(parse_size("64KB"), 64000u);
  EXPECT_EQ(parse_size("2MB"), 2'000'000u);
  EXPECT_EQ(parse_size("2MiB"), 2u << 20);
  EXPECT_EQ(parse_size("1GiB"), 1ull << 30);
  EXPECT_EQ(parse_size("3TiB"), 3ull << 40);
}

TEST(parse_size, refuses_what_does_not_fit_64_bits) {
  EXPECT_EQ(parse_size("16777215TiB"), 16777215ull << 40);
  EXPECT_EQ(complaint([] { parse_size("16777216TiB"); }), "\"16777216TiB\" is too large");
  EXPECT_EQ(complaint([] { parse_size("99999999999999999999"); }),
            "\"99999999999999999999\" is too large");
}

TEST(parse_size, refuses_unknown_units_and_fractions) {
  for (const char* wrong : {"", "KiB", "-1KiB", "1.5GiB", "64kilobytes", "64KiBs", "64 Ki B"})
    EXPECT_EQ(complaint([&] { parse_size(wrong); }),
              fmt::format("\"{}\" is not a size, such as 64KiB", wrong));
}

TEST(parse_duration, counts_nanoseconds) {
  EXPECT_EQ(parse_duration("7ns"), 7);
  EXPECT_EQ(parse_duration("50us"), 50'000);
  EXPECT_EQ(parse_duration("100ms"), 100'000'000);
  EXPECT_EQ(parse_duration("10s"), 10'000'000'000);
  EXPECT_EQ(parse_duration("10 s"), 10'000'000'000);
  EXPECT_EQ(parse_duration("2min"), 120'000'000'000);
}

TEST(parse_duration, wants_a_unit_except_for_zero) {
  EXPECT_EQ(parse_duration("0"), 0);
  EXPECT_EQ(parse_duration("0ms"), 0);
  for (const char* wrong : {"", "10", "s", "-1s", "1.5s", "10 seconds", "10m"})
    EXPECT_EQ(complaint([&] { parse_duration(wrong); }),
              fmt::format("\"{}\" is not a duration with its unit, such as 50us", wrong));
}

TEST(parse_duration, refuses_what_does_not_fit) {
  EXPECT_EQ(parse_duration("9223372036854775807ns"), INT64_MAX);
  EXPECT_EQ(complaint([] { parse_duration("9223372036854775808ns"); }),
            "\"9223372036854775808ns\" is too large");
  EXPECT_EQ(complaint([] { parse_duration("9223372037s"); }), "\"9223372037s\" is too large");
}

TEST(size_text, is_short_and_exact) {
  EXPECT_EQ(size_text(0), "0");
  EXPECT_EQ(size_text(1000), "1000");
  EXPECT_EQ(size_text(16 << 10), "16KiB");
  EXPECT_EQ(size_text(1536), "1536");
  EXPECT_EQ(size_text(1ull << 40), "1TiB");
  for (std::uint64_t bytes = 1; bytes < UINT64_MAX / 6; bytes = bytes * 5 + bytes / 2)
    EXPECT_EQ(parse_size(size_text(bytes)), bytes);
}

TEST(duration_text, is_short_and_exact) {
  EXPECT_EQ(duration_text(0), "0");
  EXPECT_EQ(duration_text(100'000), "100us");
  EXPECT_EQ(duration_text(1'500'000), "1500us");
  EXPECT_EQ(duration_text(10'000'000'000), "10s");
  for (std::int64_t time = 1; time < INT64_MAX / 6; time = time * 5 + time / 2)
    EXPECT_EQ(parse_duration(duration_text(time)), time);
}

}  // namespace
}  // namespace atl
