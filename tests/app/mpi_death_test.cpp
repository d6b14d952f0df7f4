// If one process of a job under mpirun dies, all other processes of the job must end, even on other
// hosts. In these tests, the hosts of a job are different names of this machine. MPICH's mpiexec
// starts one proxy for each name.

#include "tests/app/mpi_job.hpp"

namespace atl::app {
namespace {

#ifndef ATOLL_SANITIZED  // Sanitizers would report faults of the MPI libraries.

/// Returns the beginning of a command line for two ranks.
std::string two_ranks(const std::string& library) {
  if (library == "mpich") return "mpiexec.mpich -launcher fork -hosts localhost:1,127.0.0.1:1 -n 2";
  return launcher_of(library).command + "2";
}

// Shell functions that check whether all processes of the job end within 10 seconds.
const std::string k_functions = k_functions_of_ranks + R"shell(
have_ended() {
  for i in $(seq 100); do [ -z "$(ranks)" ] && ! kill -0 $job && return; sleep 0.1; done 2> /dev/null
  echo these are left: $(ps -o pid=,args= -p $job $(ranks)); kill -9 $job $(ranks)
}
)shell";

/// Runs the shell command `accident` while all ranks of a job wait. In `accident`, $2 is the
/// process of the PE of `rank`. $1 is the PE's keeper, a process that reports how the PE ended.
/// Returns the status and the output of the job, and the processes that have not ended.
child_result job_in_which(const std::string& library, const std::string& way, int rank,
                          const std::string& accident) {
  return shell(fmt::format(
      "{} f=$(mktemp); touch $f.holds; "
      "{} $(dirname $p)/fault_hanging {} $f.holds --atoll-node-size 1 > $f 2>&1 & job=$!; "
      "until grep -q begun $f || ! kill -0 $job; do sleep 0.1; done; "
      "set -- $(of_rank {}); {}; have_ended; wait $job; status=$?; "
      "cat $f; rm $f $f.holds; exit $status",
      k_functions, two_ranks(library), way, rank, accident));
}

void expect_ended(const child_result& result, const std::string& words) {
  EXPECT_NE(result.status, 0) << result.output;
  EXPECT_EQ(result.output.find("these are left"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find(words), std::string::npos) << result.output;
}

class mpi_death : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!launcher_of(GetParam()).is_there()) GTEST_SKIP() << "no " << GetParam() << " here";
  }
};

TEST_P(mpi_death, of_a_pe_ends_the_ranks_of_all_hosts) {
  for (const int rank : {0, 1}) {
    const auto result = job_in_which(GetParam(), "slowly", rank, "kill -9 $2");
    expect_ended(result, fmt::format("atoll: PE {} was killed by signal 9 (Killed)", rank));
    EXPECT_EQ(result.status, 137) << result.output;
  }
}

TEST_P(mpi_death, of_a_pe_that_a_signal_told_to_end_does_so) {
  for (const std::string process : {"$1", "$2"})
    EXPECT_EQ(job_in_which(GetParam(), "slowly", 1, "kill -TERM " + process).status, 143);
}

TEST_P(mpi_death, of_a_pe_by_exit_does_so) {
  const auto result = job_in_which(GetParam(), "leaves-last", 1, ":");
  expect_ended(result, "atoll: PE 1 exited with status 7 before the end of the job");
  EXPECT_EQ(result.status, 7) << result.output;
}

TEST_P(mpi_death, of_a_keeper_does_so) {
  for (const int rank : {0, 1})
    expect_ended(job_in_which(GetParam(), "slowly", rank, "kill -9 $1"), "begun");
}

// Open MPI's mpirun starts the ranks of its host itself, so the parent of a keeper process is
// mpirun.
TEST_P(mpi_death, of_the_launcher_on_one_host_does_so) {
  for (const int rank : {0, 1})
    expect_ended(job_in_which(GetParam(), "slowly", rank, "kill -9 $(ps -o ppid= -p $1)"), "begun");
}

INSTANTIATE_TEST_SUITE_P(, mpi_death, testing::Values("openmpi", "mpich"),
                         [](const auto& of) { return of.param; });

#endif

}  // namespace
}  // namespace atl::app
