// Tests the program `atoll` under mpirun: its results, its traffic through MPI, and the flags that
// it refuses.

#include "graph/scratch_file.hpp"
#include "tests/app/answer_files.hpp"
#include "tests/app/mpi_job.hpp"

namespace atl::app {
namespace {

#ifndef ATOLL_SANITIZED  // Sanitizers would report faults of the MPI libraries.

class mpi_kernels : public testing::TestWithParam<mpi_case> {};

TEST_P(mpi_kernels, are_right) { expect_right(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    , mpi_kernels,
    testing::Values(
        mpi_case{"openmpi", 1, "1", "auto", k_gups}, mpi_case{"openmpi", 3, "1", "direct", k_gups},
        mpi_case{"openmpi", 4, "2", "off", k_bfs}, mpi_case{"openmpi", 3, "auto", "auto", k_bfs},
        mpi_case{"openmpi", 2, "1", "auto", k_uts}, mpi_case{"openmpi", 3, "1", "direct", k_cc},
        mpi_case{"openmpi", 3, "1", "auto", k_mst}, mpi_case{"openmpi", 4, "2", "auto", k_pagerank},
        mpi_case{"mpich", 4, "2", "auto", k_cc}, mpi_case{"mpich", 4, "2", "auto", k_mst},
        mpi_case{"openmpi", 3, "1", "auto", k_sort}, mpi_case{"mpich", 4, "2", "auto", k_sort},
        mpi_case{"mpich", 3, "2", "node", k_gups}, mpi_case{"mpich", 2, "1", "off", k_gups},
        mpi_case{"mpich", 4, "2", "grid", k_bfs}, mpi_case{"mpich", 2, "auto", "auto", k_gups},
        mpi_case{"mpich", 3, "1", "auto", k_pagerank}),
    [](const auto& of) { return name_of(of.param); });

class mpi_start : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!launcher_of(GetParam()).is_there()) GTEST_SKIP() << "no " << GetParam() << " here";
  }

  /// Runs a benchmark with `ranks` ranks and the flags `flags`, and returns its output.
  static child_result start(int ranks, const std::string& flags) {
    return shell(fmt::format("timeout 200 {}{} $p bench gups --log2-table 8 --trials 1 {}",
                             launcher_of(GetParam()).command, ranks, flags));
  }

  static void expect_refused(const child_result& result, const std::string& why) {
    EXPECT_EQ(result.status, 2) << result.output;
    EXPECT_NE(result.output.find(why), std::string::npos) << result.output;
  }
};

TEST_P(mpi_start, refuses_what_the_launcher_decides) {
  expect_refused(start(2, "--pes 2"), "--pes: ");
  expect_refused(start(2, "--transport shm"), "--transport shm: ");
  expect_refused(start(2, "--pe-kind thread"), "--pe-kind thread: here each PE is a rank");
}

TEST_P(mpi_start, names_the_way_out_without_a_plug_in) {
  expect_refused(start(2, "--mpi-plugin /none.so"), "(--mpi-plugin)");
}

TEST_P(mpi_start, refuses_the_library_of_another_launcher) {
  const std::string other = GetParam() == "mpich" ? "openmpi" : "mpich";
  if (!launcher_of(other).is_there()) GTEST_SKIP() << "no " << other << " here";
  expect_refused(start(2, "--mpi " + other), "found each of them alone");
}

TEST_P(mpi_start, refuses_ranks_of_other_settings) {
  expect_refused(start(1, "--seed 1 : -n 1 $p bench gups --log2-table 8 --trials 1 --seed 2"),
                 "rank 1 has another --seed than rank 0 (there: 1)");
}

TEST_P(mpi_start, names_the_first_error_of_a_file_of_keys_once) {
  const scratch_folder folder;
  std::string text;
  for (int line = 1; line <= 90; ++line) text += line == 50 || line == 80 ? "x\n" : "1\n";
  const auto wrong = folder.file("wrong.txt", text);
  const auto result =
      shell(fmt::format("timeout 200 {}3 $p sort {}", launcher_of(GetParam()).command, wrong));
  expect_refused(result, wrong + ":50:1: expected an integer");
  EXPECT_EQ(result.output.find("error: "), result.output.rfind("error: ")) << result.output;
}

TEST_P(mpi_start, refuses_ranks_of_another_program) {
  const scratch_folder folder;
  const auto other = folder.path("other"), graph = folder.file("a.el", "0 1\n");
  shell("cp $p " + other + " && echo >> " + other);
  expect_refused(shell(fmt::format("timeout 200 {}1 $p cc {} : -n 1 {} cc {}",
                                   launcher_of(GetParam()).command, graph, other, graph)),
                 "rank 1 runs another program than rank 0: " + other);
}

