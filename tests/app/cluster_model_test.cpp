// Kernels on the model of a cluster, as a user starts them.

#include "tests/app/shell.hpp"

namespace atl::app {
namespace {

const std::string k_cluster =
    " --pes 6 --transport sim --sim-model grappa2014 --sim-node-size 2 --trials 1";

double rate_of(const std::string& command) {
  return json_of("$p " + command + k_cluster)["metrics"]["rate"]["median"];
}

TEST(cluster_model, kernels_are_right_and_take_the_same_virtual_time_again) {
  for (const std::string kernel : {"gups --log2-table 8", "gups --log2-table 6 --aggregation off",
                                   "uts --tree T1", "bfs --scale 10 --roots 2"}) {
    const std::string command = "$p " + kernel + k_cluster + " --verify";
    const auto json = json_of(command);
    EXPECT_EQ(json["verified"], true) << kernel;
    EXPECT_EQ(json["host"]["transport"], "sim") << kernel;
    EXPECT_GT(json["metrics"]["seconds"]["median"], 0) << kernel;
    const auto again = json_of(command + " --sim-seed 7");
    for (const std::string metric : {"rate", "seconds"})  // and not the memory, which is real
      EXPECT_EQ(again["metrics"][metric], json["metrics"][metric]) << kernel;
  }
}

TEST(cluster_model, declared_work_takes_time) {
  EXPECT_LT(rate_of("uts --tree T1 --sim-vary tree_nodes_hashed=2"),
            0.6 * rate_of("uts --tree T1"));
  const std::string slow_lines = " --sim-vary second_level_line=100";
  EXPECT_LT(rate_of("bfs --scale 10" + slow_lines), rate_of("bfs --scale 10"));
  EXPECT_LT(rate_of("gups --log2-table 8" + slow_lines), rate_of("gups --log2-table 8"));
}

TEST(cluster_model, aggregation_pays_between_nodes) {
  EXPECT_GT(rate_of("gups --log2-table 10"), 5 * rate_of("gups --log2-table 10 --aggregation off"));
}

TEST(cluster_model, every_pe_has_a_core) {
  const auto metrics = json_of("$p gups --log2-table 8" + k_cluster)["metrics"];
  const double rate = metrics["rate"]["median"];
  EXPECT_DOUBLE_EQ(metrics["rate_per_core"]["median"], rate / 6);
}

TEST(cluster_model, a_wrong_parameter_is_refused) {
  const auto result = shell("$p gups --sim-vary latenzy=2" + k_cluster);
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find("sim-vary: the model has no parameter latenzy"), std::string::npos)
      << result.output;
}

}  // namespace
}  // namespace atl::app
