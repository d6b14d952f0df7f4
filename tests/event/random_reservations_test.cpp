// Tasks that hold a reservation must exclude other tasks as the mode of the reservation says, and
// every reservation must be free at the end. Each seed has a schedule of its own.

#include "event/random_reservations.hpp"

namespace {

TEST(random_reservations, are_held_as_they_should_be) {
  for (const std::uint64_t seed : atl::test::seeds(atl::test::sanitized ? 100 : 2000))
    ASSERT_TRUE(atl::test::random_reservations_are_right(seed)) << "seed " << seed;
}

}  // namespace
