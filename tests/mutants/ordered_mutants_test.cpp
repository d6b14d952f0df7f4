// For each planted fault in combining, the stack or the queue, one of 1,000 simulated schedules
// must have a wrong history or an operation that never ends.

#include "linearizability/exact.hpp"
#include "linearizability/recording.hpp"
#include "mutants/first_seed.hpp"

using namespace atl;
using mutants::fault;
using test::discipline;

namespace {

constexpr std::uint64_t k_ordered_seeds = 1000;

bool is_right(discipline order, std::uint64_t seed) {
  test::scenario chosen = test::scenario_of(seed);
  chosen.order = order;
  const auto recorded = test::record(test::simulated_job_of(chosen), chosen);
  return test::exactly_linearizable(order, recorded);
}

/// Returns the first seed whose schedule has a wrong result, or 0 if no schedule has a wrong
/// result.
std::uint64_t first_seed_that_fails(fault built_in, discipline order,
                                    std::uint64_t most = k_ordered_seeds) {
  return test::first_seed_that_fails(built_in, most,
                                     [order](std::uint64_t seed) { return is_right(order, seed); });
}

void expect_found(fault built_in, discipline order) {
  const std::uint64_t seed = first_seed_that_fails(built_in, order);
  EXPECT_GT(seed, 0u) << "no schedule of " << k_ordered_seeds << " shows the fault";
  fmt::print("found by seed {}\n", seed);
}

TEST(ordered_mutant, none_fails_nowhere) {
  const std::uint64_t most = test::sanitized ? 30 : k_ordered_seeds;
  EXPECT_EQ(first_seed_that_fails(fault::none, discipline::stack, most), 0u);
  EXPECT_EQ(first_seed_that_fails(fault::none, discipline::queue, most), 0u);
}

TEST(ordered_mutant, a_pop_from_a_batch_under_commit_is_found) {
  expect_found(fault::stale_proxy, discipline::stack);
}

TEST(ordered_mutant, cells_reserved_twice_are_found_in_a_stack) {
  expect_found(fault::range_twice, discipline::stack);
}

TEST(ordered_mutant, cells_reserved_twice_are_found_in_a_queue) {
  expect_found(fault::range_twice, discipline::queue);
}

TEST(ordered_mutant, transfers_out_of_turn_are_found_in_a_stack) {
  expect_found(fault::out_of_turn, discipline::stack);
}

TEST(ordered_mutant, transfers_out_of_turn_are_found_in_a_queue) {
  expect_found(fault::out_of_turn, discipline::queue);
}

/// A PE that owns a part of the structure can lack memory for a transfer of elements. If a PE lacks
/// memory for a transfer, the transfer waits in a message instead of in the PE's memory.
TEST(ordered_mutant, transfers_that_an_owner_cannot_keep_are_done_in_their_turn) {
  const std::uint64_t most = test::sanitized ? 30 : k_ordered_seeds;
  EXPECT_EQ(first_seed_that_fails(fault::no_memory_to_wait, discipline::stack, most), 0u);
  EXPECT_EQ(first_seed_that_fails(fault::no_memory_to_wait, discipline::queue, most), 0u);
}

}  // namespace
