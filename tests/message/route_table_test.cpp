// Tests the table with the next hop of one PE to each destination, for each kind of routing.

#include "atoll/message/routes.hpp"

#include <gtest/gtest.h>

using namespace atl;
using message::route_table;

namespace {

constexpr std::size_t k_bytes_a_buffer = 1 << 10;

/// Returns the routes of PE 0, in a job of two nodes with three PEs each.
route_table of_two_nodes(std::size_t capacity = k_bytes_a_buffer) {
  return {0, 6, {}, 3, capacity};
}

bool is_direct(const route_table& routes, int pe) { return routes.hop(pe) == pe; }

TEST(a_route_table, is_direct_until_something_else_is_chosen) {
  auto routes = of_two_nodes();
  for (int pe = 0; pe < 6; ++pe) EXPECT_TRUE(is_direct(routes, pe));
  routes.choose(routing::node);
  for (int pe = 0; pe < 3; ++pe) EXPECT_TRUE(is_direct(routes, pe));
  EXPECT_FALSE(is_direct(routes, 3) && is_direct(routes, 4) && is_direct(routes, 5));
  routes.go_directly();
  for (int pe = 0; pe < 6; ++pe) EXPECT_TRUE(is_direct(routes, pe));
}

TEST(a_route_table, knows_what_is_distant) {
  const auto routes = of_two_nodes();
  for (int pe = 0; pe < 6; ++pe) EXPECT_EQ(routes.is_distant(pe), pe >= 3);
}

TEST(a_route_table, leads_each_hop_to_itself) {
  auto routes = of_two_nodes();
  routes.choose(routing::node);
  for (int pe = 0; pe < 6; ++pe) EXPECT_TRUE(is_direct(routes, routes.hop(pe)));
}

TEST(a_route_table, gives_each_destination_behind_a_hop_its_share_of_a_buffer) {
  auto routes = of_two_nodes();
  routes.choose(routing::node);
  int behind = 0;
  for (int pe = 0; pe < 6; ++pe) behind += routes.hop(pe) == routes.hop(5) ? 1 : 0;
  const auto bytes = routes.parcel_bytes(routes.hop(5));
  EXPECT_EQ(bytes, k_bytes_a_buffer / static_cast<std::size_t>(behind) / 8 * 8);
}

TEST(a_route_table, keeps_parcels_within_bounds) {
  EXPECT_EQ(of_two_nodes(1 << 20).parcel_bytes(1), 4096u);
  EXPECT_EQ(of_two_nodes(16).parcel_bytes(1), 48u);
}

TEST(a_route_table, relays_where_many_are_behind_a_hop) {
  route_table few(0, 6, {}, 3, k_bytes_a_buffer);
  few.choose(routing::node);
  EXPECT_FALSE(few.relays());
  route_table many(0, 42, {}, 2, k_bytes_a_buffer);
  EXPECT_FALSE(many.relays());
  many.choose(routing::node);
  ASSERT_TRUE(many.relays());
  // PE 0 sends messages for PE 2 through the other PE of its own node, which forwards messages to
  // ten nodes.
  EXPECT_TRUE(many.relays_to(2));
  // PE 0 sends messages for PE 5 directly to the node of PE 5, which has only two PEs.
  EXPECT_FALSE(many.relays_to(5));
  many.go_directly();
  EXPECT_FALSE(many.relays());
}

TEST(a_route_table, relays_everywhere_where_pes_share_places) {
  route_table routes(0, 1040, {}, 16, k_bytes_a_buffer);
  routes.choose(routing::node);
  ASSERT_TRUE(routes.relays());
  for (int pe = 16; pe < 1040; ++pe) EXPECT_TRUE(routes.relays_to(pe)) << pe;
}

TEST(a_route_table, takes_nodes_from_the_transport_or_from_the_setting) {
  const std::vector<int> known{0, 1, 0};
  const auto nodes = [](const route_table& of) {
    return std::vector<int>(of.nodes().begin(), of.nodes().end());
  };
  EXPECT_EQ(nodes({0, 3, known, 1, 64}), known);
  EXPECT_EQ(nodes({0, 3, {}, 0, 64}), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(nodes({0, 7, {}, 3, 64}), (std::vector<int>{0, 0, 0, 1, 1, 1, 2}));
  EXPECT_EQ((route_table{0, 3, known, 1, 64}.pes_of_node()), 2);
}

}  // namespace
