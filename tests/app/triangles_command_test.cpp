// Tests `atoll triangles` and `atoll bench triangles` as a user starts them.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class triangles_command : public testing::Test {
 protected:
  // A, B and C form a triangle. D and E are attached to C.
  std::string packages() const {
    return folder_.file("packages.tsv", "A\tB\nB\tC\nC\tA\nA\tC\nC\tD\nE\tC\nE\tE\n");
  }

  scratch_folder folder_;
};

TEST_F(triangles_command, says_in_a_few_lines_what_it_found) {
  const auto result = shell("$p triangles " + packages() + " --verify --pes 3");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("packages.tsv: 5 vertices, 7 edges"));
  EXPECT_THAT(result.output, HasSubstr("\n1 triangle\n"));
  EXPECT_THAT(result.output, HasSubstr("transitivity 0.375: the part of 8 pairs"));
  EXPECT_THAT(result.output, HasSubstr("verified"));
  for (const char* measured : {"edges/s", "rate", "trials"})
    EXPECT_THAT(result.output, Not(HasSubstr(measured)));
}

TEST_F(triangles_command, has_the_json_of_triangles) {
  const auto json = json_of("$p triangles " + packages() + " --directed --pes 2");
  EXPECT_EQ(json["name"], "triangles");
  EXPECT_EQ(json["parameters"]["directed"], true);
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["triangles"], 1);
  EXPECT_EQ(json["pairs_of_neighbours"], 8);
  EXPECT_EQ(json["transitivity"], 0.375);
  EXPECT_FALSE(json["metrics"].contains("rate"));
}

TEST_F(triangles_command, writes_the_same_file_on_any_number_of_pes) {
  const auto written = [&](const std::string& graph, const std::string& name, int pes) {
    const auto path = folder_.path(name);
    expect(fmt::format("$p triangles {} --verify --pes {} --output {}", graph, pes, path), 0,
           "verified");
    return content_of(path);
  };
  const auto numbered = folder_.file("a.el", "0 1\n1 0\n1 2\n2 0\n3 2\n5 5\n");
  const auto random = folder_.path("random.el");
  ASSERT_EQ(shell("$p generate --scale 9 --edge-factor 4 --seed 3 -o " + random).status, 0);
  const auto first = written(random + " --directed", "first.tsv", 1);
  for (const int pes : {1, 2, 3, 8}) {
    EXPECT_EQ(written(numbered, "a.csv", pes),
              "vertex,triangles,clustering\n0,1,1\n1,1,1\n2,1,0.3333333333333333\n3,0,0\n4,0,0\n"
              "5,0,0\n");
    EXPECT_EQ(written(numbered + " --directed", "a.tsv", pes),
              "vertex\ttriangles\tclustering\n0\t1\t0.5\n1\t1\t0.5\n2\t1\t0.3333333333333333\n"
              "3\t0\t0\n4\t0\t0\n5\t0\t0\n");
    EXPECT_EQ(written(numbered, "a.npy", pes).size(), 128U + 6U * 16U);
    EXPECT_TRUE(written(random + " --directed", "random.tsv", pes) == first) << pes;
  }
  EXPECT_THAT(written(packages(), "names.csv", 2), HasSubstr("\nA,1,1\n"));
  EXPECT_EQ(written(folder_.file("none.el", ""), "none.csv", 3), "vertex,triangles,clustering\n");
}

TEST_F(triangles_command, refuses_bad_files_and_flags) {
  expect("$p triangles --pes 2", 2, "GRAPH");
  const auto missing = folder_.path("missing.el");
  expect_refusal("$p triangles --pes 3 " + missing,
                 missing + ": cannot open: No such file or directory");
  const auto far = folder_.file("far.el", "0 281474976710655\n");
  expect("$p triangles --pes 2 " + far, 2, "vertices and 1 edge takes ");
  expect("$p triangles --scale 5 " + packages(), 2, "atoll bench triangles");
}

TEST_F(triangles_command, measures_beside_the_limit_on_the_same_graph) {
  const auto file = folder_.file("b.el", "0 1\n1 2\n2 0\n5 4\n");
  for (const auto& graph : {std::string("--scale 10 --edge-factor 4"), file}) {
    const auto json = json_of("$p bench triangles " + graph +
                              " --trials 1 --pes 2 --verify --compare 2>/dev/null");
    EXPECT_EQ(json["verified"], true);
    EXPECT_EQ(json["metrics"]["rate"]["values"].size(), 1U);
    if (!json.contains("programs")) GTEST_SKIP() << "atoll-limit-triangles is not built";
    EXPECT_EQ(json["programs"]["limit"][0]["triangles"], json["triangles"]);
  }
  expect("$p bench triangles --scale 8 --directed --trials 1 --compare --pes 1", 0,
         "limit is left out");
}

}  // namespace
}  // namespace atl::app
