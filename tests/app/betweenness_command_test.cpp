// Tests `atoll betweenness` and `atoll bench betweenness` as a user starts them.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class betweenness_command : public testing::Test {
 protected:
  // The package C lies on all paths that begin or end at D or E.
  std::string packages() const {
    return folder_.file("packages.tsv", "A\tB\nB\tC\nC\tA\nA\tC\nC\tD\nE\tC\nE\tE\n");
  }

  scratch_folder folder_;
};

TEST_F(betweenness_command, says_in_a_few_lines_what_it_found) {
  const auto result = shell("$p betweenness " + packages() + " --top 1 --verify --pes 3");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("packages.tsv: 5 vertices, 7 edges"));
  EXPECT_THAT(result.output, HasSubstr("\npaths from all vertices\n"));
  EXPECT_THAT(result.output, HasSubstr("       0.833333  C\n"));
  EXPECT_THAT(result.output, HasSubstr("verified"));
  for (const char* measured : {"edges/s", "rate", "trials"})
    EXPECT_THAT(result.output, Not(HasSubstr(measured)));
  const auto estimate =
      shell("$p betweenness " + packages() + " --sources 2 --seed 4 --verify --pes 2");
  EXPECT_THAT(estimate.output, HasSubstr("\nan estimate by paths from 2 random sources\n"));
}

TEST_F(betweenness_command, has_the_json_of_betweenness) {
  const auto json = json_of("$p betweenness " + packages() + " --unnormalized --pes 2");
  EXPECT_EQ(json["name"], "betweenness");
  EXPECT_EQ(json["parameters"]["normalized"], false);
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["sources"], 5);
  EXPECT_EQ(json["top"][0]["name"], "C");
  EXPECT_EQ(json["top"][0]["betweenness"], 5);
  EXPECT_FALSE(json["metrics"].contains("rate"));
}

TEST_F(betweenness_command, writes_the_same_file_on_any_number_of_pes) {
  const auto written = [&](const std::string& graph, const std::string& name, int pes) {
    const auto path = folder_.path(name);
    expect(fmt::format("$p betweenness {} --verify --pes {} --output {}", graph, pes, path), 0,
           "verified");
    return content_of(path);
  };
  const auto numbered = folder_.file("a.el", "0 1\n1 2\n2 3\n5 5\n");
  const auto random = folder_.path("random.el");
  ASSERT_EQ(shell("$p generate --scale 9 --edge-factor 4 --seed 3 -o " + random).status, 0);
  const auto first = written(random + " --sources 20", "first.tsv", 1);
  for (const int pes : {1, 2, 3, 8}) {
    EXPECT_EQ(written(numbered + " --unnormalized", "a.csv", pes),
              "vertex,betweenness\n0,0\n1,2\n2,2\n3,0\n4,0\n5,0\n");
    EXPECT_EQ(written(numbered + " --directed", "a.tsv", pes),
              "vertex\tbetweenness\n0\t0\n1\t0.1\n2\t0.1\n3\t0\n4\t0\n5\t0\n");
    EXPECT_EQ(written(numbered, "a.npy", pes).size(), 128U + 6U * 8U);
    EXPECT_TRUE(written(random + " --sources 20", "random.tsv", pes) == first) << pes;
  }
  EXPECT_THAT(written(packages(), "names.csv", 2), HasSubstr("\nA,0\n"));
  EXPECT_EQ(written(folder_.file("none.el", ""), "none.csv", 3), "vertex,betweenness\n");
}

TEST_F(betweenness_command, refuses_bad_files_and_flags) {
  expect("$p betweenness --pes 2", 2, "GRAPH");
  const auto missing = folder_.path("missing.el");
  expect_refusal("$p betweenness --pes 3 " + missing,
                 missing + ": cannot open: No such file or directory");
  for (const std::string words : {"0", "some", "-3", "7x"})
    expect_refusal("$p betweenness --sources " + words + " " + packages(),
                   "--sources: \"" + words + "\" is neither a number above 0 nor all");
  expect("$p betweenness --scale 5 " + packages(), 2, "atoll bench betweenness");
}

TEST_F(betweenness_command, measures_beside_the_limit_on_the_same_graph) {
  const auto file = folder_.file("b.el", "0 1\n1 2\n2 0\n5 4\n");
  for (const auto& graph : {std::string("--scale 10 --edge-factor 4"), file + " --sources all"}) {
    const auto json = json_of("$p bench betweenness " + graph +
                              " --trials 1 --pes 2 --verify --compare 2>/dev/null");
    EXPECT_EQ(json["verified"], true);
    EXPECT_EQ(json["metrics"]["rate"]["values"].size(), 1U);
    if (!json.contains("programs")) GTEST_SKIP() << "atoll-limit-betweenness is not built";
    EXPECT_EQ(json["programs"]["limit"][0]["sources"], json["sources"]);
  }
}

}  // namespace
}  // namespace atl::app
