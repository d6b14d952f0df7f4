// Tests `atoll mst` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text_of(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

class mst_command : public testing::Test {
 protected:
  // Writes a file with two components. One component is a square with a diagonal, with doubled and
  // reversed edges and a loop. Weights may be negative. Edges of equal weight are ordered by their
  // endpoints.
  std::string square() const {
    return folder_.file("square.wel",
                        "0 1 -5\n1 0 9\n1 2 4\n2 3 4\n3 0 4\n2 0 7\n2 2 -100\n5 6 0\n");
  }

  scratch_folder folder_;
};

TEST_F(mst_command, says_in_a_few_lines_what_it_found) {
  const auto result = shell("$p mst " + square() + " --pes 3");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr(folder_.path("square.wel") + ": 7 vertices, 8 edges"));
  EXPECT_THAT(result.output, HasSubstr("minimum spanning forest: weight 3, 4 edges, 3 trees\n"));
  for (const char* measured : {"edges/s", "rate", "trials", "verified", "one-sided"})
    EXPECT_THAT(result.output, Not(HasSubstr(measured)));
  EXPECT_LE(std::ranges::count(result.output, '\n'), 6);
}

TEST_F(mst_command, has_the_json_of_a_forest_without_rates) {
  const auto json = json_of("$p mst " + square() + " --pes 2");
  EXPECT_EQ(json["name"], "mst");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["forest_edges"], 4);
  EXPECT_EQ(json["forest_weight"], "3");
  EXPECT_GT(json["bytes_peak"], 0);
  EXPECT_FALSE(json["parameters"].contains("trials"));
  for (const char* metric : {"seconds", "read_seconds"})
    EXPECT_EQ(json["metrics"][metric]["values"].size(), 1U) << metric;
  for (const char* metric : {"rate", "rate_per_core"})
    EXPECT_FALSE(json["metrics"].contains(metric)) << metric;
}

TEST_F(mst_command, numbers_ids_that_are_far_apart_without_gaps) {
  const auto far = folder_.file("far.wel", "0 281474976710655 5\n1 281474976710655 7\n0 1 9\n");
  for (const int pes : {1, 2, 3})
    expect(fmt::format("$p mst {} --compact --verify --pes {}", far, pes), 0,
           "minimum spanning forest: weight 12, 2 edges, 1 tree\n");
}

TEST_F(mst_command, takes_the_weights_of_a_file_and_writes_the_forest) {
  for (const int pes : {1, 3}) {
    const auto output = folder_.path("forest.wel");
    const auto json =
        json_of(fmt::format("$p mst {} --pes {} --verify --output {}", square(), pes, output));
    EXPECT_EQ(json["graph"]["weights"], "file");
    EXPECT_EQ(json["forest_weight"], "3");
    EXPECT_EQ(json["components"], 3);
    EXPECT_EQ(text_of(output), "0 1 -5\n0 3 4\n1 2 4\n5 6 0\n");
  }
  const auto hashed = json_of("$p mst " + square() + " --hashed-weights --verify");
  EXPECT_EQ(hashed["graph"]["weights"], "hash");
  EXPECT_EQ(hashed["forest_edges"], 4);
}

TEST_F(mst_command, invents_no_weights) {
  const auto text = folder_.file("a.txt", "0 1 5\n1 2 7\n2 0 1\n");
  const auto titled = folder_.file("a.csv", "source,target,weight\n0,1,5\n1,2,7\n2,0,1\n");
  const auto tabs = folder_.file("a.tsv", "source\ttarget\tweight\n0\t1\t5\n1\t2\t7\n2\t0\t1\n");
  const auto fourth = folder_.file("b.csv", "0,1,x,5\n1,2,y,7\n2,0,z,1\n") + " --weights 4";
  for (const auto& file : {text, titled, tabs, fourth}) {
    for (const char* pes : {"1", "3 --pe-kind thread", "7 --transport sim"}) {
      const auto json = json_of(fmt::format("$p mst {} --pes {} --verify", file, pes));
      EXPECT_EQ(json["graph"]["weights"], "file") << file;
      EXPECT_EQ(json["forest_weight"], "6") << file;
    }
  }
  const auto none = folder_.file("c.txt", "0 1\n1 2\n");
  for (const auto& file : {none, text + " --weights none", folder_.file("c.el", "0 1\n")})
    expect("$p mst --pes 2 " + file, 2, ": its edges have no weights: --weights names");
  expect("$p mst --pes 2 --weights 3 " + none, 2, "c.txt:1:4: expected a weight, found");
  expect("$p mst --pes 2 " + folder_.file("d.txt", "0 1 5\n1 2\n"), 2, "d.txt:2:4: ");
  EXPECT_EQ(json_of("$p mst --pes 2 --hashed-weights " + text)["graph"]["weights"], "hash");
  expect("$p mst --weights 2 " + text, 2, "--weights: \"2\" is not a column behind the two ends");
  expect("$p mst --weights 3 " + square(), 2, "--weights: 3 names a column");
}

