// Runs random jobs on a simulated network, with very many seeds.

#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"
#include "support/storm.hpp"

#include <set>

using namespace atl;

namespace {

/// Returns the number in the job's log that identifies its schedule.
std::string schedule_of(std::uint64_t seed) {
  settings options = test::storm_settings(seed);
  options.log_level = log_level::debug;
  test::ledger book(seed, static_cast<int>(options.pes));
  const test::captured_stderr captured;
  const int status = run_job_spmd(options, [&]() -> task<> {
    co_await test::storm_until_quiet(&book, 0);
    co_await test::storm_of_thieves(&book);
  });
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(book.wrong);
  const std::string said = captured.text();
  const auto begin = said.find("schedule ");
  return begin == said.npos ? "" : said.substr(begin, sizeof "schedule 0123456789abcdef" - 1);
}

TEST(storm, has_the_same_schedule_for_the_same_seed) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::string first = schedule_of(seed);
    EXPECT_NE(first, "");
    // This allocation shifts the addresses of all later allocations.
    const std::vector<char> elsewhere(seed * 1000);
    EXPECT_EQ(schedule_of(seed), first) << seed;
  }
}

// The runtime must detect the end of every job, because the job would otherwise hang. The runtime
// must not detect the end before all messages have been executed.
TEST(storm, is_seen_to_be_over_under_any_seed) {
  const std::uint64_t most = test::sanitized ? 500 : 10'000;
  for (const std::uint64_t seed : test::seeds(most)) {
    test::replay_printer::instance().seed = seed;
    const auto program = [](test::ledger* book) -> task<> {
      co_await test::storm_until_quiet(book, 0);
      co_await test::storm_until_finished(book, 1);
    };
    ASSERT_TRUE(test::storm_is_right(seed, program)) << "seed " << seed;
  }
}

}  // namespace
