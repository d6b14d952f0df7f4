// Tests two-sided communication: each message is received once, in the order of sending.

#include "memory/two_sided_messages.hpp"
#include "support/captured_stderr.hpp"

#include <csignal>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <ranges>

using namespace atl;
namespace ts = atl::two_sided;
using testing::HasSubstr;

namespace {

using test::exchange_in_order;
using test::expect_message;
using test::k_message_lengths;
using test::message_between;
using test::numbered_message;
using test::pe_behind;
using test::word_list;

class two_sided_messages : public test::on_pes {
 protected:
  two_sided_messages() {
    options.eager_limit = 256;
    options.buffer_size = 1 << 10;
  }
};

TEST_P(two_sided_messages, of_any_length_go_around_a_ring) {
  run_spmd([]() -> task<> {
    const int next = pe_behind(1);
    const int previous = pe_behind(pes() - 1);
    for (const std::size_t length : k_message_lengths) {
      const word_list sent = message_between(my_pe(), next, 1, length);
      word_list room(5001);
      const auto count = co_await ts::send_receive(next, 7, sent, previous, 7, room);
      room.resize(count);
      EXPECT_EQ(room, message_between(previous, my_pe(), 1, length));
    }
  });
}

TEST_P(two_sided_messages, of_any_length_go_to_and_fro) {
  run_spmd([]() -> task<> {
    if (my_pe() > 1 || pes() == 1) co_return;
    const int other = 1 - my_pe();
    for (const std::size_t length : k_message_lengths) {
      const word_list sent = message_between(my_pe(), other, 2, length);
      if (my_pe() == 0) co_await ts::send(other, -3, sent);
      co_await expect_message(other, -3, message_between(other, my_pe(), 2, length));
      if (my_pe() == 1) co_await ts::send(other, -3, sent);
    }
  });
}

// If the runtime ignored any bit of a tag, two tags of this test would be equal. The messages are
// received in reverse order.
TEST_P(two_sided_messages, are_told_apart_by_each_bit_of_their_tags) {
  run_spmd([]() -> task<> {
    std::vector<int> tags = {0, -1, std::numeric_limits<int>::max()};
    for (int bit = 0; bit < 32; ++bit) tags.push_back(static_cast<int>(1u << bit));
    const int next = pe_behind(1);
    const int previous = pe_behind(pes() - 1);
    std::vector<ts::request> sent;
    for (const int tag : tags) sent.push_back(ts::send_nbi(next, tag, std::span(&tag, 1)));
    for (const int tag : tags | std::views::reverse) {
      int received = ~tag;
      co_await ts::receive(previous, tag, std::span(&received, 1));
      EXPECT_EQ(received, tag);
    }
    for (ts::request& each : sent) co_await each;
  });
}

/// Sends messages to this PE itself, and receives them after all messages have arrived.
task<> keep_and_receive() {
  word_list room(10);
  for (int i = 0; i < 20; ++i) co_await ts::send(my_pe(), 1, room);
  for (int i = 0; i < 20; ++i) co_await ts::receive(my_pe(), 1, room);
}

TEST_P(two_sided_messages, are_charged_until_they_are_received) {
  run_spmd([]() -> task<> {
    memory_account& account = *this_pe().account;
    // The account counts all memory of the PE. While 5 MiB are held, the account checks the limit
    // at every operation.
    constexpr std::size_t k_much = std::size_t{5} << 20;
    account.add(k_much);
    co_await keep_and_receive();
    const std::uint64_t before = account.held();
    for (int i = 0; i < 5; ++i) co_await keep_and_receive();
    EXPECT_EQ(account.held(), before);
    account.release(k_much);
  });
}

TEST_P(two_sided_messages, of_a_pe_and_tag_are_received_in_order) {
  run_spmd([] { return exchange_in_order(40); });
}

TEST_P(two_sided_messages, are_in_order_in_large_buffers) {
  options.buffer_size = 32 << 10;
  run_spmd([] { return exchange_in_order(100); });
}

TEST_P(two_sided_messages, are_in_order_without_aggregation) {
  options.aggregation = false;
  run_spmd([] { return exchange_in_order(10); });
}

TEST_P(two_sided_messages, are_in_order_by_any_route) {
  options.node_size = 2;
  for (const routing by : {routing::node, routing::grid}) {
    options.routing = by;
    run_spmd([] { return exchange_in_order(10); });
  }
}

TEST_P(two_sided_messages, are_all_sent_along_or_all_wait) {
  for (const std::uint64_t limit : {0, 256 << 10}) {
    options.eager_limit = limit;
    run_spmd([] { return exchange_in_order(10); });
  }
}

TEST_P(two_sided_messages, are_found_by_their_tags_in_any_order) {
  run_spmd([]() -> task<> {
    constexpr int k_tags = 50;
    std::vector<word_list> sent;
    std::vector<ts::request> requests;
    for (int tag = 0; tag < k_tags; ++tag)
      sent.push_back(numbered_message(my_pe(), pe_behind(1), static_cast<std::uint64_t>(tag)));
    for (int tag = 0; tag < k_tags; ++tag)
      requests.push_back(ts::send_nbi(pe_behind(1), tag, sent[static_cast<std::size_t>(tag)]));
    co_await all_barrier();
    const int from = pe_behind(pes() - 1);
    for (int tag = k_tags - 1; tag >= 0; --tag)
      co_await expect_message(from, tag,
                              numbered_message(from, my_pe(), static_cast<std::uint64_t>(tag)));
    for (auto& each : requests) co_await each;
  });
}

TEST_P(two_sided_messages, of_many_tasks_find_each_other) {
  run_spmd([]() -> task<> {
    const auto start = [] {
      for (int i = 0; i < 300; ++i) {
        const int to = pe_behind(i % pes());
        const int from = pe_behind(pes() - i % pes());
        const auto number = static_cast<std::uint64_t>(i);
        spawn([=]() -> task<> {
          const word_list sent = numbered_message(my_pe(), to, number);
          co_await ts::send(to, i, sent);
        });
        spawn([=] { return expect_message(from, i, numbered_message(from, my_pe(), number)); });
      }
    };
    co_await finish(start);
  });
}

TEST_P(two_sided_messages, that_are_awaited_take_no_place_of_a_worker) {
  if (size() != 1) return;  // With more PEs, some of the tasks would be stolen.
  options.workers = 1;
  run([]() -> task<> {
    const auto start = [] {
      for (int i = 0; i < 10; ++i)
        spawn_stealable([i]() -> task<> {
          const word_list sent = {1, 2};
          co_await ts::send(0, i, sent);
        });
      for (int i = 0; i < 10; ++i)  // The PE runs its newest tasks first.
        spawn_stealable([i] { return expect_message(0, i, word_list{1, 2}); });
    };
    co_await finish(start);
  });
}

TEST_P(two_sided_messages, move_while_tasks_give_way) {
  run_spmd([]() -> task<> {
    constexpr int k_chunks = 4;
    const int to = pe_behind(1);
    const int from = pe_behind(pes() - 1);
    std::vector<word_list> sent, seen(k_chunks, word_list(3000));
    std::vector<ts::request> requests;
    for (std::uint64_t i = 0; i < k_chunks; ++i)
      sent.push_back(message_between(my_pe(), to, i, 3000));
    for (auto& room : seen) requests.push_back(ts::receive_nbi(from, 5, room));
    for (const auto& chunk : sent) requests.push_back(ts::send_nbi(to, 5, chunk));
    const auto is_open = [](const auto& each) { return !each.is_complete(); };
    while (std::ranges::any_of(requests, is_open)) co_await yield();
    for (std::uint64_t i = 0; i < k_chunks; ++i)
      EXPECT_EQ(seen[i], message_between(from, my_pe(), i, 3000)) << i;
    for (auto& each : requests) {
      const std::size_t count = co_await each;
      EXPECT_EQ(count, 3000u);
    }
  });
}

/// A PE keeps only some messages of each sender until tasks receive the messages. Of 1,000
/// messages, the first one is kept by the receiver, but the last one must wait at its sender.
TEST_P(two_sided_messages, that_nobody_receives_wait_at_their_sender) {
  run_spmd([]() -> task<> {
    constexpr std::uint64_t k_count = 1000;
    word_list sent(k_count);
    std::iota(sent.begin(), sent.end(), std::uint64_t{0});
    std::vector<ts::request> requests;
    for (std::uint64_t i = 0; i < k_count; ++i)
      requests.push_back(ts::send_nbi(pe_behind(1), 0, std::span(sent).subspan(i, 1)));
    EXPECT_TRUE(requests.front().is_complete());
    EXPECT_FALSE(requests.back().is_complete());
    for (std::uint64_t i = 0; i < k_count; ++i)
      co_await expect_message(pe_behind(pes() - 1), 0, word_list(1, i));
    for (auto& each : requests) co_await each;
    co_await all_quiet();
    auto again = ts::send_nbi(pe_behind(1), 0, sent);
    EXPECT_FALSE(again.is_complete());
    const auto short_again = ts::send_nbi(pe_behind(1), 1, std::span(sent).first(1));
    EXPECT_TRUE(short_again.is_complete());
    co_await expect_message(pe_behind(pes() - 1), 0, sent);
    co_await expect_message(pe_behind(pes() - 1), 1, word_list(1));
    co_await again;
  });
}

/// Each tag with messages needs a channel, and a PE keeps at most 1,024 idle channels. The test
/// uses more tags, and sends two messages of one word with each tag.
constexpr int k_many_tags = 1100;
constexpr std::size_t k_words_of_many_tags = 2 * k_many_tags;

int tag_of_word(std::size_t number) { return static_cast<int>(number % k_many_tags); }

std::vector<ts::request> send_of_many_tags(const word_list& sent) {
  std::vector<ts::request> requests;
  for (std::size_t i = 0; i < sent.size(); ++i)
    requests.push_back(ts::send_nbi(pe_behind(1), tag_of_word(i), std::span(sent).subspan(i, 1)));
  return requests;
}

TEST_P(two_sided_messages, of_many_tags_wait_for_their_receives) {
  run_spmd([]() -> task<> {
    word_list sent(k_words_of_many_tags);
    std::iota(sent.begin(), sent.end(), std::uint64_t{0});
    auto requests = send_of_many_tags(sent);
    co_await all_quiet();  // All messages have arrived.
    word_list received(sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i)
      co_await ts::receive(pe_behind(pes() - 1), tag_of_word(i), std::span(received).subspan(i, 1));
    EXPECT_EQ(received, sent);
    for (auto& each : requests) co_await each;
  });
}

TEST_P(two_sided_messages, find_the_receives_of_many_tags) {
  run_spmd([]() -> task<> {
    word_list received(k_words_of_many_tags);
    std::vector<ts::request> receives;
    for (std::size_t i = 0; i < received.size(); ++i)
      receives.push_back(
          ts::receive_nbi(pe_behind(pes() - 1), tag_of_word(i), std::span(received).subspan(i, 1)));
    co_await all_barrier();
    word_list sent(k_words_of_many_tags);
    std::iota(sent.begin(), sent.end(), std::uint64_t{0});
    auto requests = send_of_many_tags(sent);
    for (auto& each : receives) co_await each;
    EXPECT_EQ(received, sent);
    for (auto& each : requests) co_await each;
  });
}

ATOLL_RUN_ON_ALL(two_sided_messages);

class two_sided_waits : public test::on_pes {};

TEST_P(two_sided_waits, are_named_when_the_job_hangs) {
  unsigned line = 0;
  const test::captured_stderr captured;
  const int status = test::status_of(options, [&]() -> task<> {
    line = __LINE__ + 3;
    const auto receive_what_nobody_sends = []() -> task<> {
      word_list room(1);
      co_await ts::receive(0, 0, room);
    };
    const auto start = [&] { spawn(receive_what_nobody_sends); };
    co_await finish(start);
  });
  EXPECT_EQ(status, 3);
  EXPECT_THAT(captured.text(),
              HasSubstr(fmt::format("  1 task on PE 0 waits at two_sided_test.cpp:{} ", line)));
}

TEST_P(two_sided_waits, end_when_a_pe_dies) {
  if (size() == 1 || GetParam().kind != pe_kind::process) return;
  const test::captured_stderr captured;
  const int status = test::status_of(options, []() -> task<> {
    const auto die = [] { raise(SIGKILL); };
    async_call(pes() - 1, die);
    word_list room(1);
    co_await ts::receive(pes() - 1, 0, room);
  });
  EXPECT_EQ(status, 128 + SIGKILL);
}

ATOLL_RUN_IN_PARALLEL_ON(two_sided_waits, 1, 2, 3);

TEST(two_sided_schedules, keep_the_order_under_many_seeds) {
  if (test::only_threads) return;
  for (const std::uint64_t seed : test::seeds(50)) {
    settings options = test::simulated_job_of(static_cast<int>(2 + seed % 3), seed);
    options.eager_limit = 256;
    options.buffer_size = 1 << 10;
    options.buffers_per_pair = 2;
    test::run_spmd_on(options, [] { return exchange_in_order(12); });
  }
}

/// The PEs are on several nodes, so that messages are sent from node to node.
TEST(two_sided_schedules, keep_the_order_between_nodes) {
  if (test::only_threads) return;
  for (const std::uint64_t node_size : {1, 2}) {
    settings options = test::simulated_job_of(5, node_size);
    options.sim_model = sim_model::modern;
    options.sim_node_size = node_size;
    test::run_spmd_on(options, [] { return exchange_in_order(20); });
  }
}

}  // namespace