TEST_F(mst_command, takes_weights_that_need_64_bits) {
  const auto file = folder_.file("wide.wel", "0 1 -9000000000000000000\n1 2 9000000000000000000\n"
                                             "0 2 9000000000000000001\n");
  const auto json = json_of("$p mst " + file + " --pes 2 --verify");
  EXPECT_EQ(json["graph"]["id_bits"], 64);
  EXPECT_EQ(json["forest_weight"], "0");
}

// Each entry has the weights of a chain and their sum. Some sums are just inside the range of 64
// bits, and others are just above or below the range.
const std::vector<std::pair<std::vector<std::string>, std::string>> k_totals = {
    {{"9223372036854775807", "9223372036854775807"}, "18446744073709551614"},
    {{"9223372036854775807", "1"}, "9223372036854775808"},
    {{"9223372036854775806", "1"}, "9223372036854775807"},
    {{"-9223372036854775808", "-9223372036854775808", "-9223372036854775808"},
     "-27670116110564327424"},
    {{"-9223372036854775808", "-1"}, "-9223372036854775809"},
    {{"-9223372036854775808", "9223372036854775807", "9223372036854775807"}, "9223372036854775806"},
    {{"1760000000000000000", "1760000000000000001", "1760000000000000002", "1760000000000000003",
      "1760000000000000004", "1760000000000000005"},
     "10560000000000000015"},
    // Two edges have the largest weight of 32 bits.
    {{"4294967295", "4294967295"}, "8589934590"},
};

TEST_F(mst_command, adds_weights_up_without_loss) {
  const std::string once = "$p mst {} --verify ", timed = "$p bench mst {} --trials 1 --verify ";
  const std::vector<std::string> other_ways = {once + "--pes 2", timed + "--pes 3",
                                               timed + "--pes 4 --wide-ids",
                                               timed + "--pes 3 --pe-kind thread"};
  for (std::size_t k = 0; k < k_totals.size(); ++k) {
    const auto& [weights, total] = k_totals[k];
    std::string chain;
    for (std::size_t i = 0; i < weights.size(); ++i)
      chain += fmt::format("{} {} {}\n", i, i + 1, weights[i]);
    const auto file = folder_.file("chain.wel", chain);
    for (const auto& way :
         {once + "--pes 1", once + "--pes 7 --transport sim", other_ways[k % other_ways.size()]}) {
      const auto command = fmt::format(fmt::runtime(way), file);
      const auto json = json_of(command);
      EXPECT_EQ(json["verified"], true) << command;
      EXPECT_EQ(json["forest_weight"], total) << command;
    }
    expect(fmt::format("$p mst {} --verify --pes 2", file), 0,
           fmt::format("\nminimum spanning forest: weight {}, {} edges, 1 tree\n", total,
                       weights.size()));
  }
}

TEST_F(mst_command, has_a_forest_for_graphs_without_edges) {
  const auto loops = folder_.file("loops.el", "3 3\n1 1\n");
  const auto json = json_of("$p mst " + loops + " --hashed-weights --pes 3 --verify");
  EXPECT_EQ(json["forest_edges"], 0);
  EXPECT_EQ(json["components"], 4);
  const auto nothing = json_of("$p mst " + folder_.file("no.el", "") + " --verify");
  EXPECT_EQ(nothing["components"], 0);
}

TEST_F(mst_command, refuses_what_makes_no_sense) {
  expect("$p mst", 2, "GRAPH");
  const auto nan = folder_.file("nan.wel", "0 1 2\n1 2 nan\n");
  expect("$p mst --pes 2 " + nan, 2, nan + ":2:5: ");
  const auto named = folder_.file("named.tsv", "A\tB\n");
  expect("$p mst " + named + " --output " + folder_.path("x.el"), 2, "have names");
  expect("$p mst " + square() + " --output " + square(), 2, "is the file of edges that is read");
  const auto dense = folder_.path("dense.wel");
  ASSERT_EQ(shell("$p generate --scale 14 -o " + dense).status, 0);
  expect("$p mst --pes 2 --memory-limit 1MiB " + dense, 2, "--memory-limit allows 1 MiB");
}

}  // namespace
}  // namespace atl::app
