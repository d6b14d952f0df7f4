// The report of waiting tasks must name each rank that is stopped or blocked, and the source line
// of the last task of this rank. The jobs run on one node and on several nodes.

#include "tests/app/mpi_job.hpp"

#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::ContainsRegex;

#ifndef ATOLL_SANITIZED  // Sanitizers would report faults of the MPI libraries.

class mpi_silent : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!launcher_of(GetParam()).is_there()) GTEST_SKIP() << "no " << GetParam() << " here";
  }

  /// Runs a job and the shell command `accident`. Asks for reports until a report says "does not
  /// answer", and then kills the job. Returns the output of the job.
  std::string said_by(int ranks, const std::string& node_size, const std::string& way,
                      const std::string& accident) {
    const auto result = shell(
        fmt::format("{} f=$(mktemp); touch $f.holds; asked() {{ for i in $(seq 600); do kill -0 "
                    "$job || return; "
                    "kill -USR1 $(of_rank 0); sleep 0.2; grep -q \"$1\" $f && return; done; }}; "
                    "timeout 200 {}{} $(dirname $p)/fault_hanging {} $f.holds --atoll-node-size {} "
                    "--atoll-hang-timeout 1000s > $f 2>&1 & job=$!; "
                    "until [ -n \"$(of_rank {})\" ] || ! kill -0 $job; do sleep 0.1; done; {}; "
                    "asked 'does not answer'; cat $f; kill -9 $(ranks); wait $job; rm $f $f.holds",
                    k_functions_of_ranks, launcher_of(GetParam()).command, ranks, way, node_size,
                    ranks - 1, accident));
    return result.output;
  }

  std::string said_by_stopped(int ranks, const std::string& node_size) {
    return said_by(ranks, node_size, "slowly",
                   fmt::format("until grep -q begun $f || ! kill -0 $job; do sleep 0.1; done; "
                               "asked 'tasks on PEs 0-{0}'; "
                               "set -- $(of_rank {0}); kill -STOP $2; sleep 0.6",
                               ranks - 1));
  }
};

TEST_P(mpi_silent, of_one_node_is_named_with_its_state_and_line) {
  EXPECT_THAT(said_by_stopped(3, "auto"),
              ContainsRegex("PE 2 does not answer: it is stopped; the last task it started came "
                            "from hanging.cpp:[0-9]+"));
  EXPECT_THAT(said_by(3, "auto", "blocked-last", "true"),
              ContainsRegex("PE 2 does not answer: it is blocked in a system call; the last task "
                            "it started came from hanging.cpp:[0-9]+"));
}

TEST_P(mpi_silent, of_another_node_is_named_with_the_line_it_has_told) {
  EXPECT_THAT(said_by_stopped(3, "1"),
              ContainsRegex("PE 2 does not answer: it computes, is stopped, or is blocked in a "
                            "system call; the last task that is known of it came from "
                            "hanging.cpp:[0-9]+"));
}

/// PE 3 is blocked in its first task and cannot report the task's source line itself. Another PE of
/// the same node reports the source line of PE 3's task.
TEST_P(mpi_silent, of_another_node_is_named_with_the_line_that_its_node_tells) {
  EXPECT_THAT(said_by(4, "2", "blocked-last", "true"),
              ContainsRegex("PE 3 does not answer: it computes, is stopped, or is blocked in a "
                            "system call; the last task that is known of it came from "
                            "hanging.cpp:[0-9]+"));
}

/// PE 0 shares a node with PE 1. PE 0 reads the state of PE 1 from shared memory, although the job
/// has other nodes.
TEST_P(mpi_silent, of_the_node_of_pe_0_is_named_with_its_state) {
  const std::string said = said_by(3, "2", "slowly",
                                   "until grep -q begun $f || ! kill -0 $job; do sleep 0.1; done; "
                                   "set -- $(of_rank 1); kill -STOP $2");
  EXPECT_THAT(said, ContainsRegex("PE 1 does not answer: it is stopped; the last task it started "
                                  "came from hanging.cpp:[0-9]+"));
}

INSTANTIATE_TEST_SUITE_P(, mpi_silent, testing::Values("openmpi", "mpich"),
                         [](const auto& of) { return of.param; });

#endif

}  // namespace
}  // namespace atl::app
