// Tests the table of the buffers that a PE fills, when there are more destinations than entries.

#include "atoll/message/streams.hpp"

#include "atoll/error.hpp"

#include <climits>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace atl;
using message::route_table;
using message::send_buffer;
using message::streams;

namespace {

constexpr int k_many_pes = 5000;

/// The table of PE 7, in a job with one PE per node. PE 7 sends messages through a grid of nodes.
struct many_streams {
  route_table routes{7, k_many_pes, {}, 1, 4096};
  std::vector<int> given_up;
  streams all{7, k_many_pes, routes,
              [this](const send_buffer& of) { given_up.push_back(of.destination); }};

  many_streams() { routes.choose(routing::grid); }
  bool is_direct(int pe) const { return routes.hop(pe) == pe; }
};

TEST(the_streams_of_a_pe, are_found_again) {
  many_streams some;
  send_buffer& first = some.all.to(4321);
  EXPECT_EQ(first.destination, 4321);
  EXPECT_EQ(first.hop, some.routes.hop(4321));
  for (int pe = 4300; pe < 4400; ++pe) some.all.to(pe);
  EXPECT_EQ(&some.all.to(4321), &first);
  some.given_up.clear();
  some.all.to(4321 - 1024);  // This destination uses the same entry of the table as PE 4321.
  EXPECT_EQ(some.given_up, std::vector<int>{4321});
}

TEST(the_streams_of_a_pe, are_bounded_and_those_of_its_partners_stay) {
  many_streams some;
  std::map<int, const send_buffer*> partners;
  std::set<const send_buffer*> others;
  for (int round = 0; round < 2; ++round) {
    for (int pe = 0; pe < k_many_pes; ++pe) {
      const send_buffer& to = some.all.to(pe);
      EXPECT_EQ(to.destination, pe);
      if (!some.is_direct(pe))
        others.insert(&to);
      else
        EXPECT_EQ(partners.try_emplace(pe, &to).first->second, &to);
    }
  }
  EXPECT_LE(others.size(), 1024U + partners.size());
  for (const int pe : some.given_up) EXPECT_FALSE(some.is_direct(pe));
}

TEST(the_streams_of_a_pe, go_straight_on_a_detour) {
  many_streams some;
  const int hop = some.all.to(4321).hop;
  send_buffer& detour = some.all.begin_detour(4321);
  EXPECT_TRUE(detour.is_direct());
  EXPECT_EQ(&some.all.to(4321), &detour);
  // During the detour of PE 4321, PE 4321 - 1024 gets the entry of the table that both PEs share.
  EXPECT_NE(&some.all.to(4321 - 1024), &detour);
  some.all.end_detour(detour);
  EXPECT_EQ(some.all.to(4321).hop, hop);
}

TEST(the_streams_of_a_pe, are_not_those_of_their_hops) {
  route_table routes(7, 4096, {}, 16, 4096);
  routes.choose(routing::node);
  int pairs = 0;
  for (int pe = 0; pe < 4096; ++pe) {
    const int hop = routes.hop(pe);
    if (hop == pe || hop % 1024 != pe % 1024) continue;
    streams some(7, 4096, routes, [](const send_buffer&) {});
    const send_buffer& behind = some.to(pe);
    EXPECT_NE(&some.to(hop), &behind);
    EXPECT_EQ(behind.destination, pe);
    ++pairs;
  }
  EXPECT_GT(pairs, 0);
}

TEST(the_streams_of_a_pe, count_messages_whoever_has_the_object_now) {
  many_streams some;
  std::uint64_t submitted = 0;
  for (int round = 0; round < 3; ++round) {
    for (int pe = 0; pe < k_many_pes; ++pe) {
      send_buffer& to = some.all.to(pe);
      submitted += some.all.take_created(to);
      to.created += 2;
    }
  }
  EXPECT_EQ(some.all.created(), 6U * k_many_pes);
  EXPECT_EQ(some.all.created_for_own(), 6U);
  EXPECT_GT(submitted, 0U);
}

TEST(the_streams_of_a_pe, are_for_pes_that_there_are) {
  many_streams some;
  for (const int pe : {-1, k_many_pes, INT_MIN, INT_MAX})
    EXPECT_THROW(some.all.to(pe), error) << pe;
  streams one(0, 1, some.routes, [](const send_buffer&) {});
  for (const int pe : {-1, 1, 2}) EXPECT_THROW(one.to(pe), error) << pe;
  EXPECT_EQ(one.to(0).destination, 0);
}

}  // namespace
