// For each planted fault in events, phase barriers and reservations, some random program must end
// otherwise than its model says, or not end at all.

#include "event/barrier_program.hpp"
#include "event/model/checking.hpp"
#include "event/random_reservations.hpp"
#include "event/release_order.hpp"
#include "mutants/first_seed.hpp"

using namespace atl;
using mutants::fault;

namespace {

constexpr std::uint64_t k_program_seeds = 300;

template <class IsRight>
void expect_found_by(const IsRight& is_right, fault built_in) {
  const std::uint64_t seed = test::first_seed_that_fails(built_in, k_program_seeds, is_right);
  EXPECT_GT(seed, 0u) << "no schedule of " << k_program_seeds << " shows the fault";
  fmt::print("found by seed {}\n", seed);
}

bool release_orders_in_part_are_right(std::uint64_t seed) {
  return test::release_orders_are_right(seed, 30'011, false);
}

TEST(event_mutant, none_fails_nowhere) {
  const std::uint64_t most = test::sanitized ? 30 : k_program_seeds;
  EXPECT_EQ(test::first_seed_that_fails(fault::none, most, test::random_program_is_right), 0u);
  EXPECT_EQ(test::first_seed_that_fails(fault::none, most, test::random_barrier_is_right), 0u);
  EXPECT_EQ(test::first_seed_that_fails(fault::none, most, test::random_reservations_are_right),
            0u);
  EXPECT_EQ(test::first_seed_that_fails(fault::none, 30, release_orders_in_part_are_right), 0u);
}

TEST(event_mutant, a_lost_subscription_is_found) {
  expect_found_by(test::random_program_is_right, fault::lost_subscription);
}

TEST(event_mutant, a_trigger_before_all_inputs_is_found) {
  expect_found_by(test::random_program_is_right, fault::early_merge);
}

TEST(event_mutant, a_generation_used_twice_is_found) {
  expect_found_by(test::random_program_is_right, fault::used_generation);
}

TEST(event_mutant, a_phase_that_ends_one_arrival_early_is_found) {
  expect_found_by(test::random_program_is_right, fault::early_phase);
  expect_found_by(test::random_barrier_is_right, fault::early_phase);
}

TEST(event_mutant, an_arrival_before_its_increase_is_found) {
  expect_found_by(test::random_barrier_is_right, fault::early_arrival);
}

TEST(event_mutant, a_second_grant_is_found) {
  expect_found_by(test::random_reservations_are_right, fault::double_grant);
}

TEST(event_mutant, a_release_before_its_hold_is_found) {
  expect_found_by(release_orders_in_part_are_right, fault::early_release);
}

}  // namespace
