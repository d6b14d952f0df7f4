// A PE sleeps if all its tasks wait for changes of memory. One-sided access by another PE must wake
// the PE. A plain store does not wake the PE, but the PE must notice the store after a while.

#include "atoll/collectives.hpp"
#include "support/processor_time.hpp"
#include "support/run_on.hpp"

#include <atomic>

using namespace atl;
namespace os = atl::one_sided;

namespace {

class waiting_for_memory : public test::on_pes {};

constexpr std::int64_t k_millisecond = 1'000'000;

using waited_for = symmetric_array<std::uint64_t>;

int successor() { return (my_pe() + 1) % pes(); }

/// PE 0 lets the other PEs wait for a long time, and then changes the word.
task<> pass_on_late(waited_for word, bool plainly) {
  const std::int64_t before = test::processor_time_used();
  if (my_pe() == 0) co_await sleep_for(300 * k_millisecond);
  if (my_pe() != 0) {
    co_await os::wait_until(word.local().data(), os::comparison::equal, 7);
    EXPECT_LT(test::processor_time_used() - before, 150 * k_millisecond) << "it has not slept";
  }
  if (plainly)
    std::atomic_ref(word.directly_mapped(successor())[0]).store(7);
  else
    os::put(word.on(successor()), 7);
  co_await all_barrier();
}

TEST_P(waiting_for_memory, sleeps_until_another_puts) {
  run([]() -> task<> {
    const auto word = co_await make_symmetric_array<std::uint64_t>(1);
    co_await together([word] { return pass_on_late(word, false); });
  });
}

TEST_P(waiting_for_memory, sees_a_store_that_it_is_not_told_of) {
  run([]() -> task<> {
    const auto word = co_await make_symmetric_array<std::uint64_t>(1);
    co_await together([word] { return pass_on_late(word, true); });
  });
}

/// While tasks wait for memory, the PE must still handle messages, timers and other tasks.
task<> wait_beside_others(waited_for word) {
  bool ended = false;
  const auto wait = [&]() -> task<> {
    co_await os::wait_until(word.local().data(), os::comparison::greater, 0u);
    ended = true;
  };
  const auto both = [&] {
    spawn(wait);
    spawn([&]() -> task<> {
      for (int i = 0; i < 20; ++i) {
        const int sent = co_await call(successor(), [] { return my_pe(); });
        EXPECT_EQ(sent, successor());
        co_await sleep_for(k_millisecond / 10);
      }
      EXPECT_FALSE(ended);
      co_await all_barrier();
      os::put(word.on(successor()), 1);
    });
  };
  co_await finish(both);
  EXPECT_TRUE(ended);
  co_await all_barrier();
}

TEST_P(waiting_for_memory, lets_its_pe_go_on) {
  run([]() -> task<> {
    const auto word = co_await make_symmetric_array<std::uint64_t>(1);
    co_await together([word] { return wait_beside_others(word); });
  });
}

ATOLL_RUN_IN_PARALLEL_ON(waiting_for_memory, 1, 2, 3, 8);

}  // namespace
