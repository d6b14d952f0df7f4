// Tests commands with graphs of LDBC Graphalytics, which consist of two files: NAME.e for edges and
// NAME.v for vertices.

#include "tests/app/graphalytics_files.hpp"
#include "tests/app/shell.hpp"
#include "tests/app/vertex_file.hpp"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace atl::app {
namespace {

class graphalytics : public testing::Test {
 protected:
  // Runs the command and returns the rows of its output file.
  vertex_table written(const std::string& command, int pes, const std::string& titles) const {
    const auto path = files_.path("out.csv");
    expect(fmt::format("$p {} --pes {} --verify --output {}", command, pes, path), 0, "verified");
    return rows_of(content_of(path), titles, ',');
  }

  graphalytics_files files_;
};

// ---- the published results

TEST_F(graphalytics, searches_have_the_published_distances) {
  const std::map<std::string, std::string> directed = {{"1", "0"}, {"3", "1"}, {"4", "2"},
                                                       {"5", "1"}, {"8", "2"}, {"10", "2"}};
  const std::map<std::string, std::string> undirected = {{"2", "0"}, {"3", "1"}, {"4", "1"},
                                                         {"5", "2"}, {"6", "3"}, {"7", "4"},
                                                         {"8", "2"}, {"9", "4"}, {"10", "4"}};
  for (const int pes : {1, 2, 3, 5}) {
    const auto check = [&](const std::string& flags, const auto& expected) {
      const auto rows = written("bfs " + flags, pes, "vertex,parent,distance");
      EXPECT_EQ(rows.size(), expected.size());
      for (const auto& [vertex, distance] : expected) EXPECT_EQ(rows.at(vertex)[1], distance);
    };
    check(files_.path("directed.e") + " --directed out --root 1", directed);
    check(files_.path("undirected.e") + " --root 2", undirected);
  }
}

TEST_F(graphalytics, paths_have_the_published_lengths) {
  const std::map<std::string, double> directed = {
      {"1", 0.000000000000000e+00}, {"3", 5.000000000000000e-01}, {"4", 8.300000000000001e-01},
      {"5", 3.000000000000000e-01}, {"8", 4.000000000000000e-01}, {"10", 1.020000000000000e+00}};
  const std::map<std::string, double> undirected = {
      {"2", 0.000000000000000e+00}, {"3", 8.200000000000000e-01}, {"4", 6.899999999999999e-01},
      {"5", 1.260000000000000e+00}, {"6", 1.780000000000000e+00}, {"7", 2.310000000000000e+00},
      {"8", 1.140000000000000e+00}, {"9", 2.010000000000000e+00}, {"10", 2.410000000000000e+00}};
  for (const int pes : {1, 2, 3, 5}) {
    const auto check = [&](const std::string& flags, const auto& expected) {
      const auto rows = written("paths " + flags, pes, "vertex,distance,parent");
      EXPECT_EQ(rows.size(), expected.size());
      for (const auto& [vertex, distance] : expected)
        EXPECT_DOUBLE_EQ(std::stod(rows.at(vertex)[0]), distance) << vertex;
    };
    check(files_.path("directed.e") + " --directed out --root 1", directed);
    check(files_.path("undirected.e") + " --root 2", undirected);
  }
}

TEST_F(graphalytics, components_have_the_published_labels) {
  for (const int pes : {1, 2, 3}) {
    for (const auto& row : written("cc " + files_.path("directed.e"), pes, "vertex,label"))
      EXPECT_EQ(row.second[0], "1") << row.first;
    for (const auto& row : written("cc " + files_.path("undirected.e"), pes, "vertex,label"))
      EXPECT_EQ(row.second[0], "2") << row.first;
  }
}

TEST_F(graphalytics, ranks_are_the_published_ones) {
  const std::map<std::string, double> directed = {{"1", 1.477629166666667e-01},
                                                  {"2", 4.753375e-02},
                                                  {"3", 1.550469444444444e-01},
                                                  {"4", 1.597573611111111e-01},
                                                  {"5", 1.4624e-01},
                                                  {"6", 4.753375e-02},
                                                  {"7", 4.753375e-02},
                                                  {"8", 1.135740277777778e-01},
                                                  {"9", 4.753375e-02},
                                                  {"10", 8.748375e-02}};
  const std::map<std::string, double> undirected = {
      {"2", 9.084490740740739e-02}, {"3", 1.424089506172839e-01}, {"4", 9.084490740740739e-02},
      {"5", 1.249891975308642e-01}, {"6", 1.686172839506173e-01}, {"7", 9.749537037037037e-02},
      {"8", 1.249891975308642e-01}, {"9", 9.749537037037037e-02}, {"10", 6.231481481481481e-02}};
  const std::string two = " --max-iterations 2 --tolerance 0";
  for (const int pes : {1, 2, 3}) {
    const auto check = [&](const std::string& flags, const auto& expected) {
      const auto rows = written("pagerank " + flags + two, pes, "vertex,rank");
      for (const auto& [vertex, rank] : expected)
        EXPECT_NEAR(std::stod(rows.at(vertex)[0]), rank, 1e-12) << vertex;
    };
    check(files_.path("directed.e") + " --directed", directed);
    check(files_.path("undirected.e") + " --undirected", undirected);
  }
}

// ---- vertices without edges, and ids with gaps

TEST_F(graphalytics, listed_vertices_without_an_edge_are_vertices) {
  files_.file("b.e", "7 70000000000\n");
  files_.file("b.v", "70000000000\n\n7\n12\n 3 \n7\n");
  for (const int pes : {1, 2, 3, 8}) {
    const auto rows = written("cc " + files_.path("b.e"), pes, "vertex,label");
    const vertex_table expected = {
        {"3", {"3"}}, {"7", {"7"}}, {"12", {"12"}}, {"70000000000", {"7"}}};
    EXPECT_EQ(rows, expected) << pes;
  }
  EXPECT_EQ(written("cc " + files_.path("b"), 2, "vertex,label").size(), 4U);
}

TEST_F(graphalytics, a_graph_without_edges_has_its_vertices) {
  files_.file("b.e", "");
  files_.file("b.v", "5\n9\n");
  EXPECT_EQ(written("cc " + files_.path("b.e"), 3, "vertex,label").size(), 2U);
}

TEST_F(graphalytics, edges_may_be_packed) {
  files_.file("b.e.gz", gzipped("1 2\n"));
  files_.file("b.v", "1\n2\n3\n");
  EXPECT_EQ(written("cc " + files_.path("b.e.gz"), 2, "vertex,label").size(), 3U);
}

// ---- errors

TEST_F(graphalytics, an_end_that_is_not_listed_is_an_error) {
  const auto edges = files_.file("b.e", "1 2\n2 4\n5 1\n");
  const auto listing = files_.file("b.v", "1\n2\n");
  for (const int pes : {1, 2})
    expect_refusal(
        fmt::format("$p cc {} --pes {}", edges, pes),
        fmt::format("{}: vertex 4 is an end of an edge, and {} does not list it", edges, listing));
}

TEST_F(graphalytics, a_list_with_other_content_is_an_error) {
  const auto edges = files_.file("b.e", "1 2\n");
  const auto listing = files_.file("b.v", "1\n2 7\n");
  expect_refusal("$p cc " + edges + " --pes 2",
                 listing + ":2:3: a line holds the id of one vertex, and this one goes on: '7'");
  files_.file("b.v", "1\nx\n");
  expect("$p cc " + edges + " --pes 3", 2, listing + ":2:1: ");
}

TEST_F(graphalytics, a_missing_list_is_an_error_that_names_it) {
  const auto edges = files_.file("c.e", "1 2\n");
  expect("$p cc " + edges + " --pes 2", 2, files_.path("c.v"));
}

// ---- conversion

TEST_F(graphalytics, conversion_writes_both_files) {
  const auto edges = files_.file("a.el", "0 1\n3 1\n");
  expect("$p convert " + edges + " " + files_.path("made.e"), 0, "made.e");
  EXPECT_EQ(content_of(files_.path("made.e")), "0 1\n3 1\n");
  EXPECT_EQ(content_of(files_.path("made.v")), "0\n1\n2\n3\n");
  EXPECT_EQ(written("cc " + files_.path("made.e"), 2, "vertex,label").size(), 4U);
}

TEST_F(graphalytics, conversion_keeps_weights) {
  const auto edges = files_.file("a.wel", "0 1 7\n2 1 -3\n");
  expect("$p convert " + edges + " " + files_.path("made.e"), 0, "made.e");
  EXPECT_EQ(content_of(files_.path("made.e")), "0 1 7\n2 1 -3\n");
  EXPECT_EQ(content_of(files_.path("made.v")), "0\n1\n2\n");
}

TEST_F(graphalytics, a_random_graph_is_not_written_edge_by_edge) {
  expect("$p generate --scale 4 -o " + files_.path("random.e"), 2, "atoll convert makes it");
}

}  // namespace
}  // namespace atl::app
