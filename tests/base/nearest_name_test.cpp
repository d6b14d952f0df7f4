#include "atoll/settings.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace atl {
namespace {

const std::vector<std::string> flags{"--pes",  "--pe-kind", "--workers", "--verify",
                                     "--json", "--trials",  "--metrics"};

TEST(nearest_name, finds_a_slip_of_the_fingers) {
  EXPECT_EQ(nearest_name("--worker", flags), "--workers");
  EXPECT_EQ(nearest_name("--wrokers", flags), "--workers");
  EXPECT_EQ(nearest_name("--verifi", flags), "--verify");
  EXPECT_EQ(nearest_name("--pekind", flags), "--pe-kind");
  EXPECT_EQ(nearest_name("--metric", flags), "--metrics");
}

TEST(nearest_name, prefers_the_nearest) {
  EXPECT_EQ(nearest_name("--pess", flags), "--pes");
  EXPECT_EQ(nearest_name("--pes", flags), "--pes");
}

TEST(nearest_name, completes_a_beginning) {
  EXPECT_EQ(nearest_name("--wor", flags), "--workers");
  EXPECT_EQ(nearest_name("--", flags), "");
}

TEST(nearest_name, says_nothing_when_nothing_is_near) {
  EXPECT_EQ(nearest_name("--rhubarb", flags), "");
  EXPECT_EQ(nearest_name("", flags), "");
  EXPECT_EQ(nearest_name("--pes", {}), "");
}

}  // namespace
}  // namespace atl
