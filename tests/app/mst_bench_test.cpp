// Tests `atoll bench mst` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

class mst_bench : public testing::Test {
 protected:
  scratch_folder folder_;
};

TEST_F(mst_bench, finds_the_same_on_any_number_of_pes) {
  nlohmann::json first;
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
      const auto json = json_of(
          fmt::format("$p bench mst --scale 9 --edge-factor 4 --trials 2 --verify --pes {} {} "
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

TEST_F(mst_bench, ids_of_64_bits_find_the_same) {
  const std::string graph = "$p bench mst --kind web --vertices 3000 --edges-per-vertex 6 --pes 4 "
                            "--trials 1 --verify --seed 4 ";
  const auto narrow = json_of(graph + "2>/dev/null");
  const auto wide = json_of(graph + "--wide-ids 2>/dev/null");
  EXPECT_EQ(narrow["graph"]["id_bits"], 32);
  EXPECT_EQ(wide["graph"]["id_bits"], 64);
  EXPECT_EQ(wide["verified"], true);
  EXPECT_EQ(wide["forest_weight"], narrow["forest_weight"]);
  EXPECT_EQ(wide["forest_edges"], narrow["forest_edges"]);
}

TEST_F(mst_bench, measures_and_tells_its_parameters) {
  const auto json = json_of("$p bench mst --scale 8 --trials 2 --pes 2");
  EXPECT_EQ(json["name"], "mst");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["parameters"]["trials"], 2);
  EXPECT_EQ(json["parameters"]["scale"], 8);
  EXPECT_EQ(json["parameters"]["algorithm"], "mnd");
  EXPECT_EQ(json["parameters"]["exchange"], "one-sided");
  EXPECT_EQ(json["metrics"]["rate"]["unit"], "edges/s");
  EXPECT_EQ(json["metrics"]["rate"]["values"].size(), 2U);
  EXPECT_GT(json["metrics"]["seconds"]["median"], 0);
}

TEST_F(mst_bench, writes_the_forest_of_a_file) {
  const auto path = folder_.path("forest.wel");
  const auto square = folder_.file("square.wel", "0 1 -5\n1 2 4\n2 3 4\n3 0 4\n2 0 7\n");
  for (const char* way : {"--pes 1", "--pes 3 --wide-ids"}) {
    expect("$p bench mst " + square + " --trials 1 --verify " + way + " -o " + path, 0, "verified");
    EXPECT_EQ(content_of(path), "0 1 -5\n0 3 4\n1 2 4\n") << way;
  }
}

TEST_F(mst_bench, has_a_forest_of_one_vertex) {
  const auto one = json_of("$p bench mst --scale 0 --edge-factor 1 --trials 1 --verify --pes 2");
  EXPECT_EQ(one["components"], 1);
}

TEST_F(mst_bench, refuses_what_makes_no_sense) {
  expect("$p bench mst --exchange two-sided", 2, "unknown flag --exchange");
  expect("$p bench mst --scale 16 --memory-limit 1MiB", 2, "--memory-limit allows 1 MiB");
}

}  // namespace
}  // namespace atl::app
