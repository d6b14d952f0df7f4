// Tests messages for a PE that does not poll. The messages wait in a queue of their sender
// (overflow). No message may be lost, and the memory of the overflow must be bounded.

#include "support/captured_stderr.hpp"
#include "support/own_state.hpp"
#include "support/run_on.hpp"
#include "support/shared_words.hpp"

#include <array>
#include <fstream>
#include <gmock/gmock.h>

using namespace atl;
using test::compute_until;
using test::shared_word;
using testing::AllOf;
using testing::HasSubstr;

namespace {

using words = global_array<std::uint64_t>;

constexpr std::uint64_t k_buffer = 1 << 10;

/// The state of the receiving PE: the next expected number from each source, and whether all
/// messages arrived in order.
struct received {
  std::array<std::uint64_t, 16> next{};
  bool in_order = true;
  bool told_of_overflow = false;

  std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (const auto n : next) all += n;
    return all;
  }
};

received& received_here() {
  static thread_local test::own_state<received> each;
  return each();
}

struct item {
  std::uint64_t number;
  std::uint64_t source;
  std::array<std::uint64_t, 4> ballast{};

  void operator()() const {
    auto& next = received_here().next[source];
    if (next++ != number) received_here().in_order = false;
  }
};

class overflow : public test::on_pes {
 protected:
  overflow() {
    options.buffer_size = k_buffer;
    options.buffers_per_pair = 2;
  }

  /// Runs `while_deaf(told)` on PE 0, which handles no messages during this call. Runs `send(told)`
  /// on all other PEs. After `while_deaf` and `send` have ended, runs `after()` on all PEs. `told`
  /// is a symmetric array with a few words of PE 0.
  template <class WhileDeaf, class Send, class After>
  void run_deaf(WhileDeaf while_deaf, Send send, After after) const {
    run([=]() -> task<> {
      const words told = co_await make_array<std::uint64_t>(8 * static_cast<std::uint64_t>(pes()),
                                                            array_options(8, placement::symmetric));
      const auto part = [=]() -> task<> {
        received_here() = {};
        co_await all_barrier();
        if (my_pe() == 0) {
          while_deaf(told);
        } else {
          co_await send(told);
        }
      };
      co_await on_all_pes(part);
      co_await on_all_pes(after);
    });
  }
};

bool all_others(std::uint64_t count) { return count == static_cast<std::uint64_t>(pes() - 1); }

void expect_all_received(std::uint64_t from_each) {
  if (my_pe() != 0) return;
  EXPECT_EQ(received_here().sum(), from_each * static_cast<std::uint64_t>(pes() - 1));
  EXPECT_TRUE(received_here().in_order);
}

constexpr std::uint64_t k_items = 5000;

void send_item(std::uint64_t i) { async_call(0, item{i, static_cast<std::uint64_t>(my_pe())}); }

TEST_P(overflow, loses_nothing_and_keeps_the_order) {
  run_deaf([](words told) { compute_until([=] { return all_others(shared_word(told[0])); }); },
           [](words told) -> task<> {
             for (std::uint64_t i = 0; i < k_items; ++i) send_item(i);
             EXPECT_FALSE(has_room());
             EXPECT_GT(this_pe().counters->buffers_overflowed, 0u);
             EXPECT_GE(this_pe().counters->overflow_bytes_peak, k_items * sizeof(item) * 9 / 10);
             ++shared_word(told[0]);
             co_await room();
             EXPECT_TRUE(has_room());
           },
           [] { expect_all_received(k_items); });
}

/// Tells PE 0 that a buffer on this PE could not be sent. Further calls have no effect.
void tell_of_overflow(words told) {
  if (this_pe().counters->buffers_overflowed == 0 || received_here().told_of_overflow) return;
  received_here().told_of_overflow = true;
  ++shared_word(told[0]);
}

/// Returns a function that handles no messages at first. The function waits until `wanted()` PEs
/// have reported that they could not send a buffer. The function then waits for 20 ms more, so that
/// a faulty runtime has time to send too much.
auto until_overflow(std::uint64_t (*wanted)()) {
  return [wanted](words told) {
    compute_until([=] { return shared_word(told[0]) >= wanted(); });
    test::give_core_away(20'000'000);
  };
}

TEST_P(overflow, is_as_small_as_a_few_buffers_for_tasks_that_wait_for_room) {
  // All PEs are on one node, because a PE also buffers messages that it forwards to other nodes.
  options.sim_node_size = 16;
  // PE 0 handles no messages while the other PEs send.
  run_deaf(
      until_overflow([] { return static_cast<std::uint64_t>(pes() - 1); }),
      [](words told) -> task<> {
        for (std::uint64_t i = 0; i < k_items; ++i) {
          send_item(i);
          tell_of_overflow(told);
          co_await room();
        }
        EXPECT_GT(this_pe().counters->buffers_overflowed, 0u);
        EXPECT_LE(this_pe().counters->overflow_bytes_peak, 2 * k_buffer);
      },
      [] { expect_all_received(k_items); });
}

/// Sends messages until a message is refused. Returns the number of accepted messages.
std::uint64_t send_until_refused() {
  std::uint64_t accepted = 0;
  const site line = site::current();
  try {
    for (;; ++accepted) async_call(0, item{accepted, static_cast<std::uint64_t>(my_pe())}, line);
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.code(), errc::overflow);
    EXPECT_THAT(refusal.what(), AllOf(HasSubstr(to_string(line)), HasSubstr("--overflow-limit"),
                                      HasSubstr("65536"), HasSubstr("room()")));
  }
  return accepted;
}

