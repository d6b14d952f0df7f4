// Tests `atoll-papers pagerank` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"
#include "tests/app/vertex_file.hpp"

#include <fmt/format.h>

namespace atl::reproduction {
namespace {

using namespace app;

TEST(pagerank_of_papers, finds_what_the_product_finds) {
  for (const char* graph : {"--kind web --vertices 700 --edges-per-vertex 3.5", "--scale 8",
                            "--scale 8 --weighted", "--scale 7 --wide-ids --directed"}) {
    const auto flags = fmt::format("pagerank {} --trials 2 --verify --pes 3", graph);
    const auto blocked = json_of("$p bench " + flags);
    const auto plain = json_of("$papers " + flags);
    EXPECT_EQ(plain["name"], "pagerank");
    EXPECT_EQ(plain["verified"], true) << graph;
    EXPECT_EQ(plain["parameters"]["algorithm"], "plain");
    EXPECT_EQ(plain["graph"], blocked["graph"]) << graph;
    EXPECT_EQ(plain["convergence"]["iterations"], blocked["convergence"]["iterations"]) << graph;
    EXPECT_EQ(plain["top"][0]["vertex"], blocked["top"][0]["vertex"]) << graph;
  }
}

TEST(pagerank_of_papers, is_the_same_on_each_kind_of_pes) {
  for (const int pes : {1, 2, 5, 8}) {
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
      const auto json = json_of(fmt::format(
          "$papers pagerank --scale 9 --edge-factor 2 --trials 1 --verify --pes {} {} 2>/dev/null",
          pes, kind));
      EXPECT_EQ(json["verified"], true) << pes << " PEs, " << kind;
    }
  }
}

TEST(pagerank_of_papers, writes_ranks) {
  const scratch_folder folder;
  const auto star = folder.file("star.el", "1 0\n2 0\n3 0\n");
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    const auto path = folder.path("ranks.csv");
    expect(fmt::format("$papers pagerank {} --trials 1 --verify --pes {} -o {}", star, pes, path),
           0, "verified");
    const auto rows = rows_of(content_of(path), "vertex,rank", ',');
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows.at("1"), rows.at("3"));
    EXPECT_GT(std::stod(rows.at("0")[0]), 2 * std::stod(rows.at("1")[0]));
  }
}

}  // namespace
}  // namespace atl::reproduction
