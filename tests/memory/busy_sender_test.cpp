// A PE that always has something to compute still sends its messages.

#include "support/run_on.hpp"

using namespace atl;
using namespace atl::test;

namespace {

class busy_sender : public on_pes {};

constexpr transport::nanoseconds k_second = 1'000'000'000;

/// Sends `messages` messages, and gets an answer to each. Computes until all answers have arrived
/// or the time is over. Returns true if all answers have arrived.
task<bool> answered_while_it_computes(int messages, transport::nanoseconds at_most) {
  const auto answers = co_await per_pe<int>::make();
  const auto answer = [answers] { async_call(0, [answers] { ++answers.local(); }); };
  for (int i = 0; i < messages; ++i) async_call(pes() - 1, answer);
  const auto end = this_pe().transport->now() + at_most;
  while (answers.local() < messages && this_pe().transport->now() < end) co_await yield();
  co_return answers.local() == messages;
}

TEST_P(busy_sender, hands_over_what_is_older_than_the_flush_age) {
  options.flush_age = 20'000'000;
  run([]() -> task<> { EXPECT_TRUE(co_await answered_while_it_computes(1, 50 * k_second)); });
}

TEST_P(busy_sender, hands_over_large_buffers_before_that) {
  options.flush_age = 10 * k_second;
  run([]() -> task<> { EXPECT_TRUE(co_await answered_while_it_computes(600, 8 * k_second)); });
}

ATOLL_RUN_ON(busy_sender, 2, 3);

}  // namespace
