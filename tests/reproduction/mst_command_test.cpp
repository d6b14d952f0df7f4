// Tests `atoll-papers mst` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>

namespace atl::reproduction {
namespace {

using namespace app;

class mst_of_papers : public testing::Test {
 protected:
  scratch_folder folder_;
};

TEST_F(mst_of_papers, finds_the_same_in_every_way) {
  const std::string graph = "mst --kind web --vertices 3000 --edges-per-vertex 6 --pes 4 "
                            "--trials 1 --verify --seed 4 ";
  const auto usual = json_of("$p bench " + graph + "2>/dev/null");
  for (const char* way :
       {"", "--exchange two-sided", "--exchange two-sided --chunks 1", "--post leader --group 2",
        "--local rounds --filter off --theta 0.01", "--mst-test remaining --mst-threshold 0.5",
        "--ring-fraction 1 --filter off", "--filter-finish 0", "--filter-finish 100",
        "--wide-ids"}) {
    const auto json = json_of("$papers " + graph + way + " 2>/dev/null");
    EXPECT_EQ(json["verified"], true) << way;
    EXPECT_EQ(json["forest_weight"], usual["forest_weight"]) << way;
    EXPECT_EQ(json["forest_edges"], usual["forest_edges"]) << way;
  }
}

TEST_F(mst_of_papers, tells_its_way) {
  const auto json = json_of("$papers mst --scale 6 --trials 1 --pes 2 --filter off --local rounds "
                            "--exchange two-sided --chunks 3 --post leader --group 5");
  EXPECT_EQ(json["name"], "mst");
  const auto& parameters = json["parameters"];
  EXPECT_EQ(parameters["algorithm"], "mnd");
  EXPECT_EQ(parameters["exchange"], "two-sided");
  EXPECT_EQ(parameters["post"], "leader");
  EXPECT_EQ(parameters["group"], 5);
  EXPECT_EQ(parameters["filter"], false);
  EXPECT_EQ(parameters["filter_finish"], 1);
  EXPECT_EQ(parameters["local"], "rounds");
  EXPECT_EQ(parameters["theta"], 1e-3);
  EXPECT_EQ(parameters["mst_threshold"], 0.24);
  EXPECT_EQ(parameters["mst_test"], "new");
  EXPECT_EQ(parameters["ring_fraction"], 0.05);
  EXPECT_EQ(parameters["chunks"], 3);
  for (const char* phase : {"filter", "build", "contract", "ghosts", "merge", "ring", "post"})
    EXPECT_TRUE(json["phase_seconds"].contains(phase)) << phase;
}

TEST_F(mst_of_papers, writes_the_forest_of_a_file) {
  const auto path = folder_.path("forest.wel");
  const auto square = folder_.file("square.wel", "0 1 -5\n1 2 4\n2 3 4\n3 0 4\n2 0 7\n");
  expect("$papers mst " + square + " --trials 1 --verify --pes 3 --exchange two-sided -o " + path,
         0, "verified");
  EXPECT_EQ(content_of(path), "0 1 -5\n0 3 4\n1 2 4\n");
}

TEST_F(mst_of_papers, refuses_what_makes_no_sense) {
  expect("$papers mst --theta 2", 2, "--theta: 2 is out of range (0 to 1)");
  expect("$papers mst --ring-fraction x", 2, "--ring-fraction: \"x\" is not a number");
  expect("$papers mst --mst-threshold nan", 2, "--mst-threshold: nan is out of range (0 to 1)");
  expect("$papers mst --exchange sided", 2,
         "--exchange: \"sided\" is neither one-sided nor two-sided");
  expect("$papers mst --algorithm prim", 2, "--algorithm: \"prim\" is none of mnd");
  expect("$papers mst --group 1", 2, "--group: 1 is out of range (2 to 1048576)");
  expect("$papers mst --chunks 0", 2, "--chunks: 0 is out of range (1 to 1024)");
}

}  // namespace
}  // namespace atl::reproduction
