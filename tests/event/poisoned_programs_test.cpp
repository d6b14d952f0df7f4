// Chains of a thousand events and merges of a thousand, with a poison in the middle that comes at
// any time: all that waits ends, with one of the first errors, and nothing is left.

#include "event/model/checking.hpp"

namespace {

TEST(poisoned_programs, end_as_the_model_says) {
  for (const std::uint64_t seed : atl::test::seeds(atl::test::sanitized ? 10 : 300))
    ASSERT_TRUE(atl::test::poisoned_program_is_right(seed)) << "seed " << seed;
}

}  // namespace
