// Random programs of one-sided access must return results that OpenSHMEM allows. Under simulated
// schedules, puts arrive in pieces and in any order. The programs run on one node and on several
// nodes, with PEs as processes and as threads.

#include "memory/one_sided_programs/checking.hpp"

using namespace atl;

namespace {

TEST(random_one_sided_programs, return_what_is_allowed) {
  const std::uint64_t most = test::only_threads ? 10 : test::sanitized ? 60 : 300;
  for (const std::uint64_t seed : test::seeds(most))
    ASSERT_TRUE(test::access::is_right_simulated(seed)) << "seed " << seed;
}

// The programs contain data races on purpose, so they do not run under a thread sanitizer.
#ifndef ATOLL_TEST_ONLY_THREADS
class random_one_sided_programs_on : public test::on_pes {};

TEST_P(random_one_sided_programs_on, pes_return_what_is_allowed) {
  const test::watch_dog dog;
  EXPECT_TRUE(test::access::are_right(options, test::seeds(test::sanitized ? 15 : 50)));
}

ATOLL_RUN_IN_PARALLEL_ON(random_one_sided_programs_on, 2, 3, 8);
#endif

}  // namespace
