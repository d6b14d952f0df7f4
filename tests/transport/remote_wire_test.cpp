// Tests the transport between nodes, with a network that consists of two queues in memory.

#include "atoll/transport/internode/remote_wire.hpp"
#include "job/jobs.hpp"
#include "transport/two_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <optional>

namespace atl::transport::internode {
namespace {

class between_nodes : public testing::Test {
 protected:
  explicit between_nodes(std::uint64_t a_pair = 3, int peers = 1, std::uint32_t capacity = 1024)
      : sender_(sender_port_, peers, capacity, a_pair),
        receiver_(receiver_port_, peers, capacity, a_pair) {}

  remote_wire& sender() { return sender_; }
  remote_wire& receiver() { return receiver_; }

  bool send(std::uint64_t number) {
    std::byte* const buffer = sender().acquire(1);
    if (buffer == nullptr) return false;
    std::memcpy(buffer, &number, sizeof number);
    sender().submit(1, sizeof number);
    return true;
  }

  std::optional<std::uint64_t> take() {
    const delivery arrived = receiver().poll();
    if (arrived.data == nullptr) return std::nullopt;
    std::uint64_t number = 0;
    std::memcpy(&number, arrived.data, sizeof number);
    receiver().release();
    return number;
  }

  /// Returns true if messages are in flight. The hang detector compares the same counters.
  bool something_is_under_way() {
    return sender_.sent() + receiver_.sent() != sender_.received() + receiver_.received();
  }

  two_ranks network_;
  two_ranks_port sender_port_{network_, 0};
  two_ranks_port receiver_port_{network_, 1};
  remote_wire sender_;
  remote_wire receiver_;
};

TEST_F(between_nodes, buffers_keep_their_order_while_credits_come_and_go) {
  std::uint64_t sent = 0;
  std::uint64_t taken = 0;
  while (taken < 1000) {
    while (sent < 1000 && send(sent)) ++sent;
    for (std::uint64_t most = 1 + sent % 4; most > 0; --most) {
      const auto number = take();
      if (!number) break;
      ASSERT_EQ(*number, taken++);
    }
    sender().progress();
    sender().forget_room();
    ASSERT_LE(sent - taken, 3u);
  }
  EXPECT_FALSE(take());
  sender().progress();
  EXPECT_FALSE(something_is_under_way());
}

TEST_F(between_nodes, credits_under_way_are_something_under_way) {
  while (send(0)) {
  }
  EXPECT_TRUE(something_is_under_way());
  while (take()) {
  }
  EXPECT_TRUE(something_is_under_way()) << "the sender has not seen its credits";
  EXPECT_FALSE(sender().has_new_room());
  sender().poll();
  EXPECT_FALSE(something_is_under_way());
  EXPECT_TRUE(sender().has_new_room()) << "it was refused, and has not been told";
  sender().progress();
  EXPECT_TRUE(sender().something_arrived(awaited::room));
  sender().forget_room();
  EXPECT_FALSE(sender().has_new_room());
  EXPECT_TRUE(send(0));
}

// A receiver normally returns credits only from time to time. A sender without credits must send
// one notice to the receiver, which answers by returning the credits.
TEST_F(between_nodes, a_sender_without_credits_says_so_each_time) {
  const auto notes_to = [this](int rank) { return network_.under_way[{rank, note_tag}].size(); };
  for (int round = 0; round < 3; ++round) {
    while (send(0)) {
    }
    EXPECT_EQ(notes_to(1), 1u) << round;
    EXPECT_FALSE(send(0));
    EXPECT_EQ(notes_to(1), 1u) << "it was told";
    while (take()) {
    }
    EXPECT_EQ(notes_to(1), 0u);
    sender().poll();  // The poll takes the returned credits without waiting.
  }
}

/// A transport to many PEs, each of which has two credits at first.
class among_many : public between_nodes {
 protected:
  among_many() : between_nodes(0, 1000, 64 << 10) {}

  std::uint64_t send_all() {
    std::uint64_t sent = 0;
    while (send(sent)) ++sent;
    return sent;
  }
};

TEST_F(among_many, who_asks_is_granted_more_credits_as_far_as_sixteen) {
  std::uint64_t under_way = send_all();
  EXPECT_EQ(under_way, 2u);
  for (const std::uint64_t in_all : {4, 8, 16, 16}) {
    receiver().progress();
    sender().progress();
    under_way += send_all();
    EXPECT_EQ(under_way, in_all) << "nothing was delivered";
  }
  while (take()) --under_way;
  EXPECT_EQ(under_way, 0u);
  for (int round = 0; round < 3; ++round) {
    sender().progress();
    under_way += send_all();
    receiver().progress();
  }
  EXPECT_EQ(under_way, 16u) << "it has kept them";
}

// Even if nothing arrives, each open receive occupies the memory of a buffer. The transport must
// therefore open no more receives than `most_receives` of the message layer allows.
TEST(receives_of_many_peers, are_no_more_than_the_layer_has_use_for) {
  for (const int most : {1, 3}) {
    two_ranks network;
    two_ranks_port layer(network, 0, static_cast<std::size_t>(most));
    const remote_wire wire(layer, 1000, 1024, 0);
    EXPECT_EQ(layer.posted(buffer_tag), most);
    EXPECT_EQ(layer.posted(note_tag), most);
  }
}

/// The sender has no credits for two receivers. When one receiver returns credits, the sender must
/// learn of the credits, although the other receiver computes and returns none.
TEST_F(between_nodes, room_of_one_receiver_is_told_while_another_has_none) {
  two_ranks_port other_port(network_, 2);
  remote_wire other(other_port, 1, 1024, 3);
  std::uint64_t sent = 0;
  while (send(sent)) ++sent;
  for (std::byte* room = sender().acquire(2); room != nullptr; room = sender().acquire(2)) {
    std::memcpy(room, &sent, sizeof sent);
    sender().submit(2, sizeof sent);
  }
  sender().progress();
  EXPECT_FALSE(sender().something_arrived(awaited::room));
  while (take()) {
  }
  sender().progress();
  EXPECT_TRUE(sender().something_arrived(awaited::room));
  sender().forget_room();
  EXPECT_TRUE(send(sent));
  EXPECT_EQ(sender().acquire(2), nullptr);
  for (; other.poll().data != nullptr; other.release()) {
  }
  sender().progress();
  EXPECT_TRUE(sender().something_arrived(awaited::room));
  EXPECT_NE(sender().acquire(2), nullptr);
}

// The hang detector calls `progress` while it waits for answers. Calls of `progress` must not make
// the PE forget that room was returned.
TEST_F(between_nodes, returned_room_is_told_however_often_others_let_mpi_work) {
  while (send(0)) {
  }
  while (take()) {
  }
  for (int i = 0; i < 10; ++i) sender().progress();
  EXPECT_TRUE(sender().something_arrived(awaited::room));
  EXPECT_TRUE(sender().something_arrived(awaited::room));
  sender().forget_room();
  EXPECT_FALSE(sender().something_arrived(awaited::room));
}

}  // namespace
}  // namespace atl::transport::internode
