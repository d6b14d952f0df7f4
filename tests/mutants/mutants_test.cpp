// One of 1,000 simulated schedules must reveal each planted fault. Without a fault, all schedules
// must have right results.

#include "atoll/base/mutants.hpp"
#include "support/captured_stderr.hpp"
#include "support/storm.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace atl;
using mutants::fault;

namespace {

constexpr std::uint64_t k_seeds = 1000;

task<> everything(test::ledger* book) {
  for (const std::uint64_t thin_round : {0, 2, 4}) {
    co_await test::storm_until_quiet(book, thin_round);
  }
  co_await test::storm_until_quiet(book, 1);
  co_await test::storm_in_order(book);
  co_await test::storm_of_thieves(book);
  co_await test::storm_until_finished(book, 3);
  co_await test::storm_of_waves(book);
  if (book->seed % 10 == 1) co_await test::storm_of_puts(book);
}

bool is_right(std::uint64_t seed) {
  const test::captured_stderr captured;
  return test::storm_is_right(seed, everything);
}

/// Returns the first seed whose schedule has a wrong result, or 0 if no schedule has a wrong
/// result. Each seed runs in a process of its own, because the fault may destroy the process.
std::uint64_t first_seed_that_fails(fault built_in) {
  for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
    const pid_t child = fork();
    if (child == 0) {
      mutants::present = built_in;
      constexpr rlimit k_seconds = {3, 3};  // A schedule normally takes milliseconds.
      setrlimit(RLIMIT_CPU, &k_seconds);
      alarm(20);
      _exit(is_right(seed) ? 0 : 1);
    }
    int ending = 0;
    waitpid(child, &ending, 0);
    if (ending != 0) return seed;
  }
  return 0;
}

void expect_found(fault built_in) {
  const std::uint64_t seed = first_seed_that_fails(built_in);
  EXPECT_GT(seed, 0u) << "no schedule of " << k_seeds << " shows the fault";
  fmt::print("found by seed {}\n", seed);
}

TEST(mutant, none_fails_nowhere) { EXPECT_EQ(first_seed_that_fails(fault::none), 0u); }
TEST(mutant, lost_wake_up_is_found) { expect_found(fault::lost_wake_up); }
TEST(mutant, lost_room_is_found) { expect_found(fault::lost_room); }
TEST(mutant, early_termination_is_found) { expect_found(fault::early_termination); }
TEST(mutant, missed_idle_flush_is_found) { expect_found(fault::missed_idle_flush); }
TEST(mutant, broken_order_is_found) { expect_found(fault::broken_order); }
TEST(mutant, double_steal_is_found) { expect_found(fault::double_steal); }
TEST(mutant, forgotten_thief_is_found) { expect_found(fault::forgotten_thief); }
TEST(mutant, discouraged_thief_is_found) { expect_found(fault::discouraged_thief); }
TEST(mutant, short_put_is_found) { expect_found(fault::short_put); }

}  // namespace
