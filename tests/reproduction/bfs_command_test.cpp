#include "graph/scratch_file.hpp"
#include "tests/app/answer_files.hpp"
#include "tests/app/shell.hpp"

namespace atl::reproduction {
namespace {

using namespace app;

TEST(bfs_through_a_queue, finds_the_same_and_stands_beside_the_usual_search) {
  const std::string graph = "bfs --scale 9 --roots 3 --trials 2 --verify --pes 3";
  const auto expected = json_of("$p bench " + graph);
  EXPECT_EQ(expected["metrics"].count("rate_without_queue"), 0U);
  for (const char* form : {"delegates", "simple", "combining", "relaxed"}) {
    const auto json = json_of("$papers " + graph + " --queue " + form);
    EXPECT_EQ(json["verified"], true) << form;
    EXPECT_EQ(json["parameters"]["queue"], form);
    EXPECT_EQ(json["levels"], expected["levels"]) << form;
    EXPECT_EQ(json["metrics"]["rate_without_queue"]["values"].size(), 2U) << form;
  }
  expect_refusal("$papers bfs --queue comb",
                 "--queue: \"comb\" is none of delegates, simple, combining, relaxed");
  expect_refusal("$p bench bfs --queue simple", "unknown flag --queue, see atoll bench bfs --help");
}

TEST(bfs_through_a_queue, writes_the_tree_of_the_first_root) {
  const scratch_folder folder;
  const auto graph = folder.file("a.el", "0 2\n2 5\n4 3\n");
  const auto path = folder.path("tree.csv");
  expect("$papers bfs " + graph + " --root 0 --trials 1 --verify --pes 3 -o " + path, 0,
         "verified");
  EXPECT_EQ(content_of(path), "vertex,parent,distance\n0,0,0\n2,0,1\n5,2,2\n");
}

}  // namespace
}  // namespace atl::reproduction
