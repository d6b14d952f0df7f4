// Tests the list of buffers that are being filled. Also tests when an idle PE may send a buffer
// that is not full.

#include "atoll/message/flusher.hpp"
#include "atoll/message/open_buffers.hpp"

#include <array>
#include <gtest/gtest.h>

using namespace atl;
using message::idle_pacing;
using enum message::idle_pacing::buffer_for;
using message::open_buffers;
using message::send_buffer;
using transport::forever;

namespace {

constexpr auto all = [](const send_buffer&) { return true; };

/// Send buffers for PEs 0 to 6, and the list of the open ones.
class buffers {
 public:
  buffers() {
    for (int pe = 0; pe < 7; ++pe) of(pe).destination = of(pe).hop = pe;
  }

  send_buffer& of(int pe) { return each_[static_cast<std::size_t>(pe)]; }

  void add(int pe, bool in_overflow, transport::nanoseconds time) {
    open.make_room();
    of(pe).open(memory_.data(), memory_.size());
    open.add(of(pe), in_overflow, time);
  }

  bool remove(int pe) {
    of(pe).close();
    return open.remove(of(pe));
  }

  /// Closes the buffers for which `may` returns true, and returns their destinations.
  template <class May>
  std::vector<int> closed(const May& may) {
    std::vector<int> destinations;
    const bool any = open.close_where(may, [&](const send_buffer& buffer) {
      destinations.push_back(buffer.destination);
      remove(buffer.destination);
    });
    EXPECT_EQ(any, !destinations.empty());
    return destinations;
  }

  open_buffers open{1};

