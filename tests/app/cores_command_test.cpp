// Tests `atoll cores` and `atoll bench cores` as a user starts them.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class cores_command : public testing::Test {
 protected:
  // A to D are a clique, to which E and F are attached as a path. G depends only on itself.
  std::string packages() const {
    return folder_.file("packages.tsv",
                        "A\tB\nA\tC\nA\tD\nB\tC\nB\tD\nC\tD\nD\tC\nD\tE\nE\tF\nG\tG\n");
  }

  scratch_folder folder_;
};

TEST_F(cores_command, says_in_a_few_lines_what_it_found) {
  const auto result = shell("$p cores " + packages() + " --verify --pes 3");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("packages.tsv: 7 vertices, 10 edges"));
  EXPECT_THAT(result.output, HasSubstr("largest core number: 3, of 4 vertices\n"));
  EXPECT_THAT(result.output, HasSubstr("3 different core numbers occur\n"));
  EXPECT_THAT(result.output, HasSubstr("verified"));
  for (const char* measured : {"edges/s", "rate", "trials"})
    EXPECT_THAT(result.output, Not(HasSubstr(measured)));
}

TEST_F(cores_command, has_the_json_of_cores) {
  const auto json = json_of("$p cores " + packages() + " --pes 2");
  EXPECT_EQ(json["name"], "cores");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["largest_core_number"], 3);
  EXPECT_EQ(json["vertices_of_largest"], 4);
  EXPECT_EQ(json["levels"], 3);
  EXPECT_FALSE(json["metrics"].contains("rate"));
}

TEST_F(cores_command, writes_the_same_file_on_any_number_of_pes) {
  const auto written = [&](const std::string& graph, const std::string& name, int pes) {
    const auto path = folder_.path(name);
    expect(fmt::format("$p cores {} --verify --pes {} --output {}", graph, pes, path), 0,
           "verified");
    return content_of(path);
  };
  const auto numbered = folder_.file("a.el", "0 1\n1 2\n2 0\n2 3\n5 5\n");
  const auto random = folder_.path("random.el");
  ASSERT_EQ(shell("$p generate --scale 9 --edge-factor 4 --seed 3 -o " + random).status, 0);
  const auto first = written(random, "first.tsv", 1);
  for (const int pes : {1, 2, 3, 8}) {
    EXPECT_EQ(written(numbered, "a.csv", pes), "vertex,core\n0,2\n1,2\n2,2\n3,1\n4,0\n5,0\n");
    EXPECT_EQ(written(numbered, "a.npy", pes).size(), 128U + 6U * 8U);
    EXPECT_TRUE(written(random, "random.tsv", pes) == first) << pes;
  }
  EXPECT_THAT(written(packages(), "names.csv", 2), HasSubstr("\nA,3\n"));
  EXPECT_EQ(written(folder_.file("none.el", ""), "none.csv", 3), "vertex,core\n");
}

TEST_F(cores_command, refuses_bad_files) {
  expect("$p cores --pes 2", 2, "GRAPH");
  const auto missing = folder_.path("missing.el");
  expect_refusal("$p cores --pes 3 " + missing,
                 missing + ": cannot open: No such file or directory");
  const auto far = folder_.file("far.el", "0 281474976710655\n");
  expect("$p cores --pes 2 " + far, 2, "vertices and 1 edge takes ");
  expect("$p cores --scale 5 " + packages(), 2, "atoll bench cores");
}

TEST_F(cores_command, measures_beside_the_limit_on_the_same_graph) {
  const auto file = folder_.file("b.el", "0 1\n1 2\n2 2\n5 4\n");
  for (const auto& graph : {std::string("--scale 10 --edge-factor 4"), file}) {
    const auto json =
        json_of("$p bench cores " + graph + " --trials 1 --pes 2 --verify --compare 2>/dev/null");
    EXPECT_EQ(json["verified"], true);
    EXPECT_EQ(json["metrics"]["rate"]["values"].size(), 1U);
    if (!json.contains("programs")) GTEST_SKIP() << "atoll-limit-core-numbers is not built";
    EXPECT_EQ(json["programs"]["limit"][0]["largest"], json["largest_core_number"]);
  }
  expect("$p bench cores " + packages() + " --trials 1 --compare --pes 1", 0, "limit is left out");
  expect("$p bench cores --scale 12 --pes 1 --memory-limit 1MiB", 2, "--memory-limit allows 1 MiB");
}

}  // namespace
}  // namespace atl::app
