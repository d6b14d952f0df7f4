// Chains and merges of a thousand events are poisoned in the middle, at any time. All events that
// wait end, each with one of the first errors, and nothing is left.

#include "event/model/checking.hpp"

namespace {

TEST(poisoned_programs, end_as_the_model_says) {
  for (const std::uint64_t seed : atl::test::seeds(atl::test::sanitized ? 10 : 300))
    ASSERT_TRUE(atl::test::poisoned_program_is_right(seed)) << "seed " << seed;
}

}  // namespace
