// Tests how messages share network buffers, when the buffers are sent, and what is counted.

#include "atoll/message/routes.hpp"

#include "support/run_on.hpp"

#include <array>

using namespace atl;
using message::traffic;

namespace {

/// Returns the counters of this PE with their latest values.
observe::counters counted() {
  this_pe().messages->update_counters();
  return *this_pe().counters;
}

struct sixteen_bytes {
  std::uint64_t a, b;
  void operator()() const {}
};

settings two_pes() {
  settings options = test::job_of(2);
  options.flush_age = 10'000'000'000;  // No buffer becomes so old.
  return options;
}

/// PE 0 sends `messages` messages to PE 1 without a pause, and waits until all messages are
/// executed. Returns what the counters of PE 0 have counted from the first send until the execution
/// of the last message.
observe::counters counted_for(const settings& options, std::uint64_t messages) {
  observe::counters result;
  test::run_on(options, [&]() -> task<> {
    const auto before = counted();
    const auto send = [messages] {
      for (std::uint64_t i = 0; i < messages; ++i) async_call(1, sixteen_bytes{i, i});
    };
    co_await finish(send);
    result = observe::difference(counted(), before);
  });
  return result;
}

TEST(aggregation, off_sends_each_message_in_its_own_buffer) {
  settings options = two_pes();
  options.aggregation = false;
  const auto counts = counted_for(options, 500);
  EXPECT_EQ(counts.messages_sent, 500u);
  EXPECT_EQ(counts.buffers_sent, 500u);
  EXPECT_EQ(counts.runs_opened, 500u);
}

TEST(aggregation, fills_buffers_with_messages_behind_one_header) {
  settings options = two_pes();
  options.buffer_size = 4 << 10;
  const auto counts = counted_for(options, 1000);
  EXPECT_EQ(counts.messages_sent, 1000u);
  // The messages together have slightly more than 1000 * 16 bytes, and a buffer has 4096 bytes.
  EXPECT_EQ(counts.buffers_sent, 4u);
  EXPECT_EQ(counts.runs_opened, 4u);
  EXPECT_EQ(counts.buffers_flushed, 1u);  // Only the last buffer is flushed.
  EXPECT_GE(counts.buffer_bytes_sent, 16'000u);
  EXPECT_LE(counts.buffer_bytes_sent, 16'000u + 4 * 64);
}

TEST(aggregation, sends_one_message_when_there_is_nothing_else_to_do) {
  // The call returns only if the buffer is sent although it is not full.
  const auto counts = counted_for(two_pes(), 1);
  EXPECT_EQ(counts.buffers_sent, 1u);
  EXPECT_EQ(counts.buffers_flushed, 1u);
}

/// Sends a message to each of the PEs `first` to `last`, while this PE is always busy. Returns true
/// if an answer arrives within `nanoseconds` ns.
task<bool> answered_within(std::int64_t nanoseconds, int first = 1, int last = 1) {
  static thread_local bool answered;
  answered = false;
  for (int pe = first; pe <= last; ++pe)
    async_call(pe, [] { async_call(0, [] { answered = true; }); });
  auto& tasks = *this_pe().tasks;
  for (const auto begin = tasks.now(); !answered && tasks.now() - begin < nanoseconds;) {
    co_await yield();
  }
  co_return answered;
}

TEST(aggregation, sends_what_is_old_although_the_sender_is_busy) {
  settings options = two_pes();
  options.flush_age = 1'000'000;
  test::run_on(options, []() -> task<> {
    const bool answered = co_await answered_within(50'000'000'000);
    EXPECT_TRUE(answered);
  });
}

TEST(aggregation, keeps_what_is_not_old_while_the_sender_is_busy) {
  test::run_on(two_pes(), []() -> task<> {
    const bool answered = co_await answered_within(5'000'000);
    EXPECT_FALSE(answered);
  });
}

TEST(aggregation, keeps_a_parcel_that_holds_much_and_has_little) {
  settings options = test::simulated_job_of(4, 1);
  options.node_size = options.sim_node_size = 2;
  options.routing = routing::node;
  options.flush_age = 10'000'000'000;
  test::run_on(options, []() -> task<> {
    const bool answered = co_await answered_within(5'000'000, 2, 3);
    EXPECT_FALSE(answered);
  });
}

constexpr int k_messages_one_by_one = 2'000;

/// Calls `send()`, which sends one message, every microsecond. Between two calls, the PE is idle.
/// Returns the number of buffers that the PE sends.
template <class Send>
task<std::uint64_t> buffers_for_single_messages(Send send) {
  const std::uint64_t before = this_pe().counters->buffers_sent;
  for (int i = 0; i < k_messages_one_by_one; ++i) {
    send();
    co_await sleep_for(1'000);
  }
  co_return this_pe().counters->buffers_sent - before;
}

/// Returns a PE of another node, to which PE 0 sends messages through another PE of its own node.
/// If `relayed` is true, the intermediate PE relays each message. If `relayed` is false, the
/// intermediate PE forwards whole parcels, which are small buffers of messages for one PE.
int pe_behind_a_mate(int pes_of_node, bool relayed) {
  message::route_table from_here(0, pes(), this_pe().messages->nodes(), 0, 1 << 10);
  from_here.choose(routing::node);
  for (int pe = pes_of_node; pe < pes(); ++pe)
    if (from_here.hop(pe) < pes_of_node && from_here.relays_to(pe) == relayed) return pe;
  return -1;
}

settings idle_job_of_nodes(int nodes, int pes_of_node) {
  settings options = test::simulated_job_of(nodes * pes_of_node, 1);
  options.sim_model = sim_model::grappa2014;
  options.node_size = options.sim_node_size = static_cast<std::uint64_t>(pes_of_node);
  options.routing = routing::node;
  options.idle_yields = 1'000'000;
  return options;
}

TEST(aggregation, keeps_for_a_while_what_a_mate_hands_on_and_nothing_that_a_mate_is_sent) {
  test::run_on(idle_job_of_nodes(3, 16), []() -> task<> {
    const auto call_a_mate = [] { async_call(5, [] {}); };
    const std::uint64_t to_a_mate = co_await buffers_for_single_messages(call_a_mate);
    EXPECT_GT(to_a_mate, k_messages_one_by_one * 9ul / 10);
    const auto call_by_a_mate = [pe = pe_behind_a_mate(16, false)] { async_call(pe, [] {}); };
    const std::uint64_t by_a_mate = co_await buffers_for_single_messages(call_by_a_mate);
    EXPECT_LT(by_a_mate, k_messages_one_by_one / 2ul);
  });
}

TEST(aggregation, keeps_for_a_while_what_a_mate_relays) {
  test::run_on(idle_job_of_nodes(14, 12), []() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(14 * 12);
    const auto word = words[static_cast<std::uint64_t>(pe_behind_a_mate(12, true))];
    const auto update_by_a_mate = [word] { async_fetch_add(word, 1); };
    const std::uint64_t sent = co_await buffers_for_single_messages(update_by_a_mate);
    EXPECT_LT(sent, k_messages_one_by_one / 2ul);
  });
}

TEST(aggregation, keeps_for_a_while_what_is_for_one_of_many_partners) {
  test::run_on(idle_job_of_nodes(40, 1), []() -> task<> {
    const auto call_two = [] {
      async_call(1, [] {});
      async_call(2, [] {});
    };
    const std::uint64_t sent = co_await buffers_for_single_messages(call_two);
    EXPECT_LT(sent, k_messages_one_by_one * 3ul / 2);
    EXPECT_GT(sent, k_messages_one_by_one / 4ul);
  });
}

struct small_message {
  std::array<char, 3> content;
  void operator()() const {}
};

struct with_payload {
  std::uint32_t content;
  void operator()(std::span<const std::byte>) const {}
};

/// The number and the bytes of the messages that this PE sends, by destination.
struct sent {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

task<sent> send_some(sent& to_self) {
  sent to_others;
  const std::array<std::byte, 100> payload{};
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const auto pe = static_cast<int>(hash(i) % static_cast<std::uint64_t>(pes()));
    sent& counts = pe == my_pe() ? to_self : to_others;
    ++counts.messages;
    if (i % 3 == 0) {
      this_pe().messages->send_with<traffic::tracked>(
          pe, with_payload{1}, std::span(payload).first(i % 100), site::current());
      counts.bytes += 4 + i % 100;
    } else {
      async_call(pe, small_message{});
      counts.bytes += 3;
    }
    co_await room();
  }
  co_return to_others;
}

class counters_of_messages : public test::on_pes {};

task<> check_counters() {
  co_await all_barrier();  // The messages that start this program must not be counted.
  const auto before = counted();
  co_await all_barrier();
  sent to_self;
  sent to_others;
  const auto send = [&]() -> task<> { to_others = co_await send_some(to_self); };
  co_await finish(send);
  co_await all_barrier();
  const auto counts = observe::difference(counted(), before);
  EXPECT_EQ(counts.messages_sent, to_others.messages);
  EXPECT_EQ(counts.local_messages_executed, to_self.messages);
  const std::array<std::uint64_t, 4> mine{to_others.messages, counts.messages_executed,
                                          to_others.bytes, counts.message_bytes_executed};
  const auto all = co_await all_reduce(mine, [](const auto& a, const auto& b) {
    return std::array<std::uint64_t, 4>{a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
  });
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[2], all[3]);
}

TEST_P(counters_of_messages, are_exact) { run_spmd(check_counters); }

TEST_P(counters_of_messages, are_exact_without_aggregation_and_room) {
  options.aggregation = false;
  options.buffer_size = 1 << 10;
  options.buffers_per_pair = 2;
  run_spmd(check_counters);
}

ATOLL_RUN_ON_ALL(counters_of_messages);

}  // namespace
