// Tests `atoll pagerank` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class pagerank_command : public testing::Test {
 protected:
  // The packages A to D are connected. E and F form a second component, and G depends only on
  // itself.
  std::string packages() const {
    return folder_.file("packages.tsv", "B\tA\nC\tA\nD\tB\nD\tC\nF\tE\nG\tG\n");
  }

  scratch_folder folder_;
};

TEST_F(pagerank_command, says_in_a_few_lines_what_it_found) {
  const auto result = shell("$p pagerank " + packages() + " --top 3 --pes 3");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr(folder_.path("packages.tsv") + ": 7 vertices, 6 edges"));
  EXPECT_THAT(result.output, HasSubstr("vertices of the highest ranks\n"));
  for (const char* measured : {"edges/s", "trials", "verified", "blocked"})
    EXPECT_THAT(result.output, Not(HasSubstr(measured)));
  EXPECT_LE(std::ranges::count(result.output, '\n'), 12);
}

TEST_F(pagerank_command, has_the_json_of_ranks_without_rates) {
  const auto json = json_of("$p pagerank " + packages() + " --top 1 --pes 2");
  EXPECT_EQ(json["name"], "pagerank");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["parameters"]["damping"], 0.85);
  EXPECT_FALSE(json["parameters"].contains("trials"));
  EXPECT_EQ(json["convergence"]["converged"], true);
  EXPECT_EQ(json["top"].size(), 1U);
  for (const char* metric : {"seconds", "read_seconds", "build_seconds", "bytes_peak"})
    EXPECT_EQ(json["metrics"][metric]["values"].size(), 1U) << metric;
  for (const char* metric : {"rate", "rate_per_core"})
    EXPECT_FALSE(json["metrics"].contains(metric)) << metric;
}

// Each edge of a METIS file has no direction, and stands for two arcs.
TEST_F(pagerank_command, follows_edges_without_direction_both_ways) {
  const auto star = folder_.file("star.metis", "5 4\n2 3 4 5\n1\n1\n1\n1\n");
  const auto json = json_of("$p pagerank " + star + " --verify --pes 2");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["parameters"]["directed"], false);
  EXPECT_EQ(json["top"][0]["vertex"], 0);
  const auto refused = shell("$p pagerank " + star + " --directed --pes 2");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output, HasSubstr("--directed: the edges of"));
}

TEST_F(pagerank_command, follows_the_edges_of_files_one_way) {
  const auto json = json_of("$p pagerank " + packages() + " --verify --pes 3");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["parameters"]["directed"], true);
  ASSERT_EQ(json["top"].size(), 7U);
  EXPECT_EQ(json["top"][0]["name"], "A");
  const auto both = json_of("$p pagerank " + packages() + " --undirected --verify");
  EXPECT_EQ(both["parameters"]["directed"], false);
  EXPECT_EQ(both["graph"]["arcs"], 10);
}

TEST_F(pagerank_command, shows_ranks_that_can_be_computed_by_hand) {
  // Vertex 0 sends half of its rank to vertex 1 and half to vertex 2. The only edge of vertex 2 is
  // a loop, so the rank of vertex 2 is divided among all vertices.
  const auto file = folder_.file("a.el", "0 1\n0 2\n1 2\n0 2\n2 2\n");
  const auto result = shell("$p pagerank " + file + " --damping 1 --max-iterations 1");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("not converged after 1 iteration: the last changed the "));
  EXPECT_THAT(result.output, HasSubstr("ranks by 0.556 in all, not less than 0.0001"));
  EXPECT_THAT(result.output, HasSubstr("       0.611111  2\n       0.277778  1\n"));
  EXPECT_THAT(result.output, HasSubstr("       0.111111  0\n"));
}

