// Tests `atoll bfs` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class bfs_command : public testing::Test {
 protected:
  // The packages B and C depend on A, and D depends on B and C. F depends on E, and no edge leads
  // from E or F to another package.
  std::string packages() const {
    return folder_.file("packages.tsv", "B\tA\nC\tA\nD\tB\nD\tC\nF\tE\n");
  }
  /// Writes a file with a chain of `vertices` vertices. Vertex 0 is at one end of the chain.
  std::string chain(int vertices) const {
    std::string text;
    for (int v = 1; v < vertices; ++v) text += fmt::format("{} {}\n", v - 1, v);
    return folder_.file("chain.el", text);
  }

  scratch_folder folder_;
};

TEST_F(bfs_command, says_in_a_few_lines_what_it_found) {
  const auto command = "$p bfs " + packages() + " --root A --pes 3";
  const auto result = shell(command);
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr(folder_.path("packages.tsv") + ": 6 vertices, 5 edges"));
  EXPECT_THAT(result.output, HasSubstr("4 of 6 vertices reached from A in 3 levels\n"));
  for (const char* measured : {"edges/s", "rate", "trials", "verified", "random roots"})
    EXPECT_THAT(result.output, Not(HasSubstr(measured)));
  EXPECT_LE(std::ranges::count(result.output, '\n'), 6);
  expect(command + " --verify", 0, "verified: the result is right\n");
}

