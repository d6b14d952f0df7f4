// For each planted fault in the hash tables, one of 1,000 simulated schedules must have a history
// that is not linearizable.

#include "linearizability/hash_recording.hpp"
#include "mutants/first_seed.hpp"

using namespace atl;
using mutants::fault;

namespace {

constexpr std::uint64_t k_hash_seeds = 1000;

template <class Uses>
bool is_right(std::uint64_t seed) {
  const test::hash_scenario chosen = test::hash_scenario_of(seed);
  const auto split =
      test::histories_of<Uses>(test::simulated_job_of(chosen.pes, chosen.seed), chosen);
  return std::ranges::all_of(
      split, [](const auto& of_key) { return test::linearizable_for_its_key(of_key); });
}

template <class Uses>
void expect_found(fault built_in) {
  const auto seed = test::first_seed_that_fails(built_in, k_hash_seeds, is_right<Uses>);
  EXPECT_GT(seed, 0u) << "no schedule of " << k_hash_seeds << " shows the fault";
  fmt::print("found by seed {}\n", seed);
}

TEST(hash_mutant, none_fails_nowhere) {
  const std::uint64_t most = test::sanitized ? 30 : 200;
  EXPECT_EQ(test::first_seed_that_fails(fault::none, most, is_right<test::number_map_uses>), 0u);
  EXPECT_EQ(test::first_seed_that_fails(fault::none, most, is_right<test::set_uses>), 0u);
}

TEST(hash_mutant, an_insert_answered_before_its_equal_has_landed_is_found) {
  expect_found<test::set_uses>(fault::early_duplicate);
  expect_found<test::number_map_uses>(fault::early_duplicate);
  expect_found<test::string_map_uses>(fault::early_duplicate);
}

}  // namespace