 private:
  std::array<send_buffer, 7> each_;
  std::array<std::byte, 64> memory_{};
};

TEST(open_buffers, are_closed_where_they_may_be) {
  buffers some;
  for (const int pe : {5, 2, 3}) some.add(pe, false, 10);
  EXPECT_EQ(some.open.count(), 3u);
  const auto not_2 = [](const send_buffer& buffer) { return buffer.destination != 2; };
  EXPECT_EQ(some.closed(not_2), (std::vector<int>{5, 3}));
  EXPECT_TRUE(some.of(2).is_open());
  EXPECT_EQ(some.open.count(), 1u);
  EXPECT_EQ(some.closed(all), std::vector<int>{2});
  EXPECT_TRUE(some.open.listed().empty());
  EXPECT_TRUE(some.closed(all).empty());
}

TEST(open_buffers, list_each_destination_once) {
  buffers some;
  for (int i = 0; i < 4; ++i) {
    some.add(1, false, i);
    some.remove(1);
  }
  some.add(1, false, 4);
  EXPECT_EQ(some.open.listed().size(), 1u);
  EXPECT_EQ(some.closed(all), std::vector<int>{1});
}

TEST(open_buffers, pass_over_what_is_a_parcel_now) {
  buffers some;
  some.add(1, false, 10);
  some.remove(1);
  std::array<std::byte, 64> room{};
  some.of(1).hop = 2;
  some.of(1).open(room.data(), room.size());
  EXPECT_TRUE(some.closed(all).empty());
  EXPECT_TRUE(some.of(1).is_open());
}

TEST(open_buffers, know_the_oldest_that_may_have_room) {
  buffers some;
  EXPECT_EQ(some.open.oldest(), forever);
  some.add(0, true, 10);
  some.add(1, false, 20);
  some.add(2, false, 30);
  some.closed([](const send_buffer& buffer) { return buffer.destination == 1; });
  EXPECT_EQ(some.open.oldest(), 30);  // `oldest` ignores buffers in the overflow.
  some.closed([](const send_buffer& buffer) { return buffer.destination == 2; });
  EXPECT_EQ(some.open.oldest(), forever);
  EXPECT_EQ(some.of(0).opened_at, 10);
}

TEST(open_buffers, tell_what_is_in_the_overflow) {
  buffers some;
  some.add(0, true, 0);
  some.add(1, false, 0);
  EXPECT_TRUE(some.of(0).in_overflow);
  EXPECT_FALSE(some.of(1).in_overflow);
  EXPECT_TRUE(some.remove(0));
  EXPECT_FALSE(some.remove(1));
  EXPECT_FALSE(some.of(0).in_overflow);
}

TEST(idle_pacing, lets_what_stays_on_the_node_go_at_once) {
  idle_pacing pacing(16);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(pacing.may_go(mate, 0, 100, 100));
  EXPECT_EQ(pacing.held_until(), forever);
}

TEST(idle_pacing, holds_what_may_not_go_yet) {
  idle_pacing pacing(16);
  EXPECT_FALSE(pacing.may_go(mate, 0, 300, 100));
  EXPECT_FALSE(pacing.may_go(distant, 0, 200, 100));
  EXPECT_EQ(pacing.held_until(), 200);
  pacing.begin();
  EXPECT_EQ(pacing.held_until(), forever);
  EXPECT_TRUE(pacing.may_go(mate, 0, 300, 300));
}

TEST(idle_pacing, holds_what_was_just_opened_but_for_the_first_after_a_pause) {
  idle_pacing pacing(16);
  pacing.expect_partners(4);
  constexpr transport::nanoseconds time = 1'000'000'000;
  pacing.begin();
  EXPECT_TRUE(pacing.may_go(distant, time, time, time));
  EXPECT_FALSE(pacing.may_go(distant, time, time, time));
  const auto held_until = pacing.held_until();
  EXPECT_GT(held_until, time);
  EXPECT_FALSE(pacing.may_go(distant, time, held_until - 1, held_until - 1));
  EXPECT_TRUE(pacing.may_go(distant, time, held_until, held_until));
  EXPECT_TRUE(pacing.may_go(carrier, held_until, held_until, held_until));
}

TEST(idle_pacing, holds_the_longer_the_more_partners_there_are) {
  const auto held = [](std::int64_t partners) {
    idle_pacing pacing(16);
    pacing.expect_partners(partners);
    constexpr transport::nanoseconds time = 1'000'000'000;
    pacing.begin();
    pacing.may_go(distant, time, time, time);
    pacing.may_go(distant, time, time, time);
    return pacing.held_until() - time;
  };
  EXPECT_GT(held(1), 0);
  EXPECT_EQ(held(64), 64 * held(1));
}

TEST(idle_pacing, lets_two_for_each_of_many_partners_go_after_a_pause) {
  const auto in_a_row = [](std::int64_t partners) {
    idle_pacing pacing(16);
    pacing.expect_partners(partners);
    constexpr transport::nanoseconds time = 1'000'000'000;
    int gone = 0;
    while (gone < 1000 && pacing.may_go(distant, 0, time, time)) ++gone;
    return gone;
  };
  EXPECT_EQ(in_a_row(64), in_a_row(4) + 96);
  EXPECT_EQ(in_a_row(16), in_a_row(4));
}

TEST(idle_pacing, holds_little_where_a_node_has_few_pes) {
  idle_pacing pacing(1);
  pacing.expect_partners(15);
  constexpr transport::nanoseconds time = 1'000'000'000;
  EXPECT_TRUE(pacing.may_go(distant, time, time, time));
  EXPECT_TRUE(pacing.may_go(distant, time, time + 2000, time + 2000));
}

TEST(idle_pacing, lets_some_for_other_nodes_go_after_a_pause_and_then_paces_them) {
  idle_pacing pacing(16);
  constexpr transport::nanoseconds time = 1'000'000'000;
  int gone = 0;
  while (pacing.may_go(distant, 0, time, time)) ASSERT_LT(++gone, 100);
  EXPECT_GT(gone, 1);
  const auto next = pacing.held_until();
  EXPECT_GT(next, time);
  EXPECT_FALSE(pacing.may_go(distant, 0, next - 1, next - 1));
  EXPECT_TRUE(pacing.may_go(distant, 0, next, next));
  EXPECT_FALSE(pacing.may_go(distant, 0, next, next));
}

// Returns the number of buffers that the PEs of a node may send to other nodes in ten milliseconds.
// All PEs of the node may send the same number of buffers.
int sent_by_node(int pes) {
  idle_pacing pacing(pes);
  int gone = 0;
  for (transport::nanoseconds time = 1'000'000'000; time < 1'010'000'000; ++time)
    gone += pacing.may_go(distant, 0, time, time) ? 1 : 0;
  return pes * gone;
}

TEST(idle_pacing, lets_four_that_others_hand_on_go_for_each_for_another_node) {
  idle_pacing pacing(16);
  constexpr transport::nanoseconds time = 1'000'000'000;
  while (pacing.may_go(distant, 0, time, time)) continue;
  const auto next = pacing.held_until();
  int gone = 0;
  for (auto now = next; now < next + 160'000; ++now)
    gone += pacing.may_go(carrier, 0, now, now) ? 1 : 0;
  EXPECT_NEAR(gone, 40, 2);
}

TEST(idle_pacing, lets_as_many_go_from_a_node_of_few_pes_as_from_one_of_many) {
  EXPECT_NEAR(sent_by_node(1), 10'000, 600);
  EXPECT_NEAR(sent_by_node(4), 10'000, 600);
  EXPECT_NEAR(sent_by_node(16), 10'000, 600);
}

}  // namespace
