// Tests `atoll cc` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <algorithm>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class cc_command : public testing::Test {
 protected:
  // The packages A to D are connected. E and F form a second component, and G depends only on
  // itself.
  std::string packages() const {
    return folder_.file("packages.tsv", "B\tA\nC\tA\nD\tB\nD\tC\nF\tE\nG\tG\n");
  }

  scratch_folder folder_;
};

TEST_F(cc_command, says_in_a_few_lines_what_it_found) {
  const auto result = shell("$p cc " + packages() + " --pes 3");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr(folder_.path("packages.tsv") + ": 7 vertices, 6 edges"));
  EXPECT_THAT(result.output, HasSubstr("3 components, 1 of them a single vertex\n"));
  for (const char* measured : {"edges/s", "rate", "trials", "verified", "algorithm"})
    EXPECT_THAT(result.output, Not(HasSubstr(measured)));
  EXPECT_LE(std::ranges::count(result.output, '\n'), 15);
}

TEST_F(cc_command, has_the_json_of_components_without_rates) {
  const auto json = json_of("$p cc " + packages() + " --largest 1 --pes 2");
  EXPECT_EQ(json["name"], "cc");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["graph"]["vertices"], 7);
  EXPECT_EQ(json["graph"]["input_edges"], 6);
  EXPECT_FALSE(json["parameters"].contains("trials"));
  ASSERT_EQ(json["largest"].size(), 1U);
  EXPECT_EQ(json["largest"][0]["vertices"], 4);
  for (const char* metric : {"seconds", "read_seconds", "build_seconds", "bytes_peak"})
    EXPECT_EQ(json["metrics"][metric]["values"].size(), 1U) << metric;
  for (const char* metric : {"rate", "rate_per_core"})
    EXPECT_FALSE(json["metrics"].contains(metric)) << metric;
}

TEST_F(cc_command, names_the_smallest_vertices_of_the_largest_components) {
  const auto json = json_of("$p cc " + packages() + " --verify --pes 3");
  EXPECT_EQ(json["components"], 3);
  EXPECT_EQ(json["single_vertices"], 1);
  EXPECT_EQ(json["components_by_power_of_two"], (std::vector<int>{1, 1, 1}));
  ASSERT_EQ(json["largest"].size(), 3U);
  EXPECT_EQ(json["largest"][0]["vertices"], 4);
  EXPECT_EQ(json["largest"][1]["vertices"], 2);
  EXPECT_EQ(json["largest"][2]["name"], "G");
  const auto edges = folder_.file("a.el", "3 1\n2 0\n1 1\n1 3\n");
  const auto names = folder_.file("names", "zero\none\ntwo\nthree\nfour\n");
  const auto result = shell("$p cc " + edges + " --names " + names + " --verify --pes 2");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("3 components, 1 of them a single vertex\n"));
  EXPECT_THAT(result.output, HasSubstr(" 2  (40.0 %)  zero\n"));
  EXPECT_THAT(result.output, HasSubstr(" 2  (40.0 %)  one\n"));
  EXPECT_THAT(result.output, HasSubstr(" 1  (20.0 %)  four\n"));
}

TEST_F(cc_command, takes_graphs_without_edges) {
  const auto sizes = [&](const std::string& text) {
    const auto json = json_of("$p cc " + folder_.file("a.el", text) + " --verify --pes 3");
    EXPECT_EQ(json["verified"], true);
    return json["components"].get<int>();
  };
  EXPECT_EQ(sizes(""), 0);
  EXPECT_EQ(sizes("0 0\n"), 1);
  EXPECT_EQ(sizes("4 4\n4 4\n"), 5);
}

TEST_F(cc_command, refuses_bad_flags_and_files) {
  expect_refusal("$p cc --largest 1001 " + packages(),
                 "--largest: 1001 is out of range (0 to 1000)");
  expect("$p cc --largest 5", 2, "GRAPH");
  const auto missing = folder_.path("missing.el");
  expect_refusal("$p cc --pes 3 " + missing, missing + ": cannot open: No such file or directory");
  const auto far = folder_.file("far.el", "0 281474976710655\n");
  expect("$p cc --pes 2 " + far, 2,
         far + ": loading about 281,474,976,710,656 vertices and 1 edge takes ");
}

}  // namespace
}  // namespace atl::app
