// Tests `atoll label-propagation` and `atoll bench label-propagation` as a user starts them.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class label_propagation_command : public testing::Test {
 protected:
  // The graph has two triangles, which one edge joins, and an isolated vertex.
  std::string triangles() const {
    return folder_.file("triangles.tsv", "A\tB\nB\tC\nC\tA\nD\tE\nE\tF\nF\tD\nC\tD\nG\tG\n");
  }

  // Runs the command, which must succeed, and returns the content of the file.
  std::string written(const std::string& graph, const std::string& name, const std::string& flags) {
    const auto path = folder_.path(name);
    expect(fmt::format("$p label-propagation {} --verify {} --output {}", graph, flags, path), 0,
           "verified");
    return content_of(path);
  }

  scratch_folder folder_;
};

TEST_F(label_propagation_command, says_in_a_few_lines_what_it_found) {
  const auto result = shell("$p label-propagation " + triangles() + " --verify --pes 3");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("triangles.tsv: 7 vertices, 8 edges"));
  EXPECT_THAT(result.output, HasSubstr("communities: "));
  EXPECT_THAT(result.output, HasSubstr(", 1 of them a single vertex\n"));
  EXPECT_THAT(result.output, HasSubstr("verified"));
  for (const char* measured : {"edges/s", "rate", "trials"})
    EXPECT_THAT(result.output, Not(HasSubstr(measured)));
}

TEST_F(label_propagation_command, has_the_json_of_communities) {
  const auto json =
      json_of("$p label-propagation " + triangles() + " --iterations 1 --largest 1 --pes 2");
  EXPECT_EQ(json["name"], "label-propagation");
  EXPECT_EQ(json["parameters"]["iterations"], 1);
  EXPECT_EQ(json["iterations"], 1);
  EXPECT_EQ(json["largest"].size(), 1U);
  // Ties are broken by the numbers of the vertices, which depend on the order of their names.
  EXPECT_GE(json["single_vertices"], 1);
  EXPECT_FALSE(json["metrics"].contains("rate"));
  EXPECT_TRUE(json["metrics"].contains("plan_seconds"));
}

// The graphs and labels are those of LDBC Graphalytics (ldbc/ldbc_graphalytics, Apache 2.0).
TEST_F(label_propagation_command, writes_the_labels_of_graphalytics) {
  const auto directed =
      folder_.file("directed.el", "1 3\n1 5\n2 4\n2 5\n2 10\n3 1\n3 5\n3 8\n3 10\n"
                                  "5 3\n5 4\n5 8\n6 3\n6 4\n7 4\n8 1\n9 4\n");
  const auto undirected = folder_.file(
      "undirected.el", "2 3\n2 4\n3 4\n3 5\n3 8\n5 6\n5 8\n6 7\n6 8\n6 9\n6 10\n7 9\n");
  for (const int pes : {1, 2, 3, 8}) {
    const auto flags = fmt::format("--iterations 2 --compact --pes {}", pes);
    EXPECT_EQ(written(directed, "d.csv", flags + " --directed"),
              "vertex,label\n1,1\n2,2\n3,3\n4,4\n5,1\n6,1\n7,2\n8,3\n9,2\n10,1\n");
    EXPECT_EQ(written(undirected, "u.csv", flags),
              "vertex,label\n2,2\n3,3\n4,2\n5,2\n6,6\n7,5\n8,2\n9,5\n10,5\n");
  }
}

TEST_F(label_propagation_command, writes_the_same_file_on_any_number_of_pes) {
  const auto random = folder_.path("random.el");
  ASSERT_EQ(shell("$p generate --scale 9 --edge-factor 4 --seed 3 -o " + random).status, 0);
  const auto first = written(random, "first.tsv", "--pes 1");
  for (const char* flags : {"--pes 2", "--pes 3 --pe-kind thread", "--pes 5 --transport sim"})
    EXPECT_TRUE(written(random, "random.tsv", flags) == first) << flags;
  EXPECT_THAT(written(triangles(), "names.csv", "--pes 2"), HasSubstr("\nG,G\n"));
  EXPECT_EQ(written(folder_.file("none.el", ""), "none.csv", "--pes 3"), "vertex,label\n");
}

TEST_F(label_propagation_command, refuses_bad_flags_and_files) {
  expect("$p label-propagation --pes 2", 2, "GRAPH");
  expect_refusal("$p label-propagation --iterations 1000001 " + triangles(),
                 "--iterations: 1000001 is out of range (0 to 1000000)");
  const auto missing = folder_.path("missing.el");
  expect_refusal("$p label-propagation --pes 3 " + missing,
                 missing + ": cannot open: No such file or directory");
  expect("$p label-propagation --scale 5 " + triangles(), 2, "atoll bench label-propagation");
}

TEST_F(label_propagation_command, measures_beside_the_limit_on_the_same_graph) {
  const auto file = folder_.file("b.el", "0 1\n1 2\n2 2\n5 4\n");
  for (const auto& graph : {std::string("--scale 10 --edge-factor 4"), file}) {
    const auto json = json_of("$p bench label-propagation " + graph +
                              " --trials 1 --pes 2 --verify --compare 2>/dev/null");
    EXPECT_EQ(json["verified"], true);
    EXPECT_EQ(json["metrics"]["rate"]["values"].size(), 1U);
    if (!json.contains("programs")) GTEST_SKIP() << "the limit program is not built";
    EXPECT_EQ(json["programs"]["limit"][0]["communities"], json["communities"]);
    EXPECT_EQ(json["programs"]["limit"][0]["iterations"], json["iterations"]);
  }
  expect("$p bench label-propagation " + triangles() + " --trials 1 --compare --pes 1", 0,
         "limit is left out");
  expect("$p bench label-propagation --scale 12 --pes 1 --memory-limit 1MiB", 2,
         "--memory-limit allows 1 MiB");
}

}  // namespace
}  // namespace atl::app
