// Tests `atoll bench uts` as a user starts it.

#include "tests/app/shell.hpp"

#include <vector>

namespace atl::app {
namespace {

#ifdef ATOLL_SANITIZED
const std::vector<int> k_sizes = {3};
#else
const std::vector<int> k_sizes = {1, 2, 3};
#endif

TEST(uts_bench, finds_the_published_trees) {
  for (const std::string join : {"vertex", "whole"}) {
    const auto json = json_of("$p bench uts --tree T3 --pes 2 --trials 2 --verify --join " + join);
    EXPECT_EQ(json["verified"], true);
    EXPECT_EQ(json["parameters"]["tree"], "T3");
    EXPECT_EQ(json["parameters"]["join"], join);
    EXPECT_EQ(json["nodes"], 4112897);
    EXPECT_EQ(json["leaves"], 3599034);
    EXPECT_EQ(json["depth"], 1572);
    const auto& metrics = json["metrics"];
    EXPECT_EQ(metrics["rate"]["unit"], "nodes/s");
    EXPECT_EQ(metrics["rate"]["values"].size(), 2U);
    for (int trial = 0; trial < 2; ++trial) {
      const double seconds = metrics["seconds"]["values"][trial];
      const double traversals = metrics["traversals"]["values"][trial];
      EXPECT_GE(seconds, 1);
      EXPECT_NEAR(metrics["rate"]["values"][trial], traversals * 4112897 / seconds, 1);
    }
  }
}

TEST(uts_bench, says_how_many_reads_in_memory_are_remote) {
  for (const int pes : k_sizes) {
    const auto json = json_of("$p bench uts --tree T5 --in-memory --verify --trials 1 --pes " +
                              std::to_string(pes));
    EXPECT_EQ(json["verified"], true);
    EXPECT_EQ(json["parameters"]["in_memory"], true);
    const auto& metrics = json["metrics"];
    EXPECT_EQ(metrics["rate"]["unit"], "vertices/s");
    EXPECT_NEAR(metrics["share_of_remote_reads"]["median"], (pes - 1.0) / pes, 0.02);
    EXPECT_GE(metrics["bytes_peak"]["median"], 4147582 * 8);
  }
}

TEST(uts_bench, refuses_a_tree_larger_than_memory) {
  expect("$p bench uts --in-memory --tree T1L --memory-limit 100MiB", 2,
         "atoll: error: --in-memory: the vertices of T1L need 780 MiB, and "
         "--memory-limit allows 100 MiB");
}

TEST(uts_bench, does_not_claim_what_it_was_not_asked_to_verify) {
  EXPECT_EQ(json_of("$p bench uts --pes 1 --trials 1")["verified"], nullptr);
}

TEST(uts_bench, stands_beside_the_limit) {
  const auto result = shell("$p bench uts --tree T5 --pes 2 --trials 1 --compare");
  EXPECT_EQ(result.status, 0) << result.output;
  const bool measured = result.output.find("fraction of limit") != std::string::npos;
  const bool left_out = result.output.find("limit is left out") != std::string::npos;
  EXPECT_NE(measured, left_out) << result.output;
}

TEST(uts_bench, refuses_bad_input) {
  const auto refuses = [](const std::string& command, const std::string& line) {
    const auto result = shell(command);
    EXPECT_EQ(result.status, 2) << command;
    EXPECT_EQ(result.output, "atoll: error: " + line + "\n") << command;
  };
  refuses("$p bench uts --tree T6", "--tree: there is no tree \"T6\", did you mean T1?");
  refuses("$p bench uts --tree binomial", "--tree: there is no tree \"binomial\", see --help");
  refuses("$p bench uts --join edge", "--join: \"edge\" is neither vertex nor whole");
  refuses("$p bench uts --tre T1", "unknown flag --tre, did you mean --tree?");
}

}  // namespace
}  // namespace atl::app
