// Tests a receiver that is slower than its senders. Some senders are message handlers that send
// each received message on to another PE. The memory for messages that wait must stay bounded even
// if messages never stop.

#include "support/own_state.hpp"
#include "support/run_on.hpp"

#include <array>

using namespace atl;

namespace {

constexpr std::uint64_t k_mebibyte = 1 << 20;
constexpr std::uint64_t k_messages = 25'000;

struct large {
  std::array<std::uint64_t, 100> content{};
};

static_assert(k_messages * sizeof(large) > 18 * k_mebibyte);

std::uint64_t& consumed() {
  static thread_local test::own_state<std::uint64_t> messages;
  return messages();
}

void consume_slowly() {
  ++consumed();
  auto& tasks = *this_pe().tasks;
  const auto begin = tasks.now();
  while (tasks.now() - begin < 10'000) {
  }
}

/// A message that PE 1 executes and forwards to PE 0.
struct passed_on {
  large cargo;

  void operator()() const {
    async_call(0, [cargo = cargo] {
      consume_slowly();
      // An incomplete message makes the count wrong.
      if (cargo.content[0] != cargo.content[99]) ++consumed();
    });
  }
};

std::uint64_t producers() { return static_cast<std::uint64_t>(pes() - 2); }

class backlog : public test::on_pes {};

TEST_P(backlog, of_a_handler_that_passes_messages_on_is_bounded) {
  run([]() -> task<> {
    consumed() = 0;
    const auto produce = []() -> task<> {
      for (auto i = static_cast<std::uint64_t>(my_pe() - 2); i < k_messages; i += producers()) {
        async_call(1, passed_on{});
        co_await room();
      }
    };
    const auto everywhere = [produce]() -> task<> {
      if (my_pe() >= 2) co_await produce();
    };
    co_await on_all_pes(everywhere);
    const auto peak = co_await call(1, [] { return this_pe().counters->overflow_bytes_peak; });
    EXPECT_LE(peak, 16 * k_mebibyte);
    EXPECT_EQ(consumed(), k_messages);
  });
}

ATOLL_RUN_ON(backlog, 3, 7);

}  // namespace
