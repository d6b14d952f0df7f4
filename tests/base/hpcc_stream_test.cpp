#include "atoll/random.hpp"

#include <gtest/gtest.h>

namespace {

using atl::hpcc_stream;

/// Returns element `index` as the serial loop of HPCC computes this element.
std::uint64_t element_by_stepping(int index) {
  std::uint64_t x = 1;
  for (int i = 0; i < index; ++i) {
    x = (x << 1) ^ (static_cast<std::int64_t>(x) < 0 ? hpcc_stream::polynomial : 0);
  }
  return x;
}

TEST(hpcc_stream, first_elements_are_powers_of_two) {
  hpcc_stream stream(0);
  EXPECT_EQ(stream.next(), 2u);
  EXPECT_EQ(stream.next(), 4u);
  EXPECT_EQ(hpcc_stream(63).next(), 7u);
}

TEST(hpcc_stream, jump_ahead_equals_stepping) {
  for (const int start : {0, 1, 2, 62, 63, 64, 65, 127, 1000, 4095, 4096, 123456}) {
    hpcc_stream stream(start);
    for (int i = 1; i <= 100; ++i) {
      ASSERT_EQ(stream.next(), element_by_stepping(start + i)) << start << " + " << i;
    }
  }
}

TEST(hpcc_stream, far_jumps_meet) {
  for (const std::int64_t start : {std::int64_t{1} << 33, hpcc_stream::period - 500}) {
    hpcc_stream early(start);
    for (int i = 0; i < 1000; ++i) early.next();
    hpcc_stream late(start + 1000);
    EXPECT_EQ(early.next(), late.next());
  }
}

TEST(hpcc_stream, indices_count_modulo_the_period) {
  EXPECT_EQ(hpcc_stream(hpcc_stream::period).next(), 2u);
  EXPECT_EQ(hpcc_stream(hpcc_stream::period + 77).next(), hpcc_stream(77).next());
  EXPECT_EQ(hpcc_stream(-3).next(), hpcc_stream(hpcc_stream::period - 3).next());
}

TEST(hpcc_stream, may_be_computed_at_compile_time) {
  static_assert(hpcc_stream(10).next() == 2048);
}

}  // namespace
