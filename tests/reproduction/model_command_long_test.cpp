// Measures the times of operations on this machine (prices), and gives them to the model of a
// cluster.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fstream>

namespace atl::reproduction {
namespace {

using namespace app;

TEST(model_prices, are_measured_and_taken_by_the_model) {
  const scratch_folder folder;
  const std::string file = folder.path("measured.json");
  const auto measured = shell("$papers model --trials 1 --json " + file);
  ASSERT_EQ(measured.status, 0) << measured.output;
  const auto prices = nlohmann::json::parse(std::ifstream(file))["prices"];
  EXPECT_GE(prices.size(), 20u);
  for (const auto& [name, value] : prices.items()) EXPECT_GE(value, 0) << name;
  for (const std::string name :
       {"memory_line", "tree_nodes_hashed", "messages_submitted", "context_switches",
        "requests_served", "local_overhead", "keys_counted", "keys_placed", "contributions_summed",
        "contributions_combined", "ranks_updated"})
    EXPECT_GT(prices.value(name, 0.0), 0) << name;
  EXPECT_LE(prices["second_level_line"], prices["memory_line"]);

  const auto modelled =
      json_of("$p bench gups --pes 2 --transport sim --sim-model grappa2014 --trials 1 "
              "--log2-table 10 --verify --sim-prices " +
              file);
  EXPECT_EQ(modelled["verified"], true);
}

TEST(model_prices, are_not_measured_on_the_simulator) {
  for (const std::string flags : {"--transport sim", "--pes 3"}) {
    const auto refused = shell("$papers model " + flags);
    EXPECT_EQ(refused.status, 2) << flags;
    EXPECT_NE(refused.output.find(flags), std::string::npos) << refused.output;
  }
}

}  // namespace
}  // namespace atl::reproduction
