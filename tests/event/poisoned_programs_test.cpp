// Chains and merges consist of a thousand events. At a random time, an event in the middle is
// poisoned. Every waiting event must end with an error that the model allows, and no event may be
// left in memory.

#include "event/model/checking.hpp"

namespace {

TEST(poisoned_programs, end_as_the_model_says) {
  for (const std::uint64_t seed : atl::test::seeds(atl::test::sanitized ? 10 : 300))
    ASSERT_TRUE(atl::test::poisoned_program_is_right(seed)) << "seed " << seed;
}

}  // namespace