TEST_P(mpi_start, says_what_it_ran_on) {
  const auto result = start(3, "--json - 2>/dev/null");
  const auto json = nlohmann::json::parse(result.output, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << result.output;
  EXPECT_EQ(json["parameters"]["pes"], 3);
  EXPECT_EQ(json["host"]["transport"], "mpi");
}

TEST_P(mpi_start, has_its_output_written_by_rank_0_alone) {
  const scratch_folder folder;
  const auto launched = "timeout 200 " + launcher_of(GetParam()).command;
  const auto labelled = " $p cc " + folder.file("a.el", "0 2\n2 5\n4 3\n") + " --output ";
  const auto path = folder.path("a.csv");
  const auto result = shell(launched + "3" + labelled + path + " --node-size 1");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(content_of(path), "vertex,label\n0,0\n1,1\n2,0\n3,3\n4,3\n5,0\n");
  EXPECT_EQ(folder.files(), 2U);
  const auto refused = shell(launched + "2" + labelled + folder.path("none/a.csv"));
  const std::string complaint = "error: --output: ";
  expect_refused(refused, complaint);
  EXPECT_EQ(refused.output.find(complaint), refused.output.rfind(complaint)) << refused.output;
}

TEST_P(mpi_start, gives_the_answers_of_one_machine) {
  const answer_files files;
  const auto launched = "timeout 200 " + launcher_of(GetParam()).command;
  for (const auto& [ranks, node_size] : {std::pair{"2", "1"}, {"3", "auto"}, {"5", "2"}})
    files.expect_right(launched + ranks, std::string("--node-size ") + node_size);
}

TEST_P(mpi_start, passes_on_what_the_program_has_changed) {
  const auto result = shell(fmt::format(
      "timeout 200 {}3 $p bench stack --operations 12288 --alone --trials 1 --json - 2>/dev/null",
      launcher_of(GetParam()).command));
  const auto json = nlohmann::json::parse(result.output, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << result.output;
  std::uint64_t commits = 0;
  for (const auto& size : json["batch_sizes"]) commits += size.get<std::uint64_t>();
  EXPECT_NEAR(static_cast<double>(commits) *
                  json["metrics"]["operations_per_commit"]["median"].get<double>(),
              12288, 1);
}

TEST_P(mpi_start, ends_a_hang_with_a_report) {
  for (const std::string node_size : {"1", "2", "auto"}) {
    const auto result = shell(fmt::format(
        "timeout 200 {}3 $(dirname $p)/fault_hanging --atoll-hang-timeout 2s --atoll-node-size {}",
        launcher_of(GetParam()).command, node_size));
    EXPECT_EQ(result.status, 3) << result.output;
    EXPECT_NE(result.output.find("3 tasks on PEs 0-2 wait at hanging.cpp:"), std::string::npos)
        << result.output;
  }
}

TEST_P(mpi_start, ends_when_one_rank_ends_before_mpi) {
  const std::string others = " : -n 2 $p bench gups --log2-table 8 --trials 1";
  expect_refused(start(1, "--wrong-flag" + others), "unknown flag --wrong-flag");
  expect_refused(start(1, "--mpi-plugin /none.so" + others), "(--mpi-plugin)");
  expect_refused(shell(fmt::format("timeout 200 {}1 env ATOLL_SEED=x $p bench gups{}",
                                   launcher_of(GetParam()).command, others)),
                 "ATOLL_SEED: ");
}

TEST_P(mpi_start, does_not_wait_for_ever_for_a_rank_that_never_comes) {
  const auto result = shell(
      fmt::format("timeout 200 {}1 true : -n 2 $p bench gups --log2-table 8 --start-timeout 1s",
                  launcher_of(GetParam()).command));
  expect_refused(result, ": the other ranks have not all started within 1 s; one of them may have "
                         "ended before it began MPI (--start-timeout)");
}

TEST_P(mpi_start, answers_a_question_and_goes_on) {
  for (const std::string node_size : {"1", "auto"}) {
    const auto result = shell(fmt::format(
        "f=$(mktemp); touch $f.holds; "
        "timeout 200 {}3 $(dirname $p)/fault_hanging slowly $f.holds --atoll-node-size {} "
        "> $f 2>&1 & job=$!; until grep -q begun $f || ! kill -0 $job; do sleep 0.1; done; "
        "kill -USR1 $(ps -o pid= --ppid $job | head -1); "
        "until grep -q SIGUSR1 $f || ! kill -0 $job; do sleep 0.1; done; "
        "rm $f.holds; wait $job; status=$?; cat $f; rm $f; exit $status",
        launcher_of(GetParam()).command, node_size));
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_NE(result.output.find("atoll: who waits where (SIGUSR1)"), std::string::npos)
        << result.output;
  }
}

INSTANTIATE_TEST_SUITE_P(, mpi_start, testing::Values("openmpi", "mpich"),
                         [](const auto& of) { return of.param; });

TEST(mpi_start_without, a_launcher_is_refused) {
  expect("$p bench gups --transport mpi", 2, "start it as mpirun -n N PROGRAM");
}

#endif

}  // namespace
}  // namespace atl::app
