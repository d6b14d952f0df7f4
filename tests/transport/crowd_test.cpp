// Tests when a PE assumes that other programs or PEs use its core.

#include "atoll/transport/shm/endpoint.hpp"

#include "transport/durations.hpp"

#include <gtest/gtest.h>

namespace atl::transport::shm {
namespace {

class crowds : public testing::Test {
 protected:
  void yield_for(nanoseconds time) {
    crowd_.yielded(now_, now_ + time);
    now_ += time;
  }

  crowd crowd_;
  nanoseconds now_ = 0;
};

TEST_F(crowds, are_not_seen_while_yields_are_short) {
  for (int i = 0; i < 100'000; ++i) {
    yield_for(microsecond);
    ASSERT_FALSE(crowd_.is_there(now_));
  }
}

TEST_F(crowds, are_not_seen_in_a_long_yield_now_and_then) {
  for (int i = 0; i < 100'000; ++i) {
    yield_for(i % 100 == 0 ? 4 * millisecond : microsecond);
    ASSERT_FALSE(crowd_.is_there(now_));
  }
}

TEST_F(crowds, are_seen_when_every_third_yield_takes_a_slice) {
  int yields = 0;
  for (; !crowd_.is_there(now_) && yields < 100; ++yields)
    yield_for(yields % 3 == 0 ? 4 * millisecond : microsecond);
  EXPECT_LT(yields, 20);
}

TEST_F(crowds, are_forgotten_and_looked_for_again) {
  for (int i = 0; i < 3; ++i) yield_for(4 * millisecond);
  EXPECT_TRUE(crowd_.is_there(now_));
  now_ += 100 * millisecond;
  EXPECT_FALSE(crowd_.is_there(now_));
  yield_for(4 * millisecond);
  EXPECT_TRUE(crowd_.is_there(now_)) << "one yield shows that they are still there";
  now_ += 100 * millisecond;
  for (int i = 0; i < 100; ++i) yield_for(microsecond);
  yield_for(4 * millisecond);
  EXPECT_FALSE(crowd_.is_there(now_)) << "they had gone";
}

}  // namespace
}  // namespace atl::transport::shm
