// Tests kernels on the simulated cluster, as a user starts them.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <map>

namespace atl::app {
namespace {

double rate_of(const std::string& command) {
  return json_of("$p bench " + command + k_cluster)["metrics"]["rate"]["median"];
}

TEST(cluster_model, kernels_are_right_and_take_the_same_virtual_time_again) {
  for (const std::string kernel :
       {"$p bench gups --log2-table 8", "$p bench gups --log2-table 6 --aggregation off",
        "$p bench uts --tree T1", "$p bench bfs --scale 10 --roots 2", "$p bench mst --scale 10",
        "$p bench pagerank --scale 10", "$p bench sort --class S"})
    expect_same_virtual_time(kernel);
}

TEST(cluster_model, declared_work_takes_time) {
  EXPECT_LT(rate_of("uts --tree T1 --sim-vary tree_nodes_hashed=2"),
            0.6 * rate_of("uts --tree T1"));
  const std::string slow_lines = " --sim-vary second_level_line=100";
  EXPECT_LT(rate_of("bfs --scale 10" + slow_lines), rate_of("bfs --scale 10"));
  EXPECT_LT(rate_of("gups --log2-table 8" + slow_lines), rate_of("gups --log2-table 8"));
  EXPECT_LT(rate_of("bfs --scale 12 --sim-vary edges_scanned=100"),
            0.5 * rate_of("bfs --scale 12"));
  EXPECT_LT(rate_of("sort --class S --sim-vary keys_placed=1000"), 0.5 * rate_of("sort --class S"));
  EXPECT_LT(rate_of("pagerank --scale 10 --sim-vary contributions_summed=1000"),
            0.5 * rate_of("pagerank --scale 10"));
  EXPECT_LT(rate_of("gups --log2-table 12 --sim-vary messages_executed=50"),
            0.5 * rate_of("gups --log2-table 12"));
}

TEST(cluster_model, aggregation_pays_between_nodes) {
  EXPECT_GT(rate_of("gups --log2-table 10"), 5 * rate_of("gups --log2-table 10 --aggregation off"));
}

// PEs that relay messages and wait for each other's acknowledgements must not deadlock.
TEST(cluster_model, relays_messages_through_small_buffers) {
  const std::vector<std::string> shapes = {
#ifndef ATOLL_SANITIZED
      "--pes 1040 --sim-node-size 16",
#endif
      "--pes 8 --sim-node-size 2", "--pes 48 --sim-node-size 2"};
  for (const std::string& shape : shapes) {
    const auto json = json_of("$p bench gups --log2-table 7 --verify --transport sim --sim-model "
                              "grappa2014 --routing node --buffer-size 1KiB --trials 1 " +
                              shape);
    EXPECT_EQ(json["verified"], true) << shape;
  }
}

#ifndef ATOLL_SANITIZED  // With a sanitizer, the job would need too much memory.

// A job of a thousand PEs with a graph must fit into the memory of this machine. Each PE must
// therefore store little for each other PE, and little about the whole graph.
TEST(cluster_model, a_graph_over_many_pes_takes_little_memory_of_each) {
  const double pes = 256;
  const auto metrics = json_of("$p bench bfs --scale 13 --roots 1 --pes 256 --huge-pages off "
                               "--transport sim --sim-model grappa2014 --trials 1")["metrics"];
  EXPECT_LT(metrics["bytes_peak"]["median"], pes * 1.4e6);
  EXPECT_GT(metrics["bytes_peak"]["median"], pes * 1e5);
}

#endif

// Each PE of the ring falls asleep while the trigger visits the other PEs. If PEs slept longer than
// necessary, a trip around the ring would take longer.
TEST(cluster_model, pes_that_have_napped_do_not_keep_a_ring_slow) {
  const auto metrics =
      json_of("$p bench event-latency --events 2000 --pes 8 --transport sim --sim-model grappa2014 "
              "--sim-node-size 1 --trials 1")["metrics"];
  // Nanoseconds of simulated time.
  EXPECT_LT(metrics["nanoseconds_per_trigger"]["median"], 20'000);
}

TEST(cluster_model, every_pe_has_a_core) {
  const auto metrics = json_of("$p bench gups --log2-table 8" + k_cluster)["metrics"];
  const double rate = metrics["rate"]["median"];
  EXPECT_DOUBLE_EQ(metrics["rate_per_core"]["median"], rate / 6);
}

class prices_in_file : public testing::Test {
 protected:
  std::string price_file(const std::string& content) const {
    return folder_.file("prices.json", content);
  }

 private:
  scratch_folder folder_;
};

TEST_F(prices_in_file, are_used_and_factors_go_upon_them) {
  const std::string usual = "uts --tree T1";
  const auto hash_costs = [&](const std::string& picoseconds) {
    return " --sim-prices " +
           price_file(R"({"prices": {"tree_nodes_hashed": )" + picoseconds + "}}");
  };
  EXPECT_DOUBLE_EQ(rate_of(usual + hash_costs("27000")), rate_of(usual));
  EXPECT_LT(rate_of(usual + hash_costs("540000.0")), 0.2 * rate_of(usual));
  EXPECT_DOUBLE_EQ(rate_of(usual + hash_costs("54000")),
                   rate_of(usual + hash_costs("27000") + " --sim-vary tree_nodes_hashed=2"));
}

// All PEs share one core, so the accesses of each PE to its own memory take time from the others.
TEST_F(prices_in_file, every_pe_pays_for_its_own_memory) {
  const std::string prices =
      price_file(R"({"prices": {"shared_cores": 1, "second_level": 0, "third_level": 0}})");
  const std::string usual = "gups --log2-table 12 --sim-prices " + prices;
  EXPECT_LT(rate_of(usual + " --sim-vary memory_line=50"), 0.06 * rate_of(usual));
}

TEST_F(prices_in_file, looks_that_take_no_time_are_no_standstill) {
  const std::string prices = price_file(
      R"({"prices": {"look": 0, "clock": 0, "far_look": 0, "yield": 0, "waking": 0,
                     "scheduler_rounds": 0}})");
  EXPECT_GT(rate_of("gups --log2-table 6 --sim-prices " + prices), 0);
}

TEST_F(prices_in_file, a_wrong_file_of_prices_is_refused) {
  const std::map<std::string, std::string> wrong = {
      {R"({"prices": {"hash": 3}})", "the model has no parameter hash, only "},
      {R"({"prices": {"gap": -3}})", "gap: -3 is no number between 0 and 1e+12"},
      {R"({"prices": {"gap": "3"}})", "gap: \"3\" is no number"},
      {R"({"prices": 3})", "there is no object \"prices\""},
      {"[]", "there is no object \"prices\""},
      {"{\n  \"prices\": }", "line 2, column 13"},
      {"", "line 1, column 1"}};
  for (const auto& [content, complaint] : wrong) {
    const auto result = shell("$p bench gups --sim-prices " + price_file(content) + k_cluster);
    EXPECT_EQ(result.status, 2) << content;
    EXPECT_NE(result.output.find("sim-prices: "), std::string::npos) << result.output;
    EXPECT_NE(result.output.find(complaint), std::string::npos) << result.output;
  }
  const auto missing = shell("$p bench gups --sim-prices /no/such/file" + k_cluster);
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.output.find("cannot open /no/such/file: No such file"), std::string::npos);
  const auto without_model = shell("$p bench gups --sim-prices /no/such/file --pes 1");
  EXPECT_NE(without_model.output.find("has no effect"), std::string::npos);
}

TEST(cluster_model, a_wrong_parameter_is_refused) {
  const auto result = shell("$p bench gups --sim-vary latenzy=2" + k_cluster);
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find("sim-vary: the model has no parameter latenzy"), std::string::npos)
      << result.output;
  const auto absurd = shell("$p bench gups --sim-vary latency=1000000" + k_cluster);
  EXPECT_EQ(absurd.status, 2);
  EXPECT_NE(absurd.output.find("latency=1000000 makes 1.3e+12, more than 1e+12"), std::string::npos)
      << absurd.output;
}

}  // namespace
}  // namespace atl::app
