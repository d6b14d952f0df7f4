// `atoll pagerank` as a user starts it.

#include "app/pagerank_text.hpp"
#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

// An error that ends the command with status 2 in one line.
void expect_no_ranks(const std::string& command, const std::string& line) {
  const auto result = shell(command);
  EXPECT_EQ(result.status, 2) << command << "\n" << result.output;
  EXPECT_EQ(result.output, "atoll: error: " + line + "\n") << command;
}

class pagerank_command : public testing::Test {
 protected:
  // Four packages need each other, two stand apart, and one needs itself only.
  std::string packages() const {
    return folder_.file("packages.tsv", "B\tA\nC\tA\nD\tB\nD\tC\nF\tE\nG\tG\n");
  }

  scratch_folder folder_;
};

TEST_F(pagerank_command, finds_the_same_on_any_number_of_pes) {
  nlohmann::json first;
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
      const auto json = json_of(fmt::format(
          "$p pagerank --scale 9 --edge-factor 2 --trials 2 --verify --pes {} {} 2>/dev/null", pes,
          kind));
      EXPECT_EQ(json["verified"], true);
      EXPECT_LE(json["wrong_ranks"]["largest_deviation"], 1e-12);
      if (first.is_null()) first = json;
      EXPECT_EQ(json["convergence"]["iterations"], first["convergence"]["iterations"]);
      ASSERT_EQ(json["top"].size(), 10U);
      EXPECT_EQ(json["top"][0]["vertex"], first["top"][0]["vertex"]) << pes << " PEs, " << kind;
    }
  }
}

// Each edge of a METIS file stands for both directions.
TEST_F(pagerank_command, follows_edges_without_direction_both_ways) {
  const auto star = folder_.file("star.metis", "5 4\n2 3 4 5\n1\n1\n1\n1\n");
  const auto json = json_of("$p pagerank " + star + " --trials 1 --verify --pes 2");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["parameters"]["directed"], false);
  EXPECT_EQ(json["top"][0]["vertex"], 0);
  const auto refused = shell("$p pagerank " + star + " --directed --pes 2");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output, HasSubstr("--directed: the edges of"));
}

TEST_F(pagerank_command, measures_and_tells_about_every_pe) {
  const auto json = json_of("$p pagerank --scale 8 --edge-factor 8 --trials 2 --pes 2 --top 1");
  EXPECT_EQ(json["name"], "pagerank");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["parameters"]["scale"], 8);
  EXPECT_EQ(json["parameters"]["directed"], false);
  EXPECT_EQ(json["parameters"]["algorithm"], "blocked");
  EXPECT_EQ(json["parameters"]["damping"], 0.85);
  EXPECT_EQ(json["parameters"]["tolerance"], 1e-4);
  EXPECT_EQ(json["parameters"]["max_iterations"], 100);
  EXPECT_EQ(json["graph"]["vertices"], 256);
  EXPECT_EQ(json["graph"]["input_edges"], 8 * 256);
  EXPECT_EQ(json["metrics"]["rate"]["unit"], "edges/s");
  EXPECT_EQ(json["metrics"]["rate"]["values"].size(), 2U);
  EXPECT_GT(json["metrics"]["seconds"]["median"], 0);
  EXPECT_GT(json["metrics"]["plan_seconds"]["median"], 0);
  EXPECT_EQ(json["convergence"]["converged"], true);
  EXPECT_LT(json["convergence"]["residual"], 1e-4);
  ASSERT_EQ(json["per_pe"].size(), 2U);
  for (const auto& pe : json["per_pe"]) EXPECT_GT(pe["scanned_edges"], 0);
  EXPECT_EQ(json["top"].size(), 1U);
}