TEST_P(overflow, ends_at_the_limit_with_an_error_that_can_be_survived) {
  options.overflow_limit = 64 << 10;
  run_deaf([](words told) { compute_until([=] { return all_others(shared_word(told[0])); }); },
           [](words told) -> task<> {
             const std::uint64_t accepted = send_until_refused();
             EXPECT_LE(this_pe().counters->overflow_bytes_peak, (64u << 10) + k_buffer);
             ++shared_word(told[0]);
             co_await room();
             for (std::uint64_t i = accepted; i < k_items; ++i) {
               send_item(i);
               co_await room();
             }
           },
           [] { expect_all_received(k_items); });
}

// The runtime's own messages must be sent even at the limit, because no PE could continue without
// them.
TEST_P(overflow, at_the_limit_still_acknowledges) {
  options.overflow_limit = 64 << 10;
  run_deaf(
      [](words told) {
        compute_until([=] { return all_others(shared_word(told[0])); });
        for (int pe = 1; pe < pes(); ++pe) async_call(pe, [] {});
        this_pe().messages->flush();
        test::give_core_away(20'000'000);
      },
      [](words told) -> task<> {
        send_until_refused();
        ++shared_word(told[0]);
        co_await room();
      },
      [] { EXPECT_TRUE(received_here().in_order); });
}

/// Calls `ask()` until a request is refused. The enclosing scope must end, although requests were
/// refused.
template <class Ask>
task<> ask_until_refused(words told, Ask ask) {
  errc code = errc::internal;
  const auto all = [=] {
    try {
      while (true) ask();
    } catch (...) {
      ++shared_word(told[0]);
      throw;
    }
  };
  try {
    co_await finish(all);
  } catch (const error& refusal) {
    code = refusal.code();
  }
  EXPECT_EQ(code, errc::overflow);
}

// Only PE 1 sends requests. If PE 0 had to answer several PEs, the answers of PE 0 could also
// exceed the limit on overflowing messages.
TEST_P(overflow, at_the_limit_ends_the_scope_of_asynchronous_delegates) {
  options.overflow_limit = 64 << 10;
  run_deaf([](words told) { compute_until([=] { return shared_word(told[0]) > 0; }); },
           [](words told) -> task<> {
             if (my_pe() != 1) co_return;
             std::uint64_t result = 0;
             co_await ask_until_refused(told, [&] { async_read(told[1], result); });
             co_await ask_until_refused(told, [&] { async_fetch_add(told[1], 1, result); });
           },
           [] {});
}

/// Forwards an item to PE 0 from the PE where the item arrives.
struct relay {
  item cargo;
  words told;
  void operator()() const {
    async_call(0, cargo);
    tell_of_overflow(told);
  }
};

// All PEs other than PE 0 forward items to PE 0. When PE 0 has no room, the forwarding PEs soon
// have no room for each other's items either.
TEST_P(overflow, loses_nothing_that_handlers_pass_on) {
  run_deaf(
      until_overflow([] { return std::uint64_t{1}; }),
      [](words told) -> task<> {
        for (std::uint64_t i = 0; i < k_items; ++i) {
          const auto hearing = static_cast<std::uint64_t>(pes() - 1);
          async_call(1 + static_cast<int>(i % hearing), relay{{i, 0}, told});
          co_await room();
        }
      },
      []() -> task<> {
        if (my_pe() != 0) co_return;
        EXPECT_EQ(received_here().next[0], k_items * static_cast<std::uint64_t>(pes() - 1));
        std::uint64_t overflowed = 0;
        for (const auto& pe : co_await read_counters()) overflowed += pe.buffers_overflowed;
        EXPECT_GT(overflowed, 0u);
      });
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t mapped = 0;
  std::uint64_t resident = 0;
  file >> mapped >> resident;
  return resident * 4096;
}

// Buffers are large, and each holds a single message. The overflow must nevertheless take hardly
// more memory than the messages.
TEST_P(overflow, takes_little_more_memory_than_it_counts) {
  if (test::sanitized || options.pe_kind == pe_kind::thread) GTEST_SKIP() << "measures processes";
  options.aggregation = false;
  options.buffer_size = 64 << 10;
  run_deaf([](words told) { compute_until([=] { return all_others(shared_word(told[0])); }); },
           [](words told) -> task<> {
             const auto before = resident_bytes();
             for (std::uint64_t i = 0; i < 4 * k_items; ++i) send_item(i);
             EXPECT_LE(resident_bytes() - before,
                       2 * this_pe().counters->overflow_bytes_peak + (4u << 20));
             ++shared_word(told[0]);
             co_return;
           },
           [] { expect_all_received(4 * k_items); });
}

ATOLL_RUN_ON(overflow, 2, 3, 4, 8);

// PE 0 sends requests, and never polls for the answers.
TEST(overflow_of_answers, ends_the_job_at_the_limit_with_the_error) {
  settings options = test::job_of(2);
  options.overflow_limit = 64 << 10;
  std::string text;
  int status = 0;
  {
    const test::captured_stderr captured;
    try {
      status = test::status_of(options, []() -> task<> {
        const auto array = co_await make_array<std::uint64_t>(2);
        std::uint64_t result = 0;
        const auto ask = [&] {
          for (int i = 0; i < 200'000; ++i) async_read(array[1], result);
        };
        co_await finish(ask);
      });
    } catch (const error& failure) {  // thrown here only if PEs are threads
      status = failure.exit_status();
      text = failure.what();
    }
    text += captured.text();
  }
  EXPECT_EQ(status, 2);
  EXPECT_THAT(text, HasSubstr("--overflow-limit"));
}

}  // namespace
