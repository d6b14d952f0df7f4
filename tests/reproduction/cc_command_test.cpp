#include "graph/scratch_file.hpp"
#include "tests/app/answer_files.hpp"
#include "tests/app/shell.hpp"

namespace atl::reproduction {
namespace {

using namespace app;

TEST(cc_by_traversals, finds_the_same_and_counts_its_use) {
  const std::string graph = "cc --scale 9 --edge-factor 2 --trials 1 --verify ";
  const auto expected = json_of("$p bench " + graph + "--pes 1");
  EXPECT_EQ(expected.count("set"), 0U);
  for (const char* form : {"delegates", "simple", "combining", "tuned"}) {
    const auto json = json_of("$papers " + graph + "--pes 3 --traversals 5 --set " + form);
    EXPECT_EQ(json["verified"], true) << form;
    EXPECT_EQ(json["parameters"]["set"], form);
    EXPECT_EQ(json["parameters"]["algorithm"], "traversals");
    for (const char* part : {"components", "single_vertices", "largest"})
      EXPECT_EQ(json[part], expected[part]) << form << ", " << part;
    EXPECT_GE(json["set"]["traversals"], 5) << "a PE that comes late may find nothing to begin at";
    EXPECT_GE(json["set"]["inserts_tried"], json["set"]["unique"]);
    EXPECT_GE(json["set"]["inserts_tried"], json["set"]["inserts_sent"]);
  }
  expect("$papers cc --scale 9 --trials 1 --verify --pes 2", 0, " tried ");
}

TEST(cc_by_traversals, writes_the_labels) {
  const scratch_folder folder;
  const auto path = folder.path("labels.csv");
  const auto graph = folder.file("a.el", "0 2\n2 5\n4 3\n");
  expect("$papers cc " + graph + " --trials 1 --verify --pes 3 -o " + path, 0, "verified");
  EXPECT_EQ(content_of(path), "vertex,label\n0,0\n1,1\n2,0\n3,3\n4,3\n5,0\n");
}

TEST(cc_by_traversals, refuse_bad_flags) {
  expect_refusal("$papers cc --set tunned",
                 "--set: \"tunned\" is none of delegates, simple, combining, tuned");
  expect_refusal("$papers cc --traversals 0", "--traversals: 0 is out of range (1 to 1000000)");
  for (const std::string flag : {"--algorithm", "--set", "--traversals"})
    expect("$p bench cc " + flag + " 3", 2, "unknown flag " + flag);
}

}  // namespace
}  // namespace atl::reproduction