TEST_F(pagerank_command, follows_the_edges_of_files_one_way) {
  const auto json = json_of("$p pagerank " + packages() + " --trials 1 --verify --pes 3");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["parameters"]["directed"], true);
  ASSERT_EQ(json["top"].size(), 7U);
  EXPECT_EQ(json["top"][0]["name"], "A");
  const auto both = json_of("$p pagerank " + packages() + " --undirected --trials 1 --verify");
  EXPECT_EQ(both["parameters"]["directed"], false);
  EXPECT_EQ(both["graph"]["arcs"], 10);
  const auto random = json_of("$p pagerank --scale 6 --directed --trials 1 --verify --pes 2");
  EXPECT_EQ(random["verified"], true);
  EXPECT_EQ(random["parameters"]["directed"], true);
}

TEST_F(pagerank_command, shows_ranks_that_can_be_computed_by_hand) {
  // Half of what 0 has goes to 1, and half to 2; 2 gives to everybody.
  const auto file = folder_.file("a.el", "0 1\n0 2\n1 2\n0 2\n2 2\n");
  const auto result = shell("$p pagerank " + file + " --damping 1 --max-iterations 1 --trials 1");
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

TEST_F(pagerank_command, by_delegates_finds_the_same) {
  for (const char* graph : {"--kind web --vertices 700 --edges-per-vertex 3.5", "--scale 8"}) {
    const auto command = fmt::format("$p pagerank {} --trials 1 --verify --pes 3", graph);
    const auto blocked = json_of(command);
    const auto plain = json_of(command + " --algorithm plain");
    EXPECT_EQ(plain["verified"], true);
    EXPECT_EQ(plain["parameters"]["algorithm"], "plain");
    EXPECT_EQ(plain["convergence"]["iterations"], blocked["convergence"]["iterations"]);
    EXPECT_EQ(plain["top"][0]["vertex"], blocked["top"][0]["vertex"]);
  }
}

TEST_F(pagerank_command, follows_arcs_as_often_as_they_weigh) {
  // Of what 0 has, 1 gets 3 of 4 parts, which two edges weigh together.
  const auto file = folder_.file("a.wel", "0 1 1\n0 2 1\n1 0 5\n2 0 5\n0 1 2\n3 0 0\n");
  const auto json = json_of("$p pagerank " + file +
                            " --weighted --damping 1 --max-iterations 1 --verify --pes 3");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["parameters"]["weighted"], true);
  const double everybody = 0.25 * 0.25;  // 3 follows nothing
  EXPECT_NEAR(json["top"][0]["rank"].get<double>(), 0.5 + everybody, 1e-12);
  EXPECT_NEAR(json["top"][1]["rank"].get<double>(), 0.75 * 0.25 + everybody, 1e-12);
  for (const char* algorithm : {"blocked", "plain"}) {
    const auto random = json_of(std::string("$p pagerank --scale 8 --weighted --verify --trials 1 "
                                            "--pes 3 --algorithm ") +
                                algorithm);
    EXPECT_EQ(random["verified"], true);
  }
  const auto plain = folder_.file("b.el", "0 1\n");
  expect_no_ranks("$p pagerank --weighted --pes 2 " + plain,
                  "--weighted: " + plain + " has no weights");
  const auto negative = folder_.file("c.wel", "0 1 4\n1 2 -3\n");
  expect_no_ranks("$p pagerank --weighted --pes 2 " + negative,
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
  EXPECT_EQ(json_of("$p pagerank --scale 0 --verify --pes 2")["top"][0]["rank"], 1);
}

TEST_F(pagerank_command, ids_of_64_bits_find_the_same) {
  const std::string command = "$p pagerank --scale 9 --edge-factor 1 --trials 1 --verify --pes 3";
  const auto wide = json_of(command + " --wide-ids");
  EXPECT_EQ(wide["graph"]["id_bits"], 64);
  EXPECT_EQ(wide["top"], json_of(command)["top"]);
}

TEST_F(pagerank_command, stands_beside_the_limit_on_the_same_graph) {
  const auto file = folder_.file("a.el", "0 1\n1 2\n2 2\n5 4\n");
  for (const auto& graph : {std::string("--scale 10 --edge-factor 4"), file + " --undirected"}) {
    const auto result =
        shell_apart("$p pagerank " + graph +
                    " --tolerance 1e-7 --damping 0.7 --trials 1 --pes 2 --compare --json -");
    ASSERT_EQ(result.status, 0) << graph;
    const auto json = nlohmann::json::parse(result.output);
    if (!json.contains("programs")) GTEST_SKIP() << "atoll-limit-pagerank is not built";
    const auto& limit = json["programs"]["limit"][0];
    EXPECT_EQ(limit["vertices"], json["graph"]["vertices"]);
    EXPECT_EQ(limit["input_edges"], json["graph"]["input_edges"]);
    EXPECT_EQ(limit["iterations"], json["convergence"]["iterations"]);
    EXPECT_EQ(json["metrics"]["fraction_of_limit"]["values"].size(), 1U);
    for (const std::string peer : {"openmpi", "mpich", "tpetra"})
      EXPECT_EQ(json["programs"].contains("peer:" + peer),
                is_there("atoll-peer-pagerank-" + peer) && graph.starts_with("--"))
          << peer;
    for (const auto& [name, lines] : json["programs"].items()) {
      EXPECT_EQ(lines[0]["iterations"], json["convergence"]["iterations"]) << name;
      EXPECT_EQ(lines[0]["input_edges"], json["graph"]["input_edges"]) << name;
    }
  }
  expect("$p pagerank " + file + " --trials 1 --compare --pes 1", 0,
         "limit and peers are left out");
}

TEST_F(pagerank_command, refuses_bad_flags_and_files) {
  expect_no_ranks("$p pagerank --algorithm block",
                  "--algorithm: \"block\" is none of blocked, plain");
  expect_no_ranks("$p pagerank --damping 1.5", "--damping: 1.5 is out of range (0 to 1)");
  expect_no_ranks("$p pagerank --tolerance -1", "--tolerance: -1 is out of range (0 to 2)");
  expect_no_ranks("$p pagerank --max-iterations 0",
                  "--max-iterations: 0 is out of range (1 to 1000000)");
  expect_no_ranks("$p pagerank --top 1001", "--top: 1001 is out of range (0 to 1000)");
  expect("$p pagerank --damping x", 2, "--damping: ");
  EXPECT_EQ(shell("$p pagerank --directed --undirected").status, 2);
  EXPECT_EQ(shell("$p pagerank " + packages() + " --scale 5").status, 2);
  const auto missing = folder_.path("missing.el");
  expect_no_ranks("$p pagerank --pes 3 " + missing,
                  missing + ": cannot open: No such file or directory");
  const auto far = folder_.file("far.el", "0 281474976710655\n");
  expect("$p pagerank --pes 2 " + far, 2,
         far + ": loading about 281,474,976,710,656 vertices and 1 edge takes ");
  expect("$p pagerank --scale 12 --pes 1 --memory-limit 1MiB", 2, "--memory-limit allows 1 MiB");
}

TEST(pagerank_text, tells_wrong_ranks_and_no_figures) {
  pagerank_findings found;
  found.size = {10, 20};
  found.pes = {{10, 40, 9000, 5, 100}};
  found.trials.resize(2);
  found.trials[1].found = {3, 0.25};
  report result("pagerank", settings{});
  result.add({"rate", "edges/s", 1e6});
  pagerank_flags flags;
  flags.common.verify = true;
  result.verified(found.right());
  describe(result, flags, found);
  EXPECT_TRUE(result.wrong());
  const auto text = result.text();
  EXPECT_THAT(text, HasSubstr("wrong ranks: 3 vertices are off the ranks of the edges read, by up "
                              "to 0.25 of what they must be"));
  EXPECT_THAT(text, Not(HasSubstr("converged")));
  EXPECT_THAT(text, Not(HasSubstr("edges/s")));
}

}  // namespace
}  // namespace atl::app
