// Runs random_programs_test.cpp with more seeds.

#include "event/model/checking.hpp"

namespace {

TEST(many_random_programs, end_as_the_model_says) {
  for (const std::uint64_t seed : atl::test::seeds(20'000))
    ASSERT_TRUE(atl::test::random_program_is_right(seed)) << "seed " << seed;
}

}  // namespace