TEST_F(pagerank_command, names_the_vertices_of_the_highest_ranks) {
  const auto edges = folder_.file("a.el", "3 1\n2 1\n0 2\n");
  const auto names = folder_.file("names", "zero\none\ntwo\nthree\nfour\n");
  const auto result = shell("$p pagerank " + edges + " --names " + names + " --verify --pes 2");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("vertices of the highest ranks\n"));
  EXPECT_THAT(result.output, HasSubstr("  one\n"));
  EXPECT_THAT(result.output, HasSubstr("verified: the result is right"));
  const auto far = folder_.file("far.el", "7000000000 5\n8 5\n");
  const auto json = json_of("$p pagerank " + far + " --compact --verify --pes 2");
  EXPECT_EQ(json["top"][0]["vertex"], 5);
}

TEST_F(pagerank_command, follows_arcs_as_often_as_they_weigh) {
  // The two edges from vertex 0 to vertex 1 together weigh 3, so vertex 1 gets 3/4 of the rank of
  // vertex 0.
  const auto file = folder_.file("a.wel", "0 1 1\n0 2 1\n1 0 5\n2 0 5\n0 1 2\n3 0 0\n");
  const auto json = json_of("$p pagerank " + file +
                            " --weighted --damping 1 --max-iterations 1 --verify --pes 3");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["parameters"]["weighted"], true);
  // Vertex 3 has no arc with a weight above 0, so the rank of vertex 3 is divided among all
  // vertices.
  const double everybody = 0.25 * 0.25;
  EXPECT_NEAR(json["top"][0]["rank"].get<double>(), 0.5 + everybody, 1e-12);
  EXPECT_NEAR(json["top"][1]["rank"].get<double>(), 0.75 * 0.25 + everybody, 1e-12);
  const auto columns = folder_.file("a.csv", "0,1,x,5\n1,0,y,7\n");
  EXPECT_NE(shell("$p pagerank --pes 2 --weighted --weights 4 " + columns)
                .output.find("weights: of the file, column 4\nleft out: 1 column of the file\n"),
            std::string::npos);
  const auto plain = folder_.file("b.el", "0 1\n");
  expect_refusal("$p pagerank --weighted --pes 2 " + plain,
                 "--weighted: " + plain + " has no weights");
  const auto negative = folder_.file("c.wel", "0 1 4\n1 2 -3\n");
  expect_refusal("$p pagerank --weighted --pes 2 " + negative,
                 "--weighted: " + negative +
                     " has an edge of weight -3, and rank goes over none below 0");
}

TEST_F(pagerank_command, takes_graphs_without_edges) {
  const auto ranked = [&](const std::string& text) {
    const auto json = json_of("$p pagerank " + folder_.file("a.el", text) + " --verify --pes 3");
    EXPECT_EQ(json["verified"], true);
    return json.value("top", nlohmann::json()).size();
  };
  EXPECT_EQ(ranked(""), 0U);
  EXPECT_EQ(ranked("0 0\n"), 1U);
  EXPECT_EQ(ranked("4 4\n4 4\n"), 5U);
}

TEST_F(pagerank_command, refuses_bad_flags_and_files) {
  const auto ranks = "$p pagerank " + packages();
  expect_refusal(ranks + " --damping 1.5", "--damping: 1.5 is out of range (0 to 1)");
  expect_refusal(ranks + " --tolerance -1", "--tolerance: -1 is out of range (0 to 2)");
  expect_refusal(ranks + " --max-iterations 0",
                 "--max-iterations: 0 is out of range (1 to 1000000)");
  expect_refusal(ranks + " --top 1001", "--top: 1001 is out of range (0 to 1000)");
  expect(ranks + " --damping x", 2, "--damping: ");
  EXPECT_EQ(shell(ranks + " --directed --undirected").status, 2);
  expect("$p pagerank --top 5", 2, "GRAPH");
  const auto missing = folder_.path("missing.el");
  expect_refusal("$p pagerank --pes 3 " + missing,
                 missing + ": cannot open: No such file or directory");
  const auto far = folder_.file("far.el", "0 281474976710655\n");
  expect("$p pagerank --pes 2 " + far, 2,
         far + ": loading about 281,474,976,710,656 vertices and 1 edge takes ");
}

}  // namespace
}  // namespace atl::app
