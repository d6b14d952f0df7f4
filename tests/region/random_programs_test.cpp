// Random programs of copies, fills and reductions between region instances have the results that a
// model predicts. Each seed has a schedule of its own. Jobs of threads have a different schedule
// each time, and run under a thread sanitizer too.

#include "region/model/checking.hpp"

namespace {

TEST(random_region_programs, end_as_the_model_says) {
  for (const std::uint64_t seed : atl::test::seeds(atl::test::sanitized ? 40 : 2000))
    ASSERT_TRUE(atl::test::random_region_program_is_right(seed)) << "seed " << seed;
}

TEST(random_region_programs, end_as_the_model_says_in_threads) {
  for (const std::uint64_t seed : atl::test::seeds(atl::test::sanitized ? 15 : 150)) {
    const atl::test::watch_dog dog;
    ASSERT_TRUE(atl::test::random_region_program_is_right(seed, atl::test::wires::threads))
        << "seed " << seed;
  }
}

}  // namespace
