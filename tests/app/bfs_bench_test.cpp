// Tests `atoll bench bfs` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"
#include "tests/app/vertex_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;

class bfs_bench : public testing::Test {
 protected:
  // The packages B and C depend on A, and D depends on B and C. F depends on E, and no edge leads
  // from E or F to another package.
  std::string packages() const {
    return folder_.file("packages.tsv", "B\tA\nC\tA\nD\tB\nD\tC\nF\tE\n");
  }

  scratch_folder folder_;
};

TEST_F(bfs_bench, finds_the_same_on_any_number_of_pes) {
  nlohmann::json first;
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const char* kind : {"process", "thread"}) {
      auto json =
          json_of(fmt::format("$p bench bfs --scale 9 --roots 4 --trials 1 --verify --pes {} "
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

TEST_F(bfs_bench, measures_and_tells_about_every_pe) {
  const auto json = json_of("$p bench bfs --scale 8 --edge-factor 8 --roots 3 --trials 2 --pes 2");
  EXPECT_EQ(json["name"], "bfs");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["parameters"]["scale"], 8);
  EXPECT_EQ(json["parameters"]["edge_factor"], 8);
  EXPECT_EQ(json["parameters"]["trials"], 2);
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
  }
  EXPECT_EQ(vertices, 256U);
  EXPECT_EQ(json["graph"]["arcs"], arcs);
  EXPECT_GT(json["graph"]["scanned_edges"], 0);
}

TEST_F(bfs_bench, ids_of_64_bits_find_the_same) {
  const std::string command = "$p bench bfs --scale 9 --roots 3 --trials 1 --verify --pes 3";
  const auto narrow = json_of(command);
  const auto wide = json_of(command + " --wide-ids");
  EXPECT_EQ(wide["graph"]["id_bits"], 64);
  EXPECT_EQ(wide["verified"], true);
  EXPECT_EQ(wide["levels"], narrow["levels"]);
}

TEST_F(bfs_bench, describes_the_graph_and_the_searches) {
  // The graph has two cycles, of 4 and of 6 vertices, and a search reaches only one of them.
  const auto rings = folder_.file("rings.el", "0 1\n1 2\n2 3\n3 0\n4 5\n5 6\n6 7\n7 8\n8 9\n9 4\n");
  const auto result = shell("$p bench bfs " + rings + " --trials 1 --pes 2");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("graph: 10 vertices, 10 edges, 20 arcs kept in 32 bits"));
  EXPECT_THAT(result.output, HasSubstr("its share of the arcs\n"));
  EXPECT_THAT(result.output, HasSubstr("4 to 6 of 10 vertices reached in 3 to 4 levels, from 10 "
                                       "random roots\n"));
  EXPECT_THAT(result.output, HasSubstr("edges/s"));
  EXPECT_THAT(result.output, HasSubstr("not verified"));
  EXPECT_THAT(result.output, testing::Not(HasSubstr("levels from")));
  EXPECT_THAT(result.output, testing::Not(HasSubstr("rule")));
}

TEST_F(bfs_bench, searches_from_each_root_that_is_named) {
  const auto result = shell("$p bench bfs " + packages() + " --root A --root E --trials 1 --pes 2");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("4 of 6 vertices reached from A in 3 levels\n"
                                       "2 of 6 vertices reached from E in 2 levels\n"));
}

TEST_F(bfs_bench, writes_the_tree_of_the_first_root) {
  for (const int pes : {1, 3}) {
    const auto path = folder_.path("tree.csv");
    expect(fmt::format("$p bench bfs {} --root E --root A --trials 1 --verify --pes {} -o {}",
                       packages(), pes, path),
           0, "verified");
    const auto rows = rows_of(content_of(path), "vertex,parent,distance", ',');
    EXPECT_EQ(rows, (vertex_table{{"E", {"E", "0"}}, {"F", {"E", "1"}}})) << pes;
  }
}

TEST_F(bfs_bench, stands_beside_the_limit_on_the_same_graph_and_roots) {
  const auto compared = [](const std::string& flags) {
    const auto result =
        shell_apart("$p bench bfs " + flags + " --roots 5 --trials 1 --pes 2 --compare --json -");
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
  expect("$p bench bfs --scale 5 --root 1 --trials 1 --compare --pes 1", 0,
         "limit and peers are left out");
}

TEST_F(bfs_bench, prints_no_warning_of_the_stall_detector) {
  const auto result = shell("$p bench bfs --scale 15 --pes 2 --roots 2 --trials 1 --verify");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.find("without a switch"), std::string::npos) << result.output;
}

TEST_F(bfs_bench, refuses_bad_flags) {
  expect_refusal("$p bench bfs --pes 0", "--pes: 0 is out of range (1 to 16384)");
  expect_refusal("$p bench bfs --scal 9", "unknown flag --scal, did you mean --scale?");
  expect_refusal("ATOLL_PESS=1 $p bench bfs",
                 "unknown variable ATOLL_PESS, did you mean ATOLL_PES?");
  expect_refusal("$p bench bfs --scale 49", "--scale: 49 is out of range (0 to 48)");
  expect_refusal("$p bench bfs --roots 0", "--roots: 0 is out of range (1 to 10000)");
  expect_refusal("$p bench bfs --directed up", "--directed: \"up\" is neither out nor in");
  expect_refusal("$p bench bfs --names x",
                 "--names: x names the vertices of a GRAPH, and none is given");
  EXPECT_EQ(shell("$p bench bfs " + packages() + " --scale 5").status, 2);
  EXPECT_EQ(shell("$p bench bfs --scale 5 --root 1 --roots 5").status, 2);
  expect_refusal("$p bench bfs --scale 5 --kind uniform --kind kronecker",
                 "--kind: given more than once");
  expect_refusal("$p bench bfs --scale 5 --root 32", "--root: 32 is out of range (0 to 31)");
}

TEST_F(bfs_bench, refuses_graphs_without_an_edge) {
  const auto empty = folder_.file("empty.el", "");
  expect_refusal("$p bench bfs --pes 2 " + empty, empty + ": there is no edge to search");
  const auto loop = folder_.file("loop.el", "0 0\n");
  expect_refusal("$p bench bfs --pes 2 " + loop, loop + ": there is no edge to search");
}

TEST_F(bfs_bench, refuses_a_graph_larger_than_memory) {
  expect("$p bench bfs --scale 40 --pes 2", 2,
         "atoll: error: --scale 40 --edge-factor 16: searching 1,099,511,627,776 vertices and "
         "17,592,186,044,416 edges needs about ");
  expect("$p bench bfs --scale 12 --pes 1 --memory-limit 1MiB", 2, "--memory-limit allows 1 MiB");
  expect("$p bench bfs --scale 40 --pes 2 --output tree.el", 2,
         "atoll: error: --output: tree.el: the name does not say how to write: ");
}

}  // namespace
}  // namespace atl::app
