#include "atoll/job/cores.hpp"

#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <unistd.h>

namespace atl::job {
namespace {

// Numbers of cores beyond those of any machine. No other test uses these numbers.
const int k_first = 100'000 + 4 * getpid();
const std::array<int, 3> k_cores{k_first, k_first + 1, k_first + 2};

TEST(core_claims, go_to_one_job_each) {
  const core_claims first(k_cores, 2);
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first.core_of(0), k_cores[0]);
  EXPECT_EQ(first.core_of(1), k_cores[1]);
  const core_claims second(k_cores, 1);
  ASSERT_FALSE(second.empty());
  EXPECT_EQ(second.core_of(0), k_cores[2]);
}

TEST(core_claims, are_all_or_none) {
  const core_claims first(k_cores, 2);
  EXPECT_TRUE(core_claims(k_cores, 2).empty());
  EXPECT_FALSE(core_claims(k_cores, 1).empty()) << "what could not be used was given back";
}

TEST(core_claims, end_with_their_job) {
  std::optional<core_claims> first(std::in_place, k_cores, 3);
  EXPECT_TRUE(core_claims(k_cores, 1).empty());
  first.reset();
  EXPECT_FALSE(core_claims(k_cores, 3).empty());
}

}  // namespace
}  // namespace atl::job
