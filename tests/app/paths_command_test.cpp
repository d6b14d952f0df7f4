// Tests `atoll paths` and `atoll bench paths` as a user starts them.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class paths_command : public testing::Test {
 protected:
  // The path from A to C over B is shorter than the direct edge. F and G are not connected to the
  // other vertices.
  std::string roads() const {
    return folder_.file(
        "roads.tsv", "from\tto\tweight\nA\tB\t1.5\nB\tC\t2\nA\tC\t9\nC\tA\t4\nC\tD\t0\nF\tG\t1\n");
  }

  scratch_folder folder_;
};

TEST_F(paths_command, says_in_a_few_lines_what_it_found) {
  const auto result = shell("$p paths " + roads() + " --root A --path-to D --verify --pes 3");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("roads.tsv: 6 vertices, 6 edges"));
  EXPECT_THAT(result.output, HasSubstr("weights: of the file, column 3\n"));
  EXPECT_THAT(result.output, HasSubstr("4 of 6 vertices reached from A, the farthest at distance "
                                       "3.5\n"));
  EXPECT_THAT(result.output, HasSubstr("a path of length 3.5 and 3 edges from A to D\n"
                                       "  A - B - C - D\n"));
  EXPECT_THAT(result.output, HasSubstr("verified"));
  for (const char* measured : {"edges/s", "rate", "trials"})
    EXPECT_THAT(result.output, Not(HasSubstr(measured)));
  expect("$p paths " + roads() + " --root A --path-to G --pes 2", 0, "no path leads from A to G");
}

TEST_F(paths_command, has_the_json_of_paths) {
  const auto json = json_of("$p paths " + roads() + " --directed in --root D --path-to A --pes 2");
  EXPECT_EQ(json["name"], "paths");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["graph"]["orientation"], "in");
  EXPECT_EQ(json["path"], (std::vector<std::string>{"D", "C", "B", "A"}));
  EXPECT_EQ(json["searches"][0]["reached_vertices"], 4);
  EXPECT_EQ(json["searches"][0]["farthest"], 3.5);
  EXPECT_FALSE(json["metrics"].contains("rate"));
}

TEST_F(paths_command, writes_the_same_file_on_any_number_of_pes) {
  const auto written = [&](const std::string& graph, const std::string& name, int pes) {
    const auto path = folder_.path(name);
    expect(fmt::format("$p paths {} --verify --pes {} --output {}", graph, pes, path), 0,
           "verified");
    return content_of(path);
  };
  const auto numbered = folder_.file("a.wel", "0 1 2\n1 2 0.25\n2 0 7\n1 0 5\n2 3 1e1\n5 5 1\n");
  const auto random = folder_.path("random.wel");
  ASSERT_EQ(shell("$p generate --scale 9 --edge-factor 4 --seed 3 -o " + random).status, 0);
  const auto first = written(random + " --root 5", "first.tsv", 1);
  for (const int pes : {1, 2, 3, 8}) {
    EXPECT_EQ(written(numbered + " --root 0", "a.csv", pes),
              "vertex,distance,parent\n0,0,0\n1,2,0\n2,2.25,1\n3,12.25,2\n");
    EXPECT_EQ(written(numbered + " --root 3 --unweighted", "b.csv", pes),
              "vertex,distance,parent\n0,2,2\n1,2,2\n2,1,3\n3,0,3\n");
    EXPECT_EQ(written(numbered + " --root 0", "a.npy", pes).size(), 128U + 2U * 6U * 8U);
    EXPECT_TRUE(written(random + " --root 5", "random.tsv", pes) == first) << pes;
  }
  EXPECT_THAT(written(roads() + " --root A", "names.csv", 2), HasSubstr("\nC,3.5,B\n"));
}

TEST_F(paths_command, refuses_bad_weights_with_their_place) {
  const auto negative = folder_.file("negative.wel", "0 1 2\n1 2 -0.5\n");
  for (const char* pes : {"1", "2", "3"})
    expect(fmt::format("$p paths {} --root 0 --pes {}", negative, pes), 2,
           "the edge from 1 to 2 weighs -0.5, and no edge may weigh less than 0; " + negative +
               ":2:5: weight '-0.5' is below 0");
  const auto odd = folder_.file("odd.csv", "0,1,2\n1,2,nan\n");
  expect("$p paths --root 0 --pes 2 " + odd, 2,
         odd + ":2:5: weight 'nan' is not finite, or does not fit a double; --unweighted counts");
  expect("$p paths --root 0 --unweighted --pes 2 " + odd, 0, "each edge weighs 1");
  const auto large = folder_.file("large.wel", "0 1 9007199254740992\n");
  expect("$p paths --root 0 --pes 2 " + large, 2, "exact below 2^53");
}

TEST_F(paths_command, refuses_what_is_no_vertex) {
  expect("$p paths --pes 2", 2, "GRAPH");
  expect("$p paths --pes 2 " + roads(), 2, "--root: paths begin at a vertex");
  expect("$p paths --pes 2 --root X " + roads(), 2, "--root: no vertex is called \"X\"");
  const auto few = folder_.file("few.wel", "0 1 2\n");
  expect("$p paths --pes 2 --root 2 " + few, 2, "--root: 2 is out of range (0 to 1)");
  expect("$p paths --pes 2 --root 0 --path-to 9 " + few, 2, "--path-to: 9 is out of range");
  expect("$p paths --pes 2 --root 0 --width x " + few, 2, "--width");
}

TEST_F(paths_command, measures_beside_the_limit_on_the_same_graph) {
  const auto file = folder_.file("b.wel", "0 1 3\n1 2 1\n2 2 5\n5 4 2\n");
  for (const auto& graph :
       {std::string("--scale 10 --edge-factor 4"), std::string("--kind uniform --scale 9"), file}) {
    const auto json =
        json_of("$p bench paths " + graph + " --trials 1 --pes 2 --verify --compare 2>/dev/null");
    EXPECT_EQ(json["verified"], true);
    EXPECT_EQ(json["metrics"]["rate"]["values"].size(), 1U);
    if (!json.contains("programs")) GTEST_SKIP() << "atoll-limit-paths is not built";
    EXPECT_EQ(json["programs"]["limit"][0]["input_edges"], json["graph"]["input_edges"]);
  }
  expect("$p bench paths " + roads() + " --trials 1 --compare --pes 1", 0, "the limit is left out");
  expect("$p bench paths --scale 12 --pes 1 --memory-limit 1MiB", 2, "--memory-limit allows 1 MiB");
}

}  // namespace
}  // namespace atl::app
