// In the model of a cluster, the time of a kernel must be the time of the work that the kernel has
// counted.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <fstream>

namespace atl::reproduction {
namespace {

using namespace app;

const std::string k_thesis = "$papers mst --kind web --scale 10 --filter off --local rounds";
const std::string k_usual = "$p bench mst --kind web --scale 10";

const std::string k_keys = "$p bench sort --keys 50000 --bits 20";
const std::string k_ranks = "$p bench pagerank --scale 10";
const std::string k_delegates = "$papers sort --keys 50000 --bits 20";
const std::string k_plain = "$papers pagerank --scale 10";

class cluster_work : public testing::Test {
 protected:
  nlohmann::json run(const std::string& command, int pes, const std::string& counter,
                     double microseconds) const {
    const auto prices = folder_.file(
        "prices.json", fmt::format(R"({{"prices": {{"{}": {}}}}})", counter, 1e6 * microseconds));
    return json_of(fmt::format("{} --pes {} --transport sim --sim-model grappa2014 --sim-node-size "
                               "2 --trials 1 --sim-prices {} --metrics {}",
                               command, pes, prices, counters_file()));
  }
  double seconds(const std::string& command, int pes, const std::string& counter,
                 double microseconds) const {
    return run(command, pes, counter, microseconds)["metrics"]["seconds"]["median"];
  }
  /// Returns the sum of a counter over all PEs. Under the model, a command makes no untimed run
  /// first, so the counters contain only the timed run.
  double counted(const std::string& counter) const {
    return nlohmann::json::parse(std::ifstream(counters_file()))["counters"][counter]["total"];
  }

 private:
  std::string counters_file() const { return folder_.path("counters.json"); }

  scratch_folder folder_;
};

// For each counter of work on keys or ranks, a command that performs this work.
const std::vector<std::pair<std::string, std::string>> k_of_keys_and_ranks = {
    {"keys_counted", k_keys},
    {"keys_placed", k_keys},
    {"keys_counted", k_delegates},
    {"keys_appended", k_delegates},
    {"contributions_summed", k_ranks},
    {"contributions_combined", k_ranks},
    {"contributions_combined", k_plain},
    {"ranks_updated", k_ranks}};

// A single PE never waits for other PEs, so the time of the job is the time of all work.
TEST_F(cluster_work, takes_one_pe_its_count_times_its_price) {
  auto paid = k_of_keys_and_ranks;
  for (const char* counter : {"forest_edges_built", "forest_edges_scanned", "components_visited"})
    paid.emplace_back(counter, k_thesis);
  paid.emplace_back("forest_edges_sorted", k_usual);
  for (const auto& [counter, command] : paid) {
    const double once = seconds(command, 1, counter, 1);
    const double count = counted(counter);
    EXPECT_GT(count, 0) << counter;
    const double thrice = seconds(command, 1, counter, 3);
    EXPECT_NEAR((thrice - once) / 2e-6, count, 0.01 * count) << counter;
  }
}

// PEs wait for each other. The job takes at least the time of a PE's share of the work, and at most
// the time of all work.
TEST_F(cluster_work, takes_several_pes_a_part_of_it) {
  const int pes = 4;
  auto paid = k_of_keys_and_ranks;
  for (const char* counter :
       {"forest_edges_built", "forest_edges_scanned", "forest_edges_relabelled",
        "forest_edges_merged", "components_visited"})
    for (const char* exchange : {" --exchange one-sided", " --exchange two-sided"})
      paid.emplace_back(counter, k_thesis + exchange);
  for (const auto& [counter, command] : paid) {
    const double once = seconds(command, pes, counter, 1);
    const double count = counted(counter);
    const double more = (seconds(command, pes, counter, 3) - once) / 2e-6;
    EXPECT_GE(more, 0.99 * count / pes) << counter << ": " << command;
    EXPECT_LE(more, 1.01 * count) << counter << ": " << command;
  }
}

TEST_F(cluster_work, of_keys_is_each_key_once_a_step) {
  run(k_keys, 2, "keys_placed", 1);
  EXPECT_EQ(counted("keys_placed") / 50000,
            1 + 2);  // Each key is moved once, and sorted by 11 bits in two passes.
  run(k_delegates, 2, "keys_appended", 1);
  EXPECT_EQ(counted("keys_appended"), 50000);
}

TEST_F(cluster_work, of_an_exchange_is_its_calls) {
  const std::string two_sided = k_thesis + " --exchange two-sided --chunks ";
  run(two_sided + "1", 4, "tasks_started", 1);
  const double few = counted("exchange_calls");
  EXPECT_GT(few, 0);
  run(two_sided + "8", 4, "tasks_started", 1);
  // The same data is sent in eight pieces instead of one.
  EXPECT_GT(counted("exchange_calls"), 3 * few);
  run(k_thesis, 4, "tasks_started", 1);
  EXPECT_GT(counted("exchange_calls"), 0);
}

}  // namespace
}  // namespace atl::reproduction
