// Runs the shared-memory transport in every execution of small scenarios that C++20 allows. No
// wake-up may be lost, and every buffer must arrive complete.

#include "transport/litmus/scenario_names.hpp"

namespace atl::litmus {
namespace {

class shm_protocol : public testing::TestWithParam<scenario> {};

TEST_P(shm_protocol, holds_in_all_executions) {
  const verdict found = GetParam().explored({});
  EXPECT_EQ(found.failure, "");
  EXPECT_EQ(found.too_long, 0u);
  EXPECT_GT(found.complete, 0u);
  RecordProperty("executions", static_cast<int>(found.complete));
}

INSTANTIATE_TEST_SUITE_P(scenarios, shm_protocol, testing::ValuesIn(scenarios()),
                         test_name_of_scenario);

}  // namespace
}  // namespace atl::litmus
