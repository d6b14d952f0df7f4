// Runs random_reservations_test.cpp with more seeds.

#include "event/random_reservations.hpp"

namespace {

TEST(many_random_reservations, are_held_as_they_should_be) {
  for (const std::uint64_t seed : atl::test::seeds(20'000))
    ASSERT_TRUE(atl::test::random_reservations_are_right(seed)) << "seed " << seed;
}

}  // namespace
