// Runs release_order_test.cpp with all orders of requests.

#include "event/release_order.hpp"

namespace {

TEST(requests_in_each_order, are_given_back) {
  constexpr std::uint64_t k_parts = 64;
  for (std::uint64_t part = 0; part < k_parts; ++part) {
    ASSERT_TRUE(atl::test::release_orders_are_right(part + 1, k_parts, true)) << part;
    ASSERT_TRUE(atl::test::release_orders_are_right(part + 1, k_parts, false)) << part;
  }
}

}  // namespace
