// During a job, the timer slack must be short, so that the sleeps of PEs end in time. After the
// job, the timer slack of the program's own thread must be as before.

#include "job/jobs.hpp"

#include <sys/prctl.h>

namespace atl::job {
namespace {

using timer_slack = jobs;

TEST_P(timer_slack, is_short_in_the_body_and_as_before_behind_it) {
  const int before = prctl(PR_GET_TIMERSLACK);
  if (before <= 1000) GTEST_SKIP() << "timers are this short here, or do not tell";
  const int status = run([](endpoint&) {
    require(prctl(PR_GET_TIMERSLACK) == 1000, "a PE sleeps longer than it asks to");
    return 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(prctl(PR_GET_TIMERSLACK), before);
}

ATOLL_INSTANTIATE(timer_slack, both_kinds, 1, 3);

}  // namespace
}  // namespace atl::job
