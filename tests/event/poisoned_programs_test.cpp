// In a chain of a thousand links, a link in the middle half fails. In merges of up to a thousand
// events, random events are poisoned. Every event must end as the model says, and no event may be
// left in memory.

#include "event/model/checking.hpp"

namespace {

TEST(poisoned_programs, end_as_the_model_says) {
  for (const std::uint64_t seed : atl::test::seeds(atl::test::sanitized ? 10 : 300))
    ASSERT_TRUE(atl::test::poisoned_program_is_right(seed)) << "seed " << seed;
}

}  // namespace
