#include "atoll/base/bits.hpp"

#include "atoll/random.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace atl {
namespace {

TEST(bits, ceil_divide_is_right_at_the_ends) {
  EXPECT_EQ(ceil_divide(0u, 3u), 0u);
  EXPECT_EQ(ceil_divide(6u, 3u), 2u);
  EXPECT_EQ(ceil_divide(7u, 3u), 3u);
  EXPECT_EQ(ceil_divide(UINT64_MAX, std::uint64_t{2}), std::uint64_t{1} << 63);
  EXPECT_EQ(round_up(13u, 8u), 16u);
  EXPECT_EQ(round_up(16u, 8u), 16u);
}

TEST(bits, logarithms) {
  EXPECT_EQ(floor_log2(1), 0u);
  EXPECT_EQ(floor_log2(1023), 9u);
  EXPECT_EQ(floor_log2(1024), 10u);
  EXPECT_EQ(floor_log2(UINT64_MAX), 63u);
  EXPECT_EQ(ceil_log2(1), 0u);
  EXPECT_EQ(ceil_log2(1023), 10u);
  EXPECT_EQ(ceil_log2(1024), 10u);
  EXPECT_EQ(ceil_log2(1025), 11u);
  EXPECT_TRUE(is_power_of_two(1));
  EXPECT_TRUE(is_power_of_two(1ull << 63));
  EXPECT_FALSE(is_power_of_two(0));
  EXPECT_FALSE(is_power_of_two(3));
}

void check(std::uint64_t divisor, const std::vector<std::uint64_t>& dividends) {
  const fast_divisor by(divisor);
  ASSERT_EQ(by.divisor(), divisor);
  ASSERT_EQ(by.power().has_value(), is_power_of_two(divisor));
  ASSERT_EQ(std::uint64_t{1} << by.power().value_or(0), by.power() ? divisor : 1);
  for (const std::uint64_t n : dividends) {
    ASSERT_EQ(by.divide(n), n / divisor) << n << " / " << divisor;
    ASSERT_EQ(by.modulo(n), n % divisor) << n << " % " << divisor;
    ASSERT_EQ(by.split(n).quotient, n / divisor);
    ASSERT_EQ(by.split(n).remainder, n % divisor);
  }
}

// Returns dividends that would reveal a wrong constant: numbers around multiples of the divisor,
// and the smallest and largest numbers.
std::vector<std::uint64_t> telling_dividends(std::uint64_t divisor, random_stream& random) {
  std::vector<std::uint64_t> dividends{0, 1, UINT64_MAX, UINT64_MAX - 1};
  const std::uint64_t most = UINT64_MAX / divisor;
  for (const std::uint64_t factor :
       {std::uint64_t{1}, most, most / 2, random() % most + 1, random() % most + 1}) {
    const std::uint64_t multiple = factor * divisor;
    dividends.insert(dividends.end(), {multiple - 1, multiple, multiple + 1});
  }
  dividends.push_back(random());
  return dividends;
}

TEST(fast_divisor, is_exact_for_small_divisors) {
  random_stream random(1);
  for (std::uint64_t divisor = 1; divisor <= 20000; ++divisor)
    check(divisor, telling_dividends(divisor, random));
}

TEST(fast_divisor, is_exact_around_powers_of_two) {
  random_stream random(2);
  for (unsigned bit = 1; bit < 64; ++bit)
    for (const std::int64_t offset : {-3, -2, -1, 0, 1, 2, 3}) {
      const std::uint64_t divisor = (std::uint64_t{1} << bit) + std::uint64_t(offset);
      if (divisor != 0 && divisor < UINT64_MAX / 2 + 8)
        check(divisor, telling_dividends(divisor, random));
    }
}

TEST(fast_divisor, is_exact_for_the_largest_divisors) {
  random_stream random(3);
  for (std::uint64_t back = 0; back < 1000; ++back)
    check(UINT64_MAX - back, telling_dividends(UINT64_MAX - back, random));
}

TEST(fast_divisor, is_exact_for_random_divisors_of_every_width) {
  random_stream random(4);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t divisor = (random() >> random.below(64)) | 1;
    check(divisor, telling_dividends(divisor, random));
  }
}

TEST(fast_divisor, divides_by_one_unless_told_otherwise) {
  EXPECT_EQ(fast_divisor().divide(UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(fast_divisor().modulo(UINT64_MAX), 0u);
}

TEST(fast_divisor_death, refuses_zero) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fast_divisor(0), "divisor above 0");
}

}  // namespace
}  // namespace atl
