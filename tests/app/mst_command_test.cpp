// `atoll mst` as a user starts it.

#include "app/mst_text.hpp"
#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace atl::app {
namespace {

using testing::HasSubstr;

std::string text_of(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

class mst_command : public testing::Test {
 protected:
  // A square with a diagonal, doubled and turned edges, a loop, a second component, negative
  // weights and a tie that the ends decide.
  std::string square() const {
    return folder_.file("square.wel",
                        "0 1 -5\n1 0 9\n1 2 4\n2 3 4\n3 0 4\n2 0 7\n2 2 -100\n5 6 0\n");
  }

  scratch_folder folder_;
};

TEST_F(mst_command, finds_the_same_on_any_number_of_pes) {
  nlohmann::json first;
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
      const auto json =
          json_of(fmt::format("$p mst --scale 9 --edge-factor 4 --trials 2 --verify --pes {} {} "
                              "2>/dev/null",
                              pes, kind));
      EXPECT_EQ(json["verified"], true);
      if (first.is_null()) first = json;
      EXPECT_GT(json["forest_edges"], 0);
      for (const char* part : {"forest_edges", "components"})
        EXPECT_EQ(json[part], first[part]) << pes << " PEs, " << kind << ", " << part;
      EXPECT_EQ(json["forest_weight"], first["forest_weight"]);
    }
  }
}

TEST_F(mst_command, finds_the_same_in_every_way) {
  const std::string graph = "$p mst --kind web --vertices 3000 --edges-per-vertex 6 --pes 4 "
                            "--trials 1 --verify --seed 4 ";
  const auto usual = json_of(graph + "2>/dev/null");
  EXPECT_EQ(usual["parameters"]["exchange"], "one-sided");
  for (const char* way :
       {"--exchange two-sided", "--exchange two-sided --chunks 1", "--post leader --group 2",
        "--local rounds --filter off --theta 0.01", "--mst-test remaining --mst-threshold 0.5",
        "--ring-fraction 1 --filter off", "--filter-finish 0", "--filter-finish 100",
        "--wide-ids"}) {
    const auto json = json_of(graph + way + " 2>/dev/null");
    EXPECT_EQ(json["verified"], true) << way;
    EXPECT_EQ(json["forest_weight"], usual["forest_weight"]) << way;
    EXPECT_EQ(json["forest_edges"], usual["forest_edges"]) << way;
  }
}

TEST_F(mst_command, takes_the_weights_of_a_file_and_writes_the_forest) {
  for (const int pes : {1, 3}) {
    const auto output = folder_.path("forest.wel");
    const auto json = json_of(
        fmt::format("$p mst {} --pes {} --trials 1 --verify --output {}", square(), pes, output));
    EXPECT_EQ(json["graph"]["weights"], "file");
    EXPECT_EQ(json["metrics"]["weight"]["median"], 3);
    EXPECT_EQ(json["components"], 3);
    EXPECT_EQ(text_of(output), "0 1 -5\n0 3 4\n1 2 4\n5 6 0\n");
  }
  const auto hashed = json_of("$p mst " + square() + " --hashed-weights --trials 1 --verify");
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
      const auto json = json_of(fmt::format("$p mst {} --pes {} --trials 1 --verify", file, pes));
      EXPECT_EQ(json["graph"]["weights"], "file") << file;
      EXPECT_EQ(json["metrics"]["weight"]["median"], 6) << file;
    }
  }
  const auto none = folder_.file("c.txt", "0 1\n1 2\n");
  for (const auto& file : {none, text + " --weights none", folder_.file("c.el", "0 1\n")})
    expect("$p mst --pes 2 --trials 1 " + file, 2, ": its edges have no weights: --weights names");
  expect("$p mst --pes 2 --trials 1 --weights 3 " + none, 2, "c.txt:1:4: expected a weight, found");
  expect("$p mst --pes 2 --trials 1 " + folder_.file("d.txt", "0 1 5\n1 2\n"), 2, "d.txt:2:4: ");
  EXPECT_EQ(json_of("$p mst --pes 2 --trials 1 --hashed-weights " + text)["graph"]["weights"],
            "hash");
  expect("$p mst --weights 2 " + text, 2, "--weights: \"2\" is not a column behind the two ends");
  expect("$p mst --weights 3 " + square(), 2, "--weights: 3 names a column");
}

TEST_F(mst_command, takes_weights_that_need_64_bits) {
  const auto file = folder_.file("wide.wel", "0 1 -9000000000000000000\n1 2 9000000000000000000\n"
                                             "0 2 9000000000000000001\n");
  const auto json = json_of("$p mst " + file + " --pes 2 --trials 1 --verify");
  EXPECT_EQ(json["graph"]["id_bits"], 64);
  EXPECT_EQ(json["metrics"]["weight"]["median"], 0);
}

// The weights of a chain, and what they come to: beyond 64 bits, on either side, and just within.
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
    {{"4294967295", "4294967295"}, "8589934590"},  // a run in 32 bits
};

