// Random programs of tasks, merges, copies, reservations and phase barriers must end as a model
// says. Each seed has a schedule of its own.

#include "event/model/checking.hpp"

namespace {

TEST(random_programs, end_as_the_model_says) {
  for (const std::uint64_t seed : atl::test::seeds(atl::test::sanitized ? 100 : 2000))
    ASSERT_TRUE(atl::test::random_program_is_right(seed)) << "seed " << seed;
}

}  // namespace
