// Tests flow control: a sender needs a credit for each buffer, and buffers without a credit wait in
// the overflow. The receivers of the simulated transport return a credit only at the request of the
// test.

#include "atoll/message/flow_control.hpp"

#include "atoll/base/memory_account.hpp"
#include "atoll/error.hpp"
#include "support/captured_stderr.hpp"
#include "support/sanitizers.hpp"

#include <array>
#include <gtest/gtest.h>
#include <sys/resource.h>

using namespace atl;
using message::flow_control;
using message::traffic;

namespace {

constexpr std::uint32_t k_capacity = 1 << 10;
constexpr int k_pes = 3;

class wire final : public transport::endpoint {
 public:
  wire() {
    size_ = k_pes;
    buffer_capacity_ = k_capacity;
  }

  /// Makes the capacity of a buffer almost 4 GiB, which is more than the memory of a job.
  void make_buffers_huge() { buffer_capacity_ = 0xffffff00; }

  std::byte* acquire(int destination) override {
    return room[index(destination)] > 0 ? memory.data() : nullptr;
  }
  void submit(int destination, std::uint32_t bytes) override {
    --room[index(destination)];
    submitted.push_back(bytes);
  }
  transport::delivery poll() override { return {}; }
  void release() override {}
  void wait(transport::nanoseconds deadline, transport::awaited what) override {
    waited_until = deadline;
    waited_for = what;
    if (gives_room_when_waited_for) room.fill(100);
  }
  transport::nanoseconds now() override { return time; }
  void fail(int status) override { failed_with = status; }

  std::array<int, k_pes> room{};
  std::vector<std::uint32_t> submitted;
  bool gives_room_when_waited_for = false;
  int failed_with = 0;
  transport::nanoseconds time = 1'000'000'000;
  transport::nanoseconds waited_until = 0;
  transport::awaited waited_for = transport::awaited::anything;

 private:
  static std::size_t index(int of) { return static_cast<std::size_t>(of); }

  std::array<std::byte, k_capacity> memory{};
};

class flow : public testing::Test {
 protected:
  explicit flow(std::uint64_t limit = 8 * k_capacity)
      : control(transport, counters, account, limit) {}

  /// Fills a buffer of `bytes` bytes for `destination` in the overflow.
  void overflow(int destination, std::uint32_t bytes = k_capacity) {
    const auto [memory, in_overflow] =
        control.open(destination, traffic::untracked, site::current());
    ASSERT_TRUE(in_overflow);
    control.close(destination, memory, bytes);
  }

  /// Delivers a buffer of messages, whose handlers fill `buffers` further buffers for PE 1.
  void deliver_and_overflow(int buffers = 1) {
    const std::uint64_t before = control.bytes();
    for (int i = 0; i < buffers; ++i) overflow(1);
    control.delivered(k_capacity, before);
  }

  /// Returns the number of buffers that are delivered in `seconds` seconds, while no waiting buffer
  /// can be sent.
  int delivered_in(int seconds, int buffers_for_each) {
    int delivered = 0;
    const auto end = transport.time + seconds * transport::nanoseconds{1'000'000'000};
    for (; transport.time < end && delivered < k_many; transport.time += 1'000'000) {
      control.drain();  // Flow control measures the overflow in this call.
      while (control.may_deliver() && ++delivered < k_many) {
        deliver_and_overflow(buffers_for_each);
        control.drain();
      }
    }
    return delivered;
  }

  static constexpr int k_many = 10'000;

  wire transport;
  observe::counters counters;
  memory_account account;
  flow_control control;
};

TEST_F(flow, takes_the_memory_of_the_transport_while_there_is_some) {
  transport.room[1] = 1;
  EXPECT_FALSE(control.open(1, traffic::tracked, site::current()).in_overflow);
  EXPECT_TRUE(control.has_room());
  EXPECT_FALSE(control.congested());
}

TEST_F(flow, is_congested_from_the_first_buffer_without_room_until_all_have_gone) {
  overflow(1);
  overflow(2);
  EXPECT_TRUE(control.congested());
  EXPECT_FALSE(control.has_room());
  transport.room[1] = 1;
  EXPECT_TRUE(control.drain());
  control.begin_round();
  EXPECT_TRUE(control.congested());
  EXPECT_FALSE(control.drain());
  transport.room[2] = 1;
  EXPECT_TRUE(control.drain());
  EXPECT_FALSE(control.congested());
  control.begin_round();
  EXPECT_TRUE(control.has_room());
  EXPECT_EQ(counters.buffers_overflowed, 2u);
  EXPECT_EQ(counters.overflow_bytes_peak, 2u * k_capacity);
}

TEST_F(flow, ends_the_job_where_there_is_no_memory_for_what_others_rely_on) {
  if (test::sanitized || test::only_threads) GTEST_SKIP() << "its memory cannot be limited";
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit little{std::uint64_t{1} << 30, before.rlim_max};
  transport.make_buffers_huge();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &little), 0);
  for (const traffic kind : {traffic::tracked, traffic::untracked})
    EXPECT_THROW(control.open(1, kind, site::current()), error);
  EXPECT_EQ(transport.failed_with, 0);
  for (const traffic kind : {traffic::owed, traffic::control}) {
    const test::captured_stderr said;
    transport.failed_with = 0;
    EXPECT_THROW(control.open(1, kind, site::current()), transport::job_ended);
    EXPECT_EQ(transport.failed_with, 2);
    EXPECT_NE(said.text().find("out of memory: no buffer for messages"), std::string::npos);
  }
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
}