TEST_F(mst_command, adds_weights_up_without_loss) {
  const std::vector<std::string> other_ways = {"--pes 2", "--pes 3 --exchange two-sided",
                                               "--pes 4 --post leader --filter off",
                                               "--pes 3 --pe-kind thread --filter-finish 0"};
  for (std::size_t k = 0; k < k_totals.size(); ++k) {
    const auto& [weights, total] = k_totals[k];
    std::string chain;
    for (std::size_t i = 0; i < weights.size(); ++i)
      chain += fmt::format("{} {} {}\n", i, i + 1, weights[i]);
    const auto file = folder_.file("chain.wel", chain);
    for (const auto& way : {std::string("--pes 1"), std::string("--pes 7 --transport sim"),
                            other_ways[k % other_ways.size()]}) {
      const auto command = fmt::format("$p mst {} --trials 1 --verify {}", file, way);
      const auto json = json_of(command);
      EXPECT_EQ(json["verified"], true) << command;
      EXPECT_EQ(json["forest_weight"], total) << command;
    }
    expect(fmt::format("$p mst {} --trials 1 --verify --pes 2", file), 0,
           fmt::format("\nweight {}, {} edges, 1 component\n", total, weights.size()));
  }
}

TEST_F(mst_command, has_a_forest_for_graphs_without_edges) {
  const auto loops = folder_.file("loops.el", "3 3\n1 1\n");
  const auto json = json_of("$p mst " + loops + " --hashed-weights --pes 3 --trials 1 --verify");
  EXPECT_EQ(json["forest_edges"], 0);
  EXPECT_EQ(json["components"], 4);
  const auto nothing = json_of("$p mst " + folder_.file("no.el", "") + " --trials 1 --verify");
  EXPECT_EQ(nothing["components"], 0);
  const auto one = json_of("$p mst --scale 0 --edge-factor 1 --trials 1 --verify --pes 2");
  EXPECT_EQ(one["components"], 1);
}

TEST_F(mst_command, refuses_what_makes_no_sense) {
  expect("$p mst --theta 2", 2, "--theta: 2 is out of range (0 to 1)");
  expect("$p mst --ring-fraction x", 2, "--ring-fraction: \"x\" is not a number");
  expect("$p mst --mst-threshold nan", 2, "--mst-threshold: nan is out of range (0 to 1)");
  expect("$p mst --exchange sided", 2, "--exchange: \"sided\" is neither one-sided nor two-sided");
  expect("$p mst --algorithm prim", 2, "--algorithm: \"prim\" is none of mnd");
  expect("$p mst --group 1", 2, "--group: 1 is out of range (2 to 1048576)");
  expect("$p mst --chunks 0", 2, "--chunks: 0 is out of range (1 to 1024)");
  const auto nan = folder_.file("nan.wel", "0 1 2\n1 2 nan\n");
  expect("$p mst --pes 2 " + nan, 2, nan + ":2:5: ");
  const auto named = folder_.file("named.tsv", "A\tB\n");
  expect("$p mst " + named + " --output " + folder_.path("x.el"), 2, "have names");
  expect("$p mst " + square() + " --output " + square(), 2, "is the file of edges that is read");
  expect("$p mst --scale 16 --memory-limit 1MiB", 2, "--memory-limit allows 1 MiB");
}

TEST(mst_text, tells_what_is_wrong_and_no_weight) {
  mst_findings found;
  found.size = {4, 5};
  found.trials.resize(1);
  found.trials[0].forest_edges = 3;
  found.check.emplace();
  found.check->fault = kernels::mst::forest_fault::missing;
  found.check->edge = {1, 2, 7};
  EXPECT_FALSE(found.right());
  report result("mst", settings{});
  result.verified(found.right());
  describe(result, mst_flags{}, found);
  EXPECT_THAT(result.text(), HasSubstr("the edge 1 - 2 of weight 7 is missing"));
  EXPECT_THAT(result.text(), testing::Not(HasSubstr("component")));
}

TEST(mst_findings, are_wrong_where_two_trials_disagree) {
  mst_findings found;
  found.trials.resize(2);
  EXPECT_TRUE(found.right());
  found.trials[0].weight = kernels::mst::exact_total(1);
  EXPECT_EQ(found.fault_text(),
            "two trials differ: one has 0 edges of weight 1, the last has 0 edges of weight 0");
  found.trials[0] = found.trials[1];
  found.trials[0].forest_edges = 1;
  EXPECT_FALSE(found.right());
}

TEST(mst_findings, are_wrong_where_the_run_has_counted_something_else_than_its_forest_weighs) {
  mst_findings found;
  found.trials.resize(1);
  found.trials[0].forest_edges = 2;
  found.trials[0].weight = kernels::mst::exact_total(-2);
  found.check.emplace();
  found.check->edges = found.check->expected_edges = 2;
  found.check->weight = kernels::mst::int128{1} << 64;
  EXPECT_EQ(found.fault_text(), "wrong total: the run counted 2 edges of weight -2, and its forest "
                                "has 2 edges of weight 18446744073709551616");
  found.trials[0].weight = kernels::mst::exact_total(kernels::mst::int128{1} << 64);
  EXPECT_TRUE(found.right());
  found.check->edges = 3;
  EXPECT_FALSE(found.right());
}

}  // namespace
}  // namespace atl::app
