// `atoll bfs` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;

// An error that ends the command with status 2 in one line.
void expect_refusal(const std::string& command, const std::string& line) {
  const auto result = shell(command);
  EXPECT_EQ(result.status, 2) << command << "\n" << result.output;
  EXPECT_EQ(result.output, "atoll: error: " + line + "\n") << command;
}

class bfs_command : public testing::Test {
 protected:
  // A is needed by B and C, those by D; E and F stand apart.
  std::string packages() const {
    return folder_.file("packages.tsv", "B\tA\nC\tA\nD\tB\nD\tC\nF\tE\n");
  }

  scratch_folder folder_;
};

TEST_F(bfs_command, finds_the_same_on_any_number_of_pes) {
  nlohmann::json first;
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const char* kind : {"process", "thread"}) {
      auto json = json_of(fmt::format("$p bfs --scale 9 --roots 4 --trials 1 --verify --pes {} "
                                      "--pe-kind {} 2>/dev/null",
                                      pes, kind));
      EXPECT_EQ(json["verified"], true);
      for (auto& search : json["searches"]) {
        search.erase("seconds");
        search.erase("rate");
      }
      if (first.is_null()) first = json;
      EXPECT_EQ(json["searches"], first["searches"]) << pes;
      EXPECT_EQ(json["levels"], first["levels"]) << pes;
      EXPECT_EQ(json["graph"]["arcs"], first["graph"]["arcs"]) << pes;
      EXPECT_LE(json["graph"]["balance"], 1.5) << pes;
    }
  }
}

TEST_F(bfs_command, through_a_queue_finds_the_same_and_stands_beside_the_usual_search) {
  const std::string graph = "$p bfs --scale 9 --roots 3 --trials 2 --verify --pes 3";
  const auto expected = json_of(graph);
  EXPECT_EQ(expected["metrics"].count("rate_without_queue"), 0U);
  for (const char* form : {"delegates", "simple", "combining", "relaxed"}) {
    const auto json = json_of(graph + " --queue " + form);
    EXPECT_EQ(json["verified"], true) << form;
    EXPECT_EQ(json["parameters"]["queue"], form);
    EXPECT_EQ(json["levels"], expected["levels"]) << form;
    EXPECT_EQ(json["metrics"]["rate_without_queue"]["values"].size(), 2U) << form;
  }
  expect_refusal("$p bfs --queue comb",
                 "--queue: \"comb\" is none of delegates, simple, combining, relaxed");
}

TEST_F(bfs_command, measures_and_tells_about_every_pe) {
  const auto json = json_of("$p bfs --scale 8 --edge-factor 8 --roots 3 --trials 2 --pes 2");
  EXPECT_EQ(json["name"], "bfs");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["parameters"]["scale"], 8);
  EXPECT_EQ(json["parameters"]["edge_factor"], 8);
  EXPECT_EQ(json["graph"]["vertices"], 256);
  EXPECT_EQ(json["graph"]["input_edges"], 8 * 256);
  EXPECT_EQ(json["graph"]["id_bits"], 32);
  const auto& metrics = json["metrics"];
  EXPECT_EQ(metrics["rate"]["unit"], "edges/s");
  EXPECT_EQ(metrics["rate"]["values"].size(), 2U);
  EXPECT_GT(metrics["seconds"]["median"], 0);
  EXPECT_GT(metrics["build_seconds"]["median"], 0);
  EXPECT_GT(metrics["bytes_peak"]["median"], 0);
  ASSERT_EQ(json["searches"].size(), 3U);
  EXPECT_GT(json["searches"][0]["rate"], 0);
  ASSERT_EQ(json["per_pe"].size(), 2U);
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;
  for (const auto& pe : json["per_pe"]) {
    vertices += pe["vertices"].get<std::uint64_t>();
    arcs += pe["arcs"].get<std::uint64_t>();
    EXPECT_GT(pe["bytes"], 0);
    EXPECT_GT(pe["scanned_edges"], 0);
  }
  EXPECT_EQ(vertices, 256U);
  EXPECT_EQ(json["graph"]["arcs"], arcs);
}