TEST_F(flow, charges_what_waits_and_nothing_that_has_gone) {
  // The account counts all memory of the PE. While 5 MiB are held, the account checks the limit at
  // every operation.
  account.add(std::size_t{5} << 20);
  const std::uint64_t before = account.held();
  for (const std::uint32_t bytes : {k_capacity, k_capacity / 2, 8U}) overflow(1, bytes);
  EXPECT_EQ(account.held(), before + control.bytes());
  transport.room[1] = 3;
  EXPECT_TRUE(control.drain());
  EXPECT_EQ(account.held(), before);
}

TEST_F(flow, lets_no_buffer_overtake_those_that_wait_for_the_same_pe) {
  overflow(1, 1);
  overflow(1, 2);
  transport.room[1] = 1;
  overflow(1, 3);
  EXPECT_EQ(transport.submitted, (std::vector<std::uint32_t>{1})) << "the first goes when it can";
  transport.room[1] = 2;
  EXPECT_TRUE(control.drain());
  EXPECT_EQ(transport.submitted, (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST_F(flow, refuses_what_may_be_refused_beyond_the_limit) {
  for (int i = 0; i < 9; ++i) overflow(1);
  EXPECT_THROW(overflow(1), error);
  const auto owed = control.open(1, traffic::owed, site::current());
  control.close(1, owed.memory, 8);
  const auto of_runtime = control.open(2, traffic::control, site::current());
  control.close(2, of_runtime.memory, 8);
}

TEST_F(flow, has_no_room_for_more_than_some_buffers_a_round) {
  int sent = 0;
  for (; control.has_room(); ++sent) control.count_sent();
  EXPECT_GT(sent, 1);
  EXPECT_FALSE(control.congested());
  control.begin_round();
  EXPECT_TRUE(control.has_room());
}

TEST_F(flow, holds_back_no_handlers_that_send_nothing) {
  for (int i = 0; i < 4; ++i) overflow(1);
  control.drain();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(control.may_deliver());
    control.delivered(k_capacity, control.bytes());
  }
}

TEST_F(flow, delivers_no_more_than_has_drained_while_that_makes_the_overflow_grow) {
  for (int i = 0; i < 3; ++i) overflow(1);
  control.drain();
  deliver_and_overflow();
  EXPECT_TRUE(control.may_deliver()) << "the first of a circle";
  EXPECT_FALSE(control.may_deliver());
  transport.room[1] = 1;
  control.drain();
  EXPECT_TRUE(control.may_deliver());
  deliver_and_overflow();
  EXPECT_FALSE(control.may_deliver());
}

TEST_F(flow, delivers_one_buffer_now_and_then_to_a_circle_that_waits) {
  for (int i = 0; i < 3; ++i) overflow(1);
  control.drain();
  deliver_and_overflow();
  EXPECT_TRUE(control.may_deliver());
  EXPECT_FALSE(control.may_deliver());
  control.wait(transport::forever);
  EXPECT_EQ(transport.waited_for, transport::awaited::room);
  ASSERT_LT(transport.waited_until, transport::forever) << "nobody else ends the wait";
  transport.time = transport.waited_until;
  EXPECT_TRUE(control.may_deliver());
}

class flow_without_limit : public flow {
 protected:
  flow_without_limit() : flow(std::uint64_t{1} << 40) {}

  /// Fills the overflow so far that flow control limits deliveries.
  void overflow_much() {
    while (control.bytes() <= 8u << 20) overflow(1);
  }
};

// The handlers forward each message to a PE that has stopped. The forwarded messages wait on this
// PE, so the PE must deliver only few messages.
TEST_F(flow_without_limit, delivers_few_buffers_in_a_backlog_that_grows_by_one_for_each) {
  overflow_much();
  EXPECT_LE(delivered_in(10, 1), 501);
}

TEST_F(flow_without_limit, comes_to_the_limit_soon_where_handlers_send_two_for_one) {
  overflow_much();
  EXPECT_EQ(delivered_in(3, 2), k_many);
}

TEST_F(flow, drains_all_but_what_is_for_the_own_pe) {
  for (int pe = 0; pe < k_pes; ++pe) overflow(pe);
  transport.gives_room_when_waited_for = true;
  control.drain_beside(0);
  EXPECT_FALSE(control.waits(1));
  EXPECT_FALSE(control.waits(2));
}

}  // namespace
