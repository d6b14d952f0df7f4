// For each planted fault in one-sided access, some random program must return results that
// OpenSHMEM does not allow.

#include "memory/one_sided_programs/checking.hpp"
#include "mutants/first_seed.hpp"

using namespace atl;
using mutants::fault;

namespace {

constexpr std::uint64_t k_access_seeds = 300;

void expect_found_by_access(fault built_in) {
  const std::uint64_t seed =
      test::first_seed_that_fails(built_in, k_access_seeds, test::access::is_right_simulated);
  EXPECT_GT(seed, 0u) << "no schedule of " << k_access_seeds << " shows the fault";
  fmt::print("found by seed {}\n", seed);
}

TEST(one_sided_mutant, none_fails_nowhere) {
  const std::uint64_t most = test::sanitized ? 30 : k_access_seeds;
  EXPECT_EQ(test::first_seed_that_fails(fault::none, most, test::access::is_right_simulated), 0u);
}

TEST(one_sided_mutant, a_quiet_that_does_not_wait_is_found) {
  expect_found_by_access(fault::lost_quiet);
}

TEST(one_sided_mutant, a_fence_that_orders_nothing_is_found) {
  expect_found_by_access(fault::lost_fence);
}

TEST(one_sided_mutant, an_atomic_operation_in_two_steps_is_found) {
  expect_found_by_access(fault::split_atomic);
}

}  // namespace
