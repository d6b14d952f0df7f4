// Tests groups of receives that are checked for completion together.

#include "atoll/transport/internode/receive_rings.hpp"
#include "transport/two_ranks.hpp"

#include <gtest/gtest.h>

namespace atl::transport::internode {
namespace {

constexpr std::size_t k_bytes = 64;

class two_rings : public testing::Test {
 protected:
  two_rings() {
    group.add(first);
    group.add(second);
  }

  void send(int tag, char content) {
    message_request started;
    sender.start_send(&content, 1, 1, tag, started);
  }
  static char content_of(receive_ring& ring) { return static_cast<char>(*ring.look().data); }

  two_ranks network;
  two_ranks_port sender{network, 0};
  two_ranks_port receiver{network, 1};
  receive_ring first{receiver, 1, 2, k_bytes};
  receive_ring second{receiver, 2, 2, k_bytes};
  receive_group group{receiver};
};

TEST_F(two_rings, show_what_the_group_has_found_and_nothing_before) {
  send(2, 'x');
  EXPECT_EQ(second.look().data, nullptr);
  group.look();
  ASSERT_NE(second.look().data, nullptr);
  EXPECT_EQ(content_of(second), 'x');
  EXPECT_EQ(second.look().source, 0);
  EXPECT_EQ(first.look().data, nullptr);
}

TEST_F(two_rings, keep_a_message_until_it_is_passed) {
  send(1, 'a');
  send(1, 'b');
  group.look();
  group.look();
  EXPECT_EQ(content_of(first), 'a');
  first.pass();
  EXPECT_EQ(first.look().data, nullptr);
  group.look();
  EXPECT_EQ(content_of(first), 'b');
}

TEST_F(two_rings, do_not_wait_for_one_that_always_has_a_message) {
  send(2, 'x');
  int looks = 0;
  for (; second.look().data == nullptr && looks < 10; ++looks) {
    send(1, 'a');
    group.look();
    if (first.look().data != nullptr) first.pass();
  }
  EXPECT_LE(looks, 2);
}

TEST_F(two_rings, look_alone_where_they_have_left_or_are_told_to) {
  send(1, 'a');
  EXPECT_EQ(static_cast<char>(*first.look_alone().data), 'a');
  second.set_in_group(false);
  send(2, 'x');
  EXPECT_EQ(content_of(second), 'x');
}

}  // namespace
}  // namespace atl::transport::internode
