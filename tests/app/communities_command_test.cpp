// Tests `atoll communities` and `atoll bench communities` as a user starts them.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class communities_command : public testing::Test {
 protected:
  // The graph has two triangles, which one edge joins. The package G depends only on itself.
  std::string packages() const {
    return folder_.file("packages.tsv", "A\tB\nB\tC\nC\tA\nD\tE\nE\tF\nF\tD\nC\tD\nG\tG\n");
  }

  scratch_folder folder_;
};

TEST_F(communities_command, says_in_a_few_lines_what_it_found) {
  const auto result = shell("$p communities " + packages() + " --verify --pes 3");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("packages.tsv: 7 vertices, 8 edges"));
  EXPECT_THAT(result.output, HasSubstr("3 communities; modularity 0.357143\n"));
  EXPECT_THAT(result.output, HasSubstr("3  (42.9 %)  C\n"));
  EXPECT_THAT(result.output, HasSubstr("verified"));
  EXPECT_THAT(result.output, Not(HasSubstr("edges/s")));
}

TEST_F(communities_command, has_the_json_of_communities) {
  const auto json = json_of("$p communities " + packages() + " --pes 2 --seed 7");
  EXPECT_EQ(json["name"], "communities");
  EXPECT_EQ(json["communities"], 3);
  EXPECT_NEAR(json["modularity"].get<double>(), 5.0 / 14, 1e-9);
  EXPECT_EQ(json["largest"][1]["name"], "F");
  EXPECT_EQ(json["parameters"]["resolution"], 1);
  const auto potts = json_of("$p communities " + packages() + " --quality cpm --resolution 0.5");
  EXPECT_EQ(potts["communities"], 3);
  EXPECT_NEAR(potts["quality"].get<double>(), 3, 1e-9);
}

TEST_F(communities_command, writes_the_same_file_on_any_number_of_pes) {
  const auto written = [&](const std::string& graph, const std::string& name, int pes) {
    const auto path = folder_.path(name);
    expect(fmt::format("$p communities {} --verify --pes {} --output {}", graph, pes, path), 0,
           "verified");
    return content_of(path);
  };
  const auto numbered = folder_.file("a.el", "0 1\n1 2\n2 0\n2 3\n3 4\n4 5\n5 3\n7 7\n");
  const auto random = folder_.path("random.el");
  ASSERT_EQ(shell("$p generate --scale 9 --edge-factor 4 --seed 3 -o " + random).status, 0);
  const auto first = written(random + " --copied-below 0", "first.tsv", 1);
  for (const int pes : {1, 2, 3, 8}) {
    EXPECT_EQ(written(numbered, "a.csv", pes),
              "vertex,community\n0,0\n1,0\n2,0\n3,3\n4,3\n5,3\n6,6\n7,7\n");
    EXPECT_EQ(written(numbered, "a.npy", pes).size(), 128U + 8U * 8U);
    EXPECT_TRUE(written(random + " --copied-below 0", "random.tsv", pes) == first) << pes;
  }
  EXPECT_THAT(written(packages(), "names.csv", 2), HasSubstr("\nE,F\n"));
  EXPECT_EQ(written(folder_.file("none.el", ""), "none.csv", 3), "vertex,community\n");
}

TEST_F(communities_command, follows_weights_and_directions) {
  const auto weighted = folder_.file("w.tsv", "0\t1\t1\n1\t2\t9\n2\t3\t1\n3\t0\t9\n");
  const auto json = json_of("$p communities " + weighted + " --weighted --verify --pes 2");
  EXPECT_EQ(json["communities"], 2);
  EXPECT_EQ(json["largest"][1]["smallest_vertex"], 1);
  EXPECT_EQ(json_of("$p communities " + weighted + " --directed --verify")["verified"], true);
  const auto negative = folder_.file("n.tsv", "0\t1\t1\n1\t2\t-9\n");
  expect("$p communities --pes 2 --weighted " + negative, 2, "has an edge of weight -9");
  expect("$p communities --weighted " + folder_.file("u.el", "0 1\n"), 2, "has no weights");
}

TEST_F(communities_command, refuses_bad_files_and_options) {
  expect("$p communities --pes 2", 2, "GRAPH");
  const auto missing = folder_.path("missing.el");
  expect_refusal("$p communities --pes 3 " + missing,
                 missing + ": cannot open: No such file or directory");
  expect("$p communities --resolution -1 " + packages(), 2, "--resolution");
  expect("$p communities --quality best " + packages(), 2, "modularity, cpm");
  expect("$p communities --iterations 0 " + packages(), 2, "--iterations");
}

TEST_F(communities_command, measures_trials) {
  const auto json = json_of(
      "$p bench communities --scale 9 --edge-factor 4 --trials 2 --pes 2 --verify 2>/dev/null");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["metrics"]["rate"]["values"].size(), 2U);
  EXPECT_GT(json["metrics"]["modularity"]["median"].get<double>(), 0.1);
}

}  // namespace
}  // namespace atl::app
