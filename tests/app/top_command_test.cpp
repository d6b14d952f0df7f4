// Tests `atoll top` on a running job.

#include "tests/app/shell.hpp"

namespace atl::app {
namespace {

// A job that would run longer than the test.
const std::string k_job = "$p bench uts --tree T1 --trials 1000 --pes 2 "
                          ">/dev/null 2>&1 & job=$!; "
                          "until $p top $job --once --interval 300ms >out.$job 2>&1; do "
                          "  kill -0 $job || exit 9; sleep 0.1; done; ";
const std::string k_end = "kill $job; wait $job; cat out.$job; rm out.$job";

TEST(top, shows_the_pes_of_a_running_job) {
  const auto result = shell("cd ${TMPDIR:-/tmp}; " + k_job + k_end);
  EXPECT_NE(result.output.find("tasks/s"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("\n   0 "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("\n   1 "), std::string::npos) << result.output;
}

TEST(top, works_on_any_process_of_the_job) {
  const auto result = shell("cd ${TMPDIR:-/tmp}; " + k_job +
                            "until c=$(cat /proc/$job/task/$job/children) && [ -n \"$c\" ] && "
                            "$p top ${c%% *} --once --interval 50ms; do "
                            "  kill -0 $job || exit 9; sleep 0.1; done; " +
                            k_end);
  EXPECT_NE(result.output.find("\n   1 "), std::string::npos) << result.output;
}

TEST(top, ends_with_the_job) {
  const auto result = shell("cd ${TMPDIR:-/tmp}; " + k_job +
                            "rm out.$job; $p top $job --interval 100ms >out.$job 2>&1 & top=$!; "
                            "until grep -q tasks/s out.$job; do "
                            "  kill -0 $job && kill -0 $top || exit 9; sleep 0.1; done; "
                            "kill $job; wait $job; wait $top; status=$?; "
                            "cat out.$job; rm out.$job; exit $status");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("has ended"), std::string::npos) << result.output;
}

TEST(top, refuses_what_is_no_job) {
  expect("$p top $$ --once", 2, "runs no Atoll job");
  expect("$p top 4194304", 2, "there is no process 4194304");
  expect("$p top 0", 2, "PID: 0 is out of range");
  expect("$p top", 2, "PID");
}

TEST(top, says_that_a_process_may_not_be_looked_at) {
  const std::string nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups ";
  if (shell(nobody + "$p --version").status != 0)
    GTEST_SKIP() << "only root can become another user, who must be able to run the program";
  expect(nobody + "$p top 1 --once", 2, "belongs to another user");
}

}  // namespace
}  // namespace atl::app
