// Tests `atoll bench pagerank` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"
#include "tests/app/vertex_file.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

class pagerank_bench : public testing::Test {
 protected:
  scratch_folder folder_;
};

TEST_F(pagerank_bench, finds_the_same_on_any_number_of_pes) {
  nlohmann::json first;
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
      const auto json = json_of(fmt::format(
          "$p bench pagerank --scale 9 --edge-factor 2 --trials 2 --verify --pes {} {} 2>/dev/null",
          pes, kind));
      EXPECT_EQ(json["verified"], true);
      if (first.is_null()) first = json;
      EXPECT_EQ(json["convergence"]["iterations"], first["convergence"]["iterations"]);
      ASSERT_EQ(json["top"].size(), 10U);
      EXPECT_EQ(json["top"][0]["vertex"], first["top"][0]["vertex"]) << pes << " PEs, " << kind;
    }
  }
}

TEST_F(pagerank_bench, measures_and_tells_about_every_pe) {
  const auto json =
      json_of("$p bench pagerank --scale 8 --edge-factor 8 --trials 2 --pes 2 --top 1");
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
  EXPECT_GT(json["graph"]["scanned_edges"], 0);
  EXPECT_EQ(json["top"].size(), 1U);
}

TEST_F(pagerank_bench, ids_of_64_bits_find_the_same) {
  const std::string command =
      "$p bench pagerank --scale 9 --edge-factor 1 --trials 1 --verify --pes 3";
  const auto wide = json_of(command + " --wide-ids");
  EXPECT_EQ(wide["graph"]["id_bits"], 64);
  EXPECT_EQ(wide["top"], json_of(command)["top"]);
}

TEST_F(pagerank_bench, stands_beside_the_limit_on_the_same_graph) {
  const auto file = folder_.file("a.el", "0 1\n1 2\n2 2\n5 4\n");
  for (const auto& graph : {std::string("--scale 10 --edge-factor 4"), file + " --undirected"}) {
    const auto result =
        shell_apart("$p bench pagerank " + graph +
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
  expect("$p bench pagerank " + file + " --trials 1 --compare --pes 1", 0,
         "limit and peers are left out");
}

TEST_F(pagerank_bench, takes_random_graphs_of_every_kind) {
  const auto directed =
      json_of("$p bench pagerank --scale 6 --directed --trials 1 --verify --pes 2");
  EXPECT_EQ(directed["verified"], true);
  EXPECT_EQ(directed["parameters"]["directed"], true);
  const auto weighted =
      json_of("$p bench pagerank --scale 8 --weighted --verify --trials 1 --pes 3");
  EXPECT_EQ(weighted["verified"], true);
  EXPECT_EQ(weighted["parameters"]["weighted"], true);
  EXPECT_EQ(json_of("$p bench pagerank --scale 0 --verify --pes 2")["top"][0]["rank"], 1);
}

TEST_F(pagerank_bench, writes_ranks) {
  const auto star = folder_.file("star.el", "1 0\n2 0\n3 0\n");
  const auto path = folder_.path("ranks.csv");
  expect("$p bench pagerank " + star + " --trials 1 --verify --pes 3 -o " + path, 0, "verified");
  const auto rows = rows_of(content_of(path), "vertex,rank", ',');
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows.at("1"), rows.at("3"));
  EXPECT_GT(std::stod(rows.at("0")[0]), 2 * std::stod(rows.at("1")[0]));
}

TEST_F(pagerank_bench, refuses_bad_flags) {
  expect("$p bench pagerank --algorithm plain", 2, "unknown flag --algorithm");
  expect_refusal("$p bench pagerank --damping 1.5", "--damping: 1.5 is out of range (0 to 1)");
  EXPECT_EQ(shell("$p bench pagerank --directed --undirected").status, 2);
  EXPECT_EQ(shell("$p bench pagerank " + folder_.file("a.el", "0 1\n") + " --scale 5").status, 2);
  expect("$p bench pagerank --scale 12 --pes 1 --memory-limit 1MiB", 2,
         "--memory-limit allows 1 MiB");
}

}  // namespace
}  // namespace atl::app
