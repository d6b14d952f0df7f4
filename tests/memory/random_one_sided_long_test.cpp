// Runs random_one_sided_test.cpp with more seeds.

#include "memory/one_sided_programs/checking.hpp"

using namespace atl;

namespace {

TEST(many_random_one_sided_programs, return_what_is_allowed) {
  for (const std::uint64_t seed : test::seeds(5000))
    ASSERT_TRUE(test::access::is_right_simulated(seed)) << "seed " << seed;
}

class many_random_one_sided_programs_on : public test::on_pes {};

TEST_P(many_random_one_sided_programs_on, pes_return_what_is_allowed) {
  constexpr std::size_t k_of_job = 50;
  std::vector<std::uint64_t> left = test::seeds(1000);
  while (!left.empty()) {
    const test::watch_dog dog;
    const auto first = left.end() - static_cast<std::ptrdiff_t>(std::min(k_of_job, left.size()));
    ASSERT_TRUE(test::access::are_right(options, {first, left.end()}));
    left.erase(first, left.end());
  }
}

ATOLL_RUN_IN_PARALLEL_ON(many_random_one_sided_programs_on, 2, 3, 8);

}  // namespace
