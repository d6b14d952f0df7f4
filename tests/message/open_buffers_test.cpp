// The list of what is being filled, and when an idle PE may hand it over.

#include "atoll/message/idle_pacing.hpp"
#include "atoll/message/open_buffers.hpp"

#include <gtest/gtest.h>

using namespace atl;
using message::idle_pacing;
using message::open_buffers;
using transport::forever;

namespace {

constexpr auto all = [](int) { return true; };

/// Closes what may be closed; returns for which PEs.
template <class May>
std::vector<int> closed(open_buffers& open, const May& may) {
  std::vector<int> destinations;
  const bool any = open.close_where(may, [&](int destination) {
    destinations.push_back(destination);
    open.remove(destination);
  });
  EXPECT_EQ(any, !destinations.empty());
  return destinations;
}

TEST(open_buffers, are_closed_where_they_may_be) {
  open_buffers open(7);
  for (const int pe : {5, 2, 3}) open.add(pe, false, 10);
  EXPECT_EQ(open.count(), 3u);
  EXPECT_EQ(closed(open, [](int pe) { return pe != 2; }), (std::vector<int>{5, 3}));
  EXPECT_TRUE(open.is_open(2));
  EXPECT_EQ(open.count(), 1u);
  EXPECT_EQ(closed(open, all), std::vector<int>{2});
  EXPECT_TRUE(open.destinations().empty());
  EXPECT_TRUE(closed(open, all).empty());
}

TEST(open_buffers, list_each_destination_once) {
  open_buffers open(3);
  for (int i = 0; i < 4; ++i) {
    open.add(1, false, i);
    open.remove(1);
  }
  open.add(1, false, 4);
  EXPECT_EQ(open.destinations().size(), 1u);
  EXPECT_EQ(closed(open, all), std::vector<int>{1});
}

TEST(open_buffers, know_the_oldest_that_may_have_room) {
  open_buffers open(4);
  EXPECT_EQ(open.oldest(), forever);
  open.add(0, true, 10);
  open.add(1, false, 20);
  open.add(2, false, 30);
  closed(open, [](int pe) { return pe == 1; });
  EXPECT_EQ(open.oldest(), 30);  // what is in the overflow does not count
  closed(open, [](int pe) { return pe == 2; });
  EXPECT_EQ(open.oldest(), forever);
  EXPECT_EQ(open.opened_at(0), 10);
}

TEST(open_buffers, tell_what_is_in_the_overflow) {
  open_buffers open(2);
  open.add(0, true, 0);
  open.add(1, false, 0);
  EXPECT_TRUE(open.in_overflow(0));
  EXPECT_FALSE(open.in_overflow(1));
  EXPECT_TRUE(open.remove(0));
  EXPECT_FALSE(open.remove(1));
  EXPECT_FALSE(open.in_overflow(0));
}

TEST(idle_pacing, lets_what_stays_on_the_node_go_at_once) {
  idle_pacing pacing(16);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(pacing.may_go(false, 100, 100));
  EXPECT_EQ(pacing.held_until(), forever);
}

TEST(idle_pacing, holds_what_may_not_go_yet) {
  idle_pacing pacing(16);
  EXPECT_FALSE(pacing.may_go(false, 300, 100));
  EXPECT_FALSE(pacing.may_go(true, 200, 100));
  EXPECT_EQ(pacing.held_until(), 200);
  pacing.begin();
  EXPECT_EQ(pacing.held_until(), forever);
  EXPECT_TRUE(pacing.may_go(false, 300, 300));
}

TEST(idle_pacing, lets_some_for_other_nodes_go_after_a_pause_and_then_paces_them) {
  idle_pacing pacing(16);
  constexpr transport::nanoseconds time = 1'000'000'000;
  int gone = 0;
  while (pacing.may_go(true, time, time)) ASSERT_LT(++gone, 100);
  EXPECT_GT(gone, 1);
  const auto next = pacing.held_until();
  EXPECT_GT(next, time);
  EXPECT_FALSE(pacing.may_go(true, next - 1, next - 1));
  EXPECT_TRUE(pacing.may_go(true, next, next));
  EXPECT_FALSE(pacing.may_go(true, next, next));
}

// The buffers that the PEs of a node send one by one in a millisecond, all together.
int sent_by_node(int pes) {
  idle_pacing pacing(pes);
  int gone = 0;
  for (transport::nanoseconds time = 1'000'000'000; time < 1'001'000'000; ++time)
    gone += pacing.may_go(true, time, time) ? 1 : 0;
  return pes * gone;
}

TEST(idle_pacing, lets_as_many_go_from_a_node_of_few_pes_as_from_one_of_many) {
  EXPECT_NEAR(sent_by_node(1), 3200, 100);
  EXPECT_NEAR(sent_by_node(4), 3200, 200);
  EXPECT_NEAR(sent_by_node(16), 3200, 400);
}

}  // namespace
