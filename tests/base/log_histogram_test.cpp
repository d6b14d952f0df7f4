#include "atoll/histogram.hpp"

#include "atoll/random.hpp"

#include <gtest/gtest.h>
#include <type_traits>

namespace atl {
namespace {

static_assert(std::is_trivially_copyable_v<log_histogram>);

TEST(log_histogram, is_empty_at_first) {
  const log_histogram h;
  EXPECT_EQ(h.count(), 0u);
  EXPECT_EQ(h.mean(), 0);
  EXPECT_EQ(h.smallest(), 0u);
  EXPECT_EQ(h.largest(), 0u);
  EXPECT_EQ(h.quantile(0.5), 0u);
}

TEST(log_histogram, is_exact_for_small_values) {
  log_histogram h;
  for (std::uint64_t value = 0; value < 16; ++value) h.add(value);
  EXPECT_EQ(h.quantile(0), 0u);
  EXPECT_EQ(h.quantile(0.5), 7u);
  EXPECT_EQ(h.quantile(1), 15u);
  EXPECT_EQ(h.mean(), 7.5);
}

TEST(log_histogram, quantiles_are_within_a_sixteenth) {
  for (const std::uint64_t scale : {1ull, 1000ull, 1ull << 40}) {
    log_histogram h;
    for (std::uint64_t value = 1; value <= 1000; ++value) h.add(value * scale);
    for (const double fraction : {0.01, 0.25, 0.5, 0.9, 0.99}) {
      const double exact = fraction * 1000 * double(scale);
      EXPECT_GE(double(h.quantile(fraction)), exact);
      EXPECT_LE(double(h.quantile(fraction)), exact * (1 + 1.0 / 16));
    }
  }
}

TEST(log_histogram, holds_the_largest_value) {
  log_histogram h;
  h.add(UINT64_MAX);
  h.add(0);
  EXPECT_EQ(h.largest(), UINT64_MAX);
  EXPECT_EQ(h.smallest(), 0u);
  EXPECT_EQ(h.quantile(1), UINT64_MAX);
}

TEST(log_histogram, merging_is_adding_all) {
  log_histogram odd, even, all;
  for (std::uint64_t value = 0; value < 10000; ++value) {
    (value % 2 ? odd : even).add(value);
    all.add(value);
  }
  odd.merge(even);
  odd.merge(log_histogram());
  EXPECT_EQ(odd.count(), all.count());
  EXPECT_EQ(odd.mean(), all.mean());
  EXPECT_EQ(odd.smallest(), 0u);
  for (const double fraction : {0.1, 0.5, 0.9})
    EXPECT_EQ(odd.quantile(fraction), all.quantile(fraction));
}

TEST(log_histogram, counts_several_at_once) {
  log_histogram h;
  h.add(3, 10);
  h.add(5, 30);
  EXPECT_EQ(h.count(), 40u);
  EXPECT_EQ(h.mean(), 4.5);
  EXPECT_EQ(h.quantile(0.25), 3u);
  EXPECT_EQ(h.quantile(0.26), 5u);
}

TEST(log_histogram, travels_in_portions) {
  log_histogram all;
  random_stream draws(1);
  for (int i = 0; i < 5000; ++i) all.add(draws.below(std::uint64_t{1} << draws.below(60)));
  log_histogram copy;
  log_histogram::portion part{};
  int portions = 0;
  while (!part.is_last) {
    part = all.portion_from(part.next);
    copy.merge(part);
    ++portions;
  }
  EXPECT_GT(portions, 3);
  EXPECT_EQ(copy.count(), all.count());
  EXPECT_EQ(copy.mean(), all.mean());
  EXPECT_EQ(copy.smallest(), all.smallest());
  EXPECT_EQ(copy.largest(), all.largest());
  for (const double fraction : {0.01, 0.5, 0.9, 0.99})
    EXPECT_EQ(copy.quantile(fraction), all.quantile(fraction));
}

TEST(log_histogram, that_is_empty_travels_in_one_portion) {
  log_histogram copy;
  copy.merge(log_histogram().portion_from(0));
  EXPECT_TRUE(log_histogram().portion_from(0).is_last);
  EXPECT_EQ(copy.count(), 0u);
  EXPECT_EQ(copy.smallest(), 0u);
}

TEST(log_histogram, knows_what_was_added_since) {
  log_histogram all;
  all.add(5, 3);
  const log_histogram earlier = all;
  all.add(1000);
  const log_histogram added = all.since(earlier);
  EXPECT_EQ(added.count(), 1u);
  EXPECT_EQ(added.mean(), 1000);
  EXPECT_EQ(added.quantile(0.01), 1000u);
}

}  // namespace
}  // namespace atl
