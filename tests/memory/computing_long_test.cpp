// A task may compute for minutes without being reported as a hang.

#include "support/captured_stderr.hpp"
#include "support/processor_time.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

using namespace atl;

namespace {

// The last PE computes for two minutes while the other PEs wait. The hang time-out has its default
// value. On a machine with two cores, each core has two PEs.
TEST(computing, for_two_minutes_is_no_hang) {
  const test::captured_stderr said;
  const auto compute = []() -> task<> {
    co_await call(pes() - 1, [] { test::compute_for(120'000'000'000); });
  };
  EXPECT_EQ(run_job(test::job_of(4), compute), 0);
  EXPECT_THAT(said.text(), testing::IsEmpty());
}

}  // namespace
