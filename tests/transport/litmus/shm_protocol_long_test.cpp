// Runs shm_protocol_test.cpp on scenarios with very many executions.

#include "transport/litmus/scenario_names.hpp"

namespace atl::litmus {
namespace {

class large_shm_protocol : public testing::TestWithParam<scenario> {};

TEST_P(large_shm_protocol, holds_in_all_executions) {
  const verdict found = GetParam().explored({});
  EXPECT_EQ(found.failure, "");
  EXPECT_EQ(found.too_long, 0u);
}

INSTANTIATE_TEST_SUITE_P(scenarios, large_shm_protocol, testing::ValuesIn(large_scenarios()),
                         test_name_of_scenario);

}  // namespace
}  // namespace atl::litmus
