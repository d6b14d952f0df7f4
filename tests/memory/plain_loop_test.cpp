// All PEs run loops that send far more data than buffers hold. The loops never await `room()`, so
// unsent messages wait in the memory of the senders.

#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <numeric>

using namespace atl;
using test::on_pes;

namespace {

// Updates per PE; each update takes 12 bytes of a message.
constexpr std::uint64_t k_updates = 60'000;

using words = global_array<std::uint64_t>;

/// Adds 1 to a word of the next PE, `updates` times.
void send_all(words array, std::uint64_t updates) {
  std::uint64_t place = 0;
  while (array[place].pe() != (my_pe() + 1) % pes()) ++place;
  for (std::uint64_t i = 0; i < updates; ++i)
    async_update(array[place], [](std::uint64_t& word) { ++word; });
}

/// Returns the time that all updates took, measured on PE 0.
task<transport::nanoseconds> time_of_loops(std::uint64_t updates) {
  const auto array = co_await make_array<std::uint64_t>(1024 * static_cast<std::uint64_t>(pes()));
  const auto start = this_pe().transport->now();
  co_await on_all_pes([array, updates]() -> task<> {
    co_await all_barrier();
    co_await finish([array, updates] { send_all(array, updates); });
  });
  const auto took = this_pe().transport->now() - start;
  std::vector<std::uint64_t> all(array.size());
  co_await get(array, 0, std::span(all));
  EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::uint64_t{0}),
            updates * static_cast<std::uint64_t>(pes()));
  co_return took;
}

class plain_loop : public on_pes {
 protected:
  plain_loop() {
    options.buffer_size = 1 << 10;
    options.overflow_limit = 16 << 20;
  }
};

TEST_P(plain_loop, sends_beyond_what_the_wire_takes) {
  run([]() -> task<> { co_await time_of_loops(k_updates); });
}

// A PE with a large backlog of unsent messages limits the messages that it handles. In this test,
// handlers of messages send nothing, so the limit must not stop the PE. The test measures simulated
// time, which does not depend on the load of the machine.
TEST_P(plain_loop, makes_no_pe_pause_whose_handlers_send_nothing) {
  if (GetParam().sim_seed == 0) return;
  // A backlog is large if it exceeds a quarter of this limit.
  options.overflow_limit = 1 << 20;
  run([]() -> task<> { EXPECT_LT(co_await time_of_loops(k_updates), 1'000'000'000); });
}

TEST_P(plain_loop, is_told_where_it_goes_beyond_the_limit) {
  if (size() < 2) return;
  options.overflow_limit = 64 << 10;
  std::string said;
  run([&]() -> task<> {
    try {
      co_await time_of_loops(k_updates);
    } catch (const error& beyond) {
      said = beyond.what();
    }
  });
  EXPECT_THAT(said, testing::HasSubstr("sent at plain_loop_test.cpp:"));
}

INSTANTIATE_TEST_SUITE_P(on, plain_loop, testing::ValuesIn(test::shapes({1, 2, 3, 4}, 3)),
                         test::shape_name);

}  // namespace