TEST_F(bfs_command, ids_of_64_bits_find_the_same) {
  const std::string command = "$p bfs --scale 9 --roots 3 --trials 1 --verify --pes 3";
  const auto narrow = json_of(command);
  const auto wide = json_of(command + " --wide-ids");
  EXPECT_EQ(wide["graph"]["id_bits"], 64);
  EXPECT_EQ(wide["verified"], true);
  EXPECT_EQ(wide["levels"], narrow["levels"]);
}

TEST_F(bfs_command, follows_edges_in_the_direction_asked_for) {
  const auto from = [&](const std::string& flags) {
    return json_of("$p bfs " + packages() + " --trials 1 --verify --pes 2 --root " + flags);
  };
  EXPECT_EQ(from("A --directed in")["levels"], (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(from("A --directed out")["levels"], (std::vector<int>{1}));
  EXPECT_EQ(from("D --directed out")["levels"], (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(from("B")["levels"], (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(from("F")["levels"], (std::vector<int>{1, 1}));
}

TEST_F(bfs_command, tells_levels_and_a_path_by_names) {
  const auto needed = "$p bfs " + packages() + " --directed in --root A --trials 1 --pes 3 ";
  expect(needed + "--levels", 0, "4 of 6 vertices reached from A in 3 levels\n");
  expect(needed + "--levels", 0, "    2               1  D\n");
  const auto path = shell(needed + "--path-to D");
  EXPECT_THAT(path.output, HasSubstr("a path of 2 edges from A to D\n"));
  EXPECT_TRUE(path.output.find("  A <- B <- D\n") != std::string::npos ||
              path.output.find("  A <- C <- D\n") != std::string::npos)
      << path.output;
  expect(needed + "--path-to F", 0, "no path leads from A to F\n");
  expect("$p bfs " + packages() + " --directed out --root D --path-to A --pes 1", 0, " -> A\n");
  const auto json = json_of(needed + "--path-to D");
  EXPECT_EQ(json["path"].size(), 3U);
  EXPECT_EQ(json["searches"][0]["name"], "A");
}

TEST_F(bfs_command, takes_names_from_a_file) {
  const auto edges = folder_.file("a.el", "0 1\n1 2\n");
  const auto command = "$p bfs " + edges + " --trials 1 --pes 2 --names " +
                       folder_.file("names", "zero\none\ntwo\n7\nfour\n");
  expect(command + " --root zero --path-to two", 0, "  zero - one - two\n");
  expect(command + " --root two", 0, "3 of 5 vertices reached from two in 3 levels");
  expect(command + " --root 2", 0, "3 of 5 vertices reached from two in 3 levels");
  expect(command + " --root 7", 0, "1 of 5 vertices reached from 7 in 1 level\n");  // the name
}

TEST_F(bfs_command, searches_from_each_root_that_is_named) {
  const auto result = shell("$p bfs " + packages() + " --root A --root E --trials 1 --pes 2");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("4 of 6 vertices reached from A in 3 levels\n"
                                       "2 of 6 vertices reached from E in 2 levels\n"));
}

TEST_F(bfs_command, stands_beside_the_limit_on_the_same_graph_and_roots) {
  const auto compared = [](const std::string& flags) {
    const auto result =
        shell_apart("$p bfs " + flags + " --roots 5 --trials 1 --pes 2 --compare --json -");
    EXPECT_EQ(result.status, 0) << flags;
    return nlohmann::json::parse(result.output);
  };
  const auto file = folder_.file("a.el", "0 1\n1 2\n2 2\n5 4\n");
  for (const auto& flags : {std::string("--scale 10 --edge-factor 4"), file}) {
    const auto json = compared(flags);
    if (!json.contains("programs")) GTEST_SKIP() << "atoll-limit-bfs is not built";
    const auto& limit = json["programs"]["limit"][0];
    EXPECT_EQ(limit["vertices"], json["graph"]["vertices"]);
    EXPECT_EQ(limit["input_edges"], json["graph"]["input_edges"]);
    EXPECT_EQ(limit["roots"], json["searches"].size());
    EXPECT_EQ(json["metrics"]["fraction_of_limit"]["values"].size(), 1U);
    for (const char* library : {"openmpi", "mpich"})
      for (const char* algorithm : {"edges", "bitmaps"}) {
        const bool is_built = is_there(fmt::format("atoll-peer-bfs-{}", library));
        const auto name = fmt::format("peer:{}-{}", library, algorithm);
        EXPECT_EQ(json["programs"].contains(name), is_built && flags != file) << name;
      }
    for (const auto& [name, lines] : json["programs"].items()) {
      EXPECT_EQ(lines[0]["roots"], json["searches"].size()) << name;
      EXPECT_EQ(lines[0]["input_edges"], json["graph"]["input_edges"]) << name;
    }
  }
  expect("$p bfs --scale 5 --root 1 --trials 1 --compare --pes 1", 0,
         "limit and peers are left out");
}

TEST_F(bfs_command, prints_no_warning_of_the_stall_detector) {
  const auto result = shell("$p bfs --scale 15 --pes 2 --roots 2 --trials 1 --verify");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.find("without a switch"), std::string::npos) << result.output;
}

TEST_F(bfs_command, refuses_bad_flags) {
  expect_refusal("$p bfs --pes 0", "--pes: 0 is out of range (1 to 16384)");
  expect_refusal("$p bfs --scal 9", "unknown flag --scal, did you mean --scale?");
  expect_refusal("ATOLL_PESS=1 $p bfs", "unknown variable ATOLL_PESS, did you mean ATOLL_PES?");
  expect_refusal("$p bfs --scale 49", "--scale: 49 is out of range (0 to 48)");
  expect_refusal("$p bfs --roots 0", "--roots: 0 is out of range (1 to 10000)");
  expect_refusal("$p bfs --directed up", "--directed: \"up\" is neither out nor in");
  expect_refusal("$p bfs --names x", "--names: x names the vertices of a GRAPH, and none is given");
  EXPECT_EQ(shell("$p bfs " + packages() + " --scale 5").status, 2);
  EXPECT_EQ(shell("$p bfs --scale 5 --root 1 --roots 5").status, 2);
  expect_refusal("$p bfs --scale 5 --kind uniform --kind kronecker",
                 "--kind: given more than once");
}

TEST_F(bfs_command, refuses_bad_files) {
  const auto missing = folder_.path("missing.el");
  expect_refusal("$p bfs --pes 3 " + missing, missing + ": cannot open: No such file or directory");
  const auto bad = folder_.file("bad.el", "0 1\n1 2\n2 x\n");
  expect_refusal("$p bfs --pes 1 " + bad, bad + ":3:3: expected an integer vertex id, found 'x'");
  EXPECT_THAT(shell("$p bfs --pes 5 2>&1 " + bad).output, HasSubstr(":3:3: expected an integer"));
  EXPECT_EQ(shell("$p bfs " + folder_.file("a.npy", "")).status, 2);
  const auto empty = folder_.file("empty.el", "");
  expect_refusal("$p bfs --pes 2 " + empty, empty + ": there is no edge to search");
  const auto loop = folder_.file("loop.el", "0 0\n");
  expect_refusal("$p bfs --pes 2 " + loop, loop + ": there is no edge to search");
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
  expect("$p bfs --scale 40 --pes 2", 2,
         "atoll: error: --scale 40 --edge-factor 16: searching 1,099,511,627,776 vertices and "
         "17,592,186,044,416 edges needs about ");
  const auto far = folder_.file("far.el", "0 281474976710655\n");
  expect("$p bfs --pes 2 " + far, 2,
         far + ": loading about 281,474,976,710,656 vertices and 1 edge takes ");
  expect("$p bfs --scale 12 --pes 1 --memory-limit 1MiB", 2, "--memory-limit allows 1 MiB");
  const auto dense = folder_.path("dense.el");
  ASSERT_EQ(shell("$p generate --scale 14 -o " + dense).status, 0);
  for (const std::string pes : {"1", "2", "7"}) {
    for (const std::string command : {"bfs --roots 1", "cc", "pagerank"}) {
      expect("$p " + command + " --trials 1 --memory-limit 2MiB --pes " + pes + " " + dense, 2,
             dense + ": loading about 16,");
      expect("$p " + command + " --trials 1 --memory-limit 2MiB --pe-kind thread --pes " + pes +
                 " " + dense,
             2, "--memory-limit allows 2 MiB");
    }
  }
  const auto many = folder_.file("many.el", std::string(1 << 20, '\n') + "0 1\n");
  EXPECT_EQ(shell("$p bfs --root 0 --pes 2 " + many).status, 0);
}

}  // namespace
}  // namespace atl::app
