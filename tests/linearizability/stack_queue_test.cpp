// Histories of global stacks and queues must be linearizable in all modes, in simulated jobs and in
// parallel jobs.

#include "linearizability/bad_patterns.hpp"
#include "linearizability/exact.hpp"
#include "linearizability/history_file.hpp"
#include "linearizability/recording.hpp"

using namespace atl;
using test::scenario;

namespace {

constexpr std::uint64_t k_seeds = test::sanitized ? 60 : 1000;
constexpr std::uint64_t k_wide_seeds = test::sanitized ? 10 : 200;

std::string text_of(const scenario& chosen) {
  return fmt::format("{} on {} PEs, mode {}, batch {}, nodes of {}, seed {}",
                     chosen.order == test::discipline::stack ? "stack" : "queue", chosen.pes,
                     static_cast<int>(chosen.mode), chosen.batch, chosen.node_size, chosen.seed);
}

TEST(stack_queue, narrow_histories_are_linearizable) {
  std::uint64_t operations = 0;
  std::uint64_t overlapping = 0;
  for (const std::uint64_t seed : test::seeds(k_seeds)) {
    const scenario chosen = test::scenario_of(seed);
    const auto recorded = test::record(test::simulated_job_of(chosen), chosen);
    EXPECT_LE(test::width(recorded), 4u);
    EXPECT_TRUE(test::exactly_linearizable(chosen.order, recorded)) << text_of(chosen);
    EXPECT_TRUE(test::shows_no_bad_pattern(chosen.order, recorded)) << text_of(chosen);
    test::note(chosen.order, true, recorded);
    operations += recorded.size();
    overlapping += test::overlapping(recorded);
  }
  EXPECT_GE(2 * overlapping, operations);
  fmt::print("{} of {} operations overlap one of another PE\n", overlapping, operations);
}

TEST(stack_queue, wide_histories_are_linearizable) {
  for (const std::uint64_t seed : test::seeds(k_wide_seeds)) {
    scenario chosen = test::scenario_of(seed);
    chosen.clients = 24;
    chosen.operations = 12;
    const auto recorded = test::record(test::simulated_job_of(chosen), chosen);
    EXPECT_TRUE(test::shows_no_bad_pattern(chosen.order, recorded)) << text_of(chosen);
  }
}

/// Checks all modes of stacks and queues in jobs that are not simulated.
void expect_linearizable_in_parallel(pe_kind kind) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    scenario chosen = test::scenario_of(seed);
    chosen.operations = 10;
    const auto narrow = test::record(test::job_of(chosen.pes, kind), chosen);
    EXPECT_TRUE(test::exactly_linearizable(chosen.order, narrow)) << text_of(chosen);
    chosen.clients = 32;
    chosen.operations = 30;
    const auto wide = test::record(test::job_of(chosen.pes, kind), chosen);
    EXPECT_TRUE(test::shows_no_bad_pattern(chosen.order, wide)) << text_of(chosen);
  }
}

TEST(stack_queue, threads_are_linearizable) { expect_linearizable_in_parallel(pe_kind::thread); }

TEST(stack_queue, processes_are_linearizable) {
  if (!test::only_threads) expect_linearizable_in_parallel(pe_kind::process);
}

}  // namespace
