// Tests `atoll bench cc` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

class cc_bench : public testing::Test {
 protected:
  // The packages A to D are connected. E and F form a second component, and G depends only on
  // itself.
  std::string packages() const {
    return folder_.file("packages.tsv", "B\tA\nC\tA\nD\tB\nD\tC\nF\tE\nG\tG\n");
  }

  scratch_folder folder_;
};

TEST_F(cc_bench, finds_the_same_on_any_number_of_pes) {
  nlohmann::json first;
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
      const auto json = json_of(fmt::format(
          "$p bench cc --scale 9 --edge-factor 2 --trials 2 --verify --pes {} {} 2>/dev/null", pes,
          kind));
      EXPECT_EQ(json["verified"], true);
      if (first.is_null()) first = json;
      for (const char* part :
           {"components", "single_vertices", "components_by_power_of_two", "largest"}) {
        EXPECT_FALSE(json[part].is_null()) << part;
        EXPECT_EQ(json[part], first[part]) << pes << " PEs, " << kind << ", " << part;
      }
    }
  }
}

TEST_F(cc_bench, takes_random_graphs_of_every_kind) {
  const auto file = folder_.path("web.el");
  ASSERT_EQ(
      shell("$p generate --kind web --vertices 3000 --edges-per-vertex 0.7 --seed 1 -o " + file)
          .status,
      0);
  const auto json =
      json_of("$p bench cc --kind web --vertices 3000 --edges-per-vertex 0.7 --trials 1 "
              "--verify --pes 3 2>/dev/null");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["parameters"]["kind"], "web");
  EXPECT_EQ(json["parameters"]["vertices"], 3000);
  EXPECT_EQ(json["parameters"]["edges_per_vertex"], 0.7);
  EXPECT_EQ(json["graph"]["input_edges"], 2100);
  const auto of_file = json_of("$p bench cc " + file + " --trials 1 --pes 2 2>/dev/null");
  EXPECT_EQ(json["largest"][0], of_file["largest"][0]);
  const auto uniform =
      json_of("$p bench cc --kind uniform --scale 8 --trials 1 --verify 2>/dev/null");
  EXPECT_EQ(uniform["components"], 1);
  expect_refusal("$p bench cc --vertices 1000",
                 "vertices: 1000: a Kronecker graph has 2^scale vertices");
  expect_refusal("$p bench cc --kind grid", "--kind: \"grid\" is none of kronecker, uniform, web");
}

TEST_F(cc_bench, measures_and_tells_about_every_pe) {
  const auto json = json_of("$p bench cc --scale 8 --edge-factor 8 --trials 2 --pes 2 --largest 1");
  EXPECT_EQ(json["name"], "cc");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["parameters"]["scale"], 8);
  EXPECT_EQ(json["parameters"]["edge_factor"], 8);
  EXPECT_EQ(json["parameters"]["algorithm"], "afforest");
  EXPECT_EQ(json["graph"]["vertices"], 256);
  EXPECT_EQ(json["graph"]["input_edges"], 8 * 256);
  EXPECT_EQ(json["metrics"]["rate"]["unit"], "edges/s");
  EXPECT_EQ(json["metrics"]["rate"]["values"].size(), 2U);
  EXPECT_GT(json["metrics"]["seconds"]["median"], 0);
  EXPECT_GT(json["metrics"]["build_seconds"]["median"], 0);
  ASSERT_EQ(json["per_pe"].size(), 2U);
  for (const auto& pe : json["per_pe"]) EXPECT_GT(pe["bytes"], 0);
  EXPECT_GT(json["graph"]["scanned_edges"], 0);
  ASSERT_EQ(json["largest"].size(), 1U);
  EXPECT_GT(json["largest"][0]["vertices"], 128);
}

TEST_F(cc_bench, ids_of_64_bits_find_the_same) {
  const std::string command = "$p bench cc --scale 9 --edge-factor 1 --trials 1 --verify --pes 3";
  const auto wide = json_of(command + " --wide-ids");
  EXPECT_EQ(wide["graph"]["id_bits"], 64);
  EXPECT_EQ(wide["largest"], json_of(command)["largest"]);
}

TEST_F(cc_bench, stands_beside_the_limit_on_the_same_graph) {
  const auto file = folder_.file("a.el", "0 1\n1 2\n2 2\n5 4\n");
  for (const auto& graph : {std::string("--scale 10 --edge-factor 4"), file}) {
    const auto result =
        shell_apart("$p bench cc " + graph + " --trials 1 --pes 2 --compare --json -");
    ASSERT_EQ(result.status, 0) << graph;
    const auto json = nlohmann::json::parse(result.output);
    if (!json.contains("programs")) GTEST_SKIP() << "atoll-limit-cc is not built";
    const auto& limit = json["programs"]["limit"][0];
    EXPECT_EQ(limit["vertices"], json["graph"]["vertices"]);
    EXPECT_EQ(limit["input_edges"], json["graph"]["input_edges"]);
    EXPECT_EQ(limit["components"], json["components"]);
    EXPECT_EQ(json["metrics"]["fraction_of_limit"]["values"].size(), 1U);
  }
  expect("$p bench cc " + packages() + " --trials 1 --compare --pes 1", 0, "limit is left out");
}

TEST_F(cc_bench, writes_the_labels) {
  const auto path = folder_.path("labels.csv");
  const auto graph = folder_.file("a.el", "0 2\n2 5\n4 3\n");
  for (const char* flags : {"--pes 1", "--pes 3"}) {
    expect("$p bench cc " + graph + " --trials 1 --verify " + flags + " -o " + path, 0, "verified");
    EXPECT_EQ(content_of(path), "vertex,label\n0,0\n1,1\n2,0\n3,3\n4,3\n5,0\n") << flags;
  }
}

TEST_F(cc_bench, refuses_bad_flags) {
  expect_refusal("$p bench cc --scale 49", "--scale: 49 is out of range (0 to 48)");
  expect_refusal("$p bench cc --names x",
                 "--names: x names the vertices of a GRAPH, and none is given");
  EXPECT_EQ(shell("$p bench cc " + packages() + " --scale 5").status, 2);
  expect("$p bench cc --scale 12 --pes 1 --memory-limit 1MiB", 2, "--memory-limit allows 1 MiB");
}

TEST_F(cc_bench, takes_a_graph_of_one_vertex) {
  EXPECT_EQ(json_of("$p bench cc --scale 0 --verify --pes 2")["components"], 1);
}

}  // namespace
}  // namespace atl::app
