// A release must never happen before its acquisition, and withdrawn requests must leave the queue.
// Requests fail or are withdrawn at any time.

#include "event/release_order.hpp"

namespace {

constexpr std::uint64_t k_stride = atl::test::sanitized ? 30'011 : 3001;

TEST(requests_in_all_orders, are_given_back_where_messages_have_come) {
  for (const std::uint64_t seed : atl::test::seeds(20))
    ASSERT_TRUE(atl::test::release_orders_are_right(seed, k_stride, true)) << seed;
}

TEST(requests_in_all_orders, are_given_back_while_messages_are_under_way) {
  for (const std::uint64_t seed : atl::test::seeds(20))
    ASSERT_TRUE(atl::test::release_orders_are_right(seed, k_stride, false)) << seed;
}

}  // namespace
