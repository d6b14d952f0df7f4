// Tests when a batch of relayed messages is complete, and which messages may join a batch.

#include "atoll/message/remote_activities.hpp"

#include <gtest/gtest.h>

using namespace atl::message;

namespace {

class batches : public testing::Test {
 protected:
  batches() {
    all = &relayed;
    done = 0;
  }

  static void end(activity& of) {
    all->end(static_cast<relay_batch&>(of));
    ++done;
  }

  static inline relay_batches* all = nullptr;
  static inline int done = 0;
  std::uint64_t buffers_sent = 7;
  atl::memory_account account;
  relay_batches relayed{buffers_sent, &end, account};
  remote_activity first;
  remote_activity second;
};

TEST_F(batches, take_in_what_arrives_while_no_buffer_leaves) {
  EXPECT_EQ(&relayed.batch_for(first), &relayed.batch_for(second));
  EXPECT_EQ(first.pending, 1);
  EXPECT_EQ(second.pending, 1);
}

TEST_F(batches, take_in_nothing_once_a_buffer_has_left) {
  activity& left = relayed.batch_for(first);
  left.begin();
  ++buffers_sent;
  EXPECT_NE(&relayed.batch_for(second), &left);
  left.end();
  EXPECT_EQ(first.pending, 0);
  EXPECT_EQ(second.pending, 1);
}

TEST_F(batches, are_not_done_before_they_are_closed) {
  activity& open = relayed.batch_for(first);
  open.begin();
  open.end();
  relayed.close();
  EXPECT_EQ(done, 0);
  ++buffers_sent;
  relayed.close();
  EXPECT_EQ(done, 1);
  EXPECT_EQ(first.pending, 0);
}

TEST_F(batches, are_not_done_before_all_that_was_sent_on_is) {
  activity& sent = relayed.batch_for(first);
  sent.begin(2);
  ++buffers_sent;
  relayed.close();
  sent.end();
  EXPECT_EQ(done, 0);
  EXPECT_EQ(first.pending, 1);
  sent.end();
  EXPECT_EQ(done, 1);
  EXPECT_EQ(first.pending, 0);
}

TEST_F(batches, end_each_part_of_an_activity_that_took_two) {
  relayed.batch_for(first);
  relayed.batch_for(first);
  EXPECT_EQ(first.pending, 2);
  ++buffers_sent;
  relayed.close();
  EXPECT_EQ(first.pending, 0);
}

TEST_F(batches, are_used_again) {
  const activity* const once = &relayed.batch_for(first);
  ++buffers_sent;
  relayed.close();
  EXPECT_EQ(&relayed.batch_for(second), once);
  ++buffers_sent;
  relayed.close();
  EXPECT_EQ(done, 2);
  EXPECT_EQ(second.pending, 0);
}

}  // namespace