TEST_F(bfs_command, has_the_json_of_a_search_without_rates) {
  const auto json = json_of("$p bfs " + packages() + " --root A --path-to D --verify --pes 2");
  EXPECT_EQ(json["name"], "bfs");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["graph"]["vertices"], 6);
  EXPECT_EQ(json["levels"], (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(json["path"].size(), 3U);
  EXPECT_FALSE(json["parameters"].contains("trials"));
  ASSERT_EQ(json["searches"].size(), 1U);
  EXPECT_EQ(json["searches"][0]["name"], "A");
  EXPECT_EQ(json["searches"][0]["reached_vertices"], 4);
  for (const char* metric : {"seconds", "read_seconds", "build_seconds", "bytes_peak"})
    EXPECT_EQ(json["metrics"][metric]["values"].size(), 1U) << metric;
  for (const char* metric : {"rate", "rate_per_core"})
    EXPECT_FALSE(json["metrics"].contains(metric)) << metric;
  EXPECT_EQ(json_of("$p bfs " + packages() + " --root A --pes 2")["verified"], nullptr);
}

TEST_F(bfs_command, without_a_root_names_the_vertex_of_highest_degree) {
  const auto star = folder_.file("star.el", "3 0\n3 1\n3 2\n3 5\n4 5\n");
  for (const char* pes : {"1", "3", "5 --pe-kind thread", "2 --transport sim"}) {
    const auto refused = shell(fmt::format("$p bfs {} --pes {}", star, pes));
    EXPECT_EQ(refused.status, 2) << pes;
    EXPECT_THAT(refused.output, HasSubstr("--root")) << pes;
    EXPECT_THAT(refused.output, HasSubstr("--root 3")) << pes;
    EXPECT_THAT(refused.output, Not(HasSubstr("vertices reached"))) << pes;
  }
  const auto named = folder_.file("hub.tsv", "a\thub\nb\thub\nc\thub\nc\td\n");
  expect("$p bfs --pes 2 " + named, 2, "--root hub");
  const auto output = folder_.path("tree.csv");
  EXPECT_EQ(shell("$p bfs --pes 2 " + named + " -o " + output).status, 2);
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(bfs_command, follows_edges_in_the_direction_asked_for) {
  const auto from = [&](const std::string& flags) {
    return json_of("$p bfs " + packages() + " --verify --pes 2 --root " + flags);
  };
  EXPECT_EQ(from("A --directed in")["levels"], (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(from("A --directed out")["levels"], (std::vector<int>{1}));
  EXPECT_EQ(from("D --directed out")["levels"], (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(from("B")["levels"], (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(from("F")["levels"], (std::vector<int>{1, 1}));
}

TEST_F(bfs_command, tells_levels_and_a_path_by_names) {
  const auto needed = "$p bfs " + packages() + " --directed in --root A --pes 3 ";
  expect(needed + "--levels", 0, "4 of 6 vertices reached from A in 3 levels\n");
  expect(needed + "--levels", 0, "    0               1  A\n");
  expect(needed + "--levels", 0, "    2               1  D\n");
  const auto path = shell(needed + "--path-to D");
  EXPECT_THAT(path.output, HasSubstr("a path of 2 edges from A to D\n"));
  EXPECT_TRUE(path.output.find("  A <- B <- D\n") != std::string::npos ||
              path.output.find("  A <- C <- D\n") != std::string::npos)
      << path.output;
  expect(needed + "--path-to F", 0, "no path leads from A to F\n");
  expect("$p bfs " + packages() + " --directed out --root D --path-to A --pes 1", 0, " -> A\n");
  expect("$p bfs " + packages() + " --root F --path-to E --pes 1", 0, "  F - E\n");
}

TEST_F(bfs_command, shortens_what_is_long) {
  const auto far = shell("$p bfs " + chain(100) + " --root 0 --levels --path-to 99 --pes 3");
  EXPECT_EQ(far.status, 0);
  EXPECT_THAT(far.output, HasSubstr("100 of 100 vertices reached from 0 in 100 levels\n"));
  EXPECT_THAT(far.output, HasSubstr("  and so on to level 99\n"));
  EXPECT_THAT(far.output, HasSubstr("  0 - 1 - 2 - "));
  EXPECT_THAT(far.output, HasSubstr(" - 19 - ... - 80 - "));
  EXPECT_THAT(far.output, HasSubstr(" - 98 - 99\n"));
  std::string root, shortened, star;
  for (int i = 0; i < 30; ++i) root += "\xc3\xa4";
  for (int i = 0; i < 18; ++i) shortened += "\xc3\xa4";
  for (const char letter : {'b', 'c', 'd', 'e'})
    star += root + "\t" + std::string(30, letter) + "\n";
  const auto long_names = folder_.file("long.tsv", star);
  const auto result = shell("$p bfs " + long_names + " --root " + root + " --levels --pes 2");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("from " + shortened + "... in"));
  EXPECT_THAT(result.output, HasSubstr(", ...\n")) << "as many examples as a line holds";
}

TEST_F(bfs_command, takes_names_from_a_file) {
  const auto edges = folder_.file("a.el", "0 1\n1 2\n");
  const auto command =
      "$p bfs " + edges + " --pes 2 --names " + folder_.file("names", "zero\none\ntwo\n7\nfour\n");
  expect(command + " --root zero --path-to two", 0, "  zero - one - two\n");
  expect(command + " --root two", 0, "3 of 5 vertices reached from two in 3 levels");
  expect(command + " --root 2", 0, "3 of 5 vertices reached from two in 3 levels");
  // The command finds the vertex by its name 7, and not by an internal number.
  expect(command + " --root 7", 0, "1 of 5 vertices reached from 7 in 1 level\n");
}

TEST_F(bfs_command, refuses_bad_flags) {
  const auto graph = packages();
  expect_refusal("$p bfs --pes 0 " + graph, "--pes: 0 is out of range (1 to 16384)");
  expect_refusal("$p bfs --rot A " + graph, "unknown flag --rot, did you mean --root?");
  expect_refusal("ATOLL_PESS=1 $p bfs " + graph,
                 "unknown variable ATOLL_PESS, did you mean ATOLL_PES?");
  expect_refusal("$p bfs --root A --directed up " + graph,
                 "--directed: \"up\" is neither out nor in");
  expect("$p bfs --root A", 2, "GRAPH");
}

TEST_F(bfs_command, refuses_bad_files) {
  const auto missing = folder_.path("missing.el");
  expect_refusal("$p bfs --root 0 --pes 3 " + missing,
                 missing + ": cannot open: No such file or directory");
  const auto bad = folder_.file("bad.el", "0 1\n1 2\n2 x\n");
  expect_refusal("$p bfs --root 0 --pes 1 " + bad,
                 bad + ":3:3: expected an integer vertex id, found 'x'");
  EXPECT_THAT(shell("$p bfs --root 0 --pes 5 2>&1 " + bad).output,
              HasSubstr(":3:3: expected an integer"));
  EXPECT_EQ(shell("$p bfs --root 0 " + folder_.file("a.npy", "")).status, 2);
  const auto empty = folder_.file("empty.el", "");
  EXPECT_EQ(shell("$p bfs --pes 2 " + empty).status, 2);
  EXPECT_EQ(shell("$p bfs --root 0 --pes 2 " + empty).status, 2);
  const auto loop = folder_.file("loop.el", "0 0\n");
  EXPECT_EQ(shell("$p bfs --root 0 --verify --pes 2 " + loop).status, 0);
}

TEST_F(bfs_command, refuses_vertices_that_are_not_there) {
  const auto named = "$p bfs --pes 2 " + packages();
  expect_refusal(named + " --root AA", "--root: no vertex is called \"AA\", did you mean A?");
  expect_refusal(named + " --root zebra", "--root: no vertex is called \"zebra\"");
  expect_refusal(named + " --root A --path-to 12345", "--path-to: no vertex is called \"12345\"");
  const auto plain = "$p bfs --pes 2 " + folder_.file("a.el", "0 3\n");
  expect_refusal(plain + " --root 4", "--root: 4 is out of range (0 to 3)");
  expect_refusal(plain + " --root 99999999999999999999",
                 "--root: 99999999999999999999 is out of range (0 to 3)");
  expect_refusal(plain + " --root a",
                 "--root: \"a\" is no vertex id, and the vertices have no names");
}

TEST_F(bfs_command, refuses_a_graph_larger_than_memory) {
  const auto far = folder_.file("far.el", "0 281474976710655\n");
  expect("$p bfs --root 0 --pes 2 " + far, 2,
         far + ": loading about 281,474,976,710,656 vertices and 1 edge takes ");
  const auto dense = folder_.path("dense.el");
  ASSERT_EQ(shell("$p generate --scale 14 -o " + dense).status, 0);
  for (const std::string pes : {"1", "2", "7"}) {
    for (const std::string command : {"bfs --root 0", "cc", "pagerank"}) {
      expect("$p " + command + " --memory-limit 2MiB --pes " + pes + " " + dense, 2,
             dense + ": loading about 16,");
      expect("$p " + command + " --memory-limit 2MiB --pe-kind thread --pes " + pes + " " + dense,
             2, "--memory-limit allows 2 MiB");
    }
  }
  const auto many = folder_.file("many.el", std::string(1 << 20, '\n') + "0 1\n");
  EXPECT_EQ(shell("$p bfs --root 0 --pes 2 " + many).status, 0);
}

}  // namespace
}  // namespace atl::app
