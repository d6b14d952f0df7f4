// The hops of one PE, and how they change.

#include "atoll/message/route_table.hpp"

#include <gtest/gtest.h>

using namespace atl;
using message::route_table;

namespace {

constexpr std::size_t k_bytes_a_buffer = 1 << 10;

/// PE 0 of two nodes of three.
route_table of_two_nodes(std::size_t capacity = k_bytes_a_buffer) {
  return {0, {0, 0, 0, 1, 1, 1}, capacity};
}

TEST(a_route_table, is_direct_until_something_else_is_chosen) {
  auto routes = of_two_nodes();
  for (int pe = 0; pe < 6; ++pe) EXPECT_TRUE(routes.is_direct(pe));
  routes.choose(routing::node);
  for (int pe = 0; pe < 3; ++pe) EXPECT_TRUE(routes.is_direct(pe));
  EXPECT_FALSE(routes.is_direct(3) && routes.is_direct(4) && routes.is_direct(5));
  routes.choose(routing::direct);
  for (int pe = 0; pe < 6; ++pe) EXPECT_TRUE(routes.is_direct(pe));
}

TEST(a_route_table, knows_what_is_distant) {
  const auto routes = of_two_nodes();
  for (int pe = 0; pe < 6; ++pe) EXPECT_EQ(routes.is_distant(pe), pe >= 3);
}

TEST(a_route_table, leads_each_hop_to_itself) {
  auto routes = of_two_nodes();
  routes.choose(routing::node);
  for (int pe = 0; pe < 6; ++pe) EXPECT_TRUE(routes.is_direct(routes.hop(pe)));
}

TEST(a_route_table, diverts_one_destination_and_tells_its_former_hop) {
  auto routes = of_two_nodes();
  routes.choose(routing::node);
  for (int pe = 3; pe < 6; ++pe) {
    const int hop = routes.hop(pe);
    EXPECT_EQ(routes.divert(pe, pe), hop);
    EXPECT_TRUE(routes.is_direct(pe));
    EXPECT_EQ(routes.divert(pe, hop), pe);
    EXPECT_EQ(routes.hop(pe), hop);
  }
}

TEST(a_route_table, gives_each_destination_behind_a_hop_its_share_of_a_buffer) {
  auto routes = of_two_nodes();
  EXPECT_EQ(routes.parcel_bytes(3), k_bytes_a_buffer);  // nobody is behind it but itself
  routes.choose(routing::node);
  int behind = 0;
  for (int pe = 0; pe < 6; ++pe) behind += routes.hop(pe) == routes.hop(5) ? 1 : 0;
  const auto bytes = routes.parcel_bytes(routes.hop(5));
  EXPECT_EQ(bytes, k_bytes_a_buffer / static_cast<std::size_t>(behind) / 8 * 8);
}

TEST(a_route_table, keeps_parcels_within_bounds) {
  EXPECT_EQ(of_two_nodes(1 << 20).parcel_bytes(1), 4096u);
  EXPECT_EQ(of_two_nodes(16).parcel_bytes(1), 64u);
}

TEST(nodes, are_what_the_transport_knows_or_what_the_setting_says) {
  using message::nodes_of;
  const std::vector<int> known{0, 1, 0};
  EXPECT_EQ(nodes_of(known, 3, 1), known);
  EXPECT_EQ(nodes_of({}, 3, 0), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(nodes_of({}, 7, 3), (std::vector<int>{0, 0, 0, 1, 1, 1, 2}));
}

}  // namespace
