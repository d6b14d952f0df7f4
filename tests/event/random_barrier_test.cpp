// The phases of random barriers must complete when a model says so. Each seed has a schedule of its
// own.

#include "event/barrier_program.hpp"

namespace {

TEST(random_barriers, complete_as_the_model_says) {
  for (const std::uint64_t seed : atl::test::seeds(atl::test::sanitized ? 50 : 1000))
    ASSERT_TRUE(atl::test::random_barrier_is_right(seed)) << "seed " << seed;
}

}  // namespace
