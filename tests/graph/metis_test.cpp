#include "graph/headed_files.hpp"

namespace {

using namespace atl;

class metis : public headed_files {
 protected:
  metis() : headed_files("a.metis") {}
};

TEST_F(metis, each_edge_is_read_once) {
  const text_edges expected = {{"0", "1", ""}, {"0", "2", ""}, {"1", "2", ""}};
  EXPECT_EQ(edges_in("% four\n4 3\n2 3\n1  3\n% two\n 1\t2 \n\n"), expected);
  const auto list = read_edges(folder_.path(name_));
  EXPECT_EQ(list.declared->vertices, 4u);
  EXPECT_TRUE(list.undirected);
  EXPECT_EQ(edges_in("4 3 0\r\n2 3\r\n1 3\r\n2 1\r\n\r\n\n\n"), expected);
}

TEST_F(metis, duplicates_and_loops_are_kept) {
  const text_edges expected = {{"0", "0", ""}, {"0", "1", ""}, {"0", "1", ""}};
  EXPECT_EQ(edges_in("2 3\n1 1 2 2\n1 1\n"), expected);
}

TEST_F(metis, the_format_tells_what_stands_beside_the_neighbours) {
  const text_edges weighted = {{"0", "1", "7"}, {"0", "2", "-1"}};
  const text_edges plain = {{"0", "1", ""}, {"0", "2", ""}};
  EXPECT_EQ(edges_in("3 2 1\n2 7 3 -1\n1 7\n1 -1\n"), weighted);
  EXPECT_EQ(edges_in("3 2 001\n2 7 3 -1\n1 7\n1 -1\n"), weighted);
  EXPECT_EQ(edges_in("3 2 10\n9 2 3\n9 1\n9 1\n"), plain);
  EXPECT_EQ(edges_in("3 2 11 1\n9 2 7 3 -1\n9 1 7\n9 1 -1\n"), weighted);
  EXPECT_EQ(edges_in("3 2 100\n9 2 3\n9 1\n9 1\n"), plain);
  EXPECT_EQ(edges_in("3 2 111 2\n9 8 8 2 7 3 -1\n9 8 8 1 7\n9 8 8 1 -1\n"), weighted);
}

TEST_F(metis, a_line_may_be_of_any_length) {
  std::string text = "30000 29999\n";
  for (int i = 2; i <= 30000; ++i) text += std::to_string(i) + ' ';
  for (int i = 2; i <= 30000; ++i) text += "\n1";
  options_.longest_line = 100;
  EXPECT_EQ(edges_in(text + "\n").size(), 29999u);
}

TEST_F(metis, a_head_that_is_none) {
  EXPECT_EQ(error_in("% one\n"), ":1:1: the file has no line of the numbers of vertices and edges");
  EXPECT_EQ(error_in("x\n"), ":1:1: expected the number of vertices, found 'x'");
  EXPECT_EQ(error_in("3\n"), ":1:2: expected the number of edges, found the end of the line");
  EXPECT_EQ(error_in("3 2 2\n"), ":1:5: expected a format of three digits, 0 or 1, found '2'");
  EXPECT_EQ(error_in("3 2 0001\n"),
            ":1:5: expected a format of three digits, 0 or 1, found '0001'");
  EXPECT_EQ(error_in("3 2 1 1\n"),
            ":1:7: expected no weights of vertices, as the format has none, found '1'");
  EXPECT_EQ(error_in("3 2 10 1 1\n"), ":1:10: expected the end of the line, found '1'");
}

TEST_F(metis, lines_that_are_wrong) {
  EXPECT_EQ(error_in("2 1\n3\n1\n"), ":2:1: neighbour '3' is out of range (1 to 2)");
  EXPECT_EQ(error_in("2 1\n2\n0\n"), ":3:1: neighbour '0' is out of range (1 to 2)");
  EXPECT_EQ(error_in("2 1\n2 x\n1\n"), ":2:3: expected neighbour, found 'x'");
  EXPECT_EQ(error_in("2 1 1\n2\n1 1\n"), ":2:2: expected a weight, found the end of the line");
  EXPECT_EQ(error_in("2 1 10\n\n1 1\n"),
            ":2:1: expected a size or weight of the vertex, found the end of the line");
  EXPECT_EQ(error_in("2 1\n2\n1\n\n7\n"),
            ":5:1: expected no more than 2 lines of vertices, found '7'");
}

TEST_F(metis, an_edge_to_itself_may_stand_once) {
  const text_edges once = {{"0", "0", "2"}, {"0", "1", "1"}, {"1", "2", "5"}};
  EXPECT_EQ(edges_in("3 3 1\n1 2\t2 1\t\n1 1\t3 5\n2 5\n"), once);
  const text_edges thrice = {{"0", "0", ""}, {"0", "0", ""}, {"0", "0", ""}, {"0", "1", ""}};
  EXPECT_EQ(edges_in("2 4\n1 1 2 1\n1\n"), thrice);
  EXPECT_EQ(error_in("2 2\n1 1 1 2\n1\n"), ":1:3: it has more edges than this line says: 2");
}

TEST_F(metis, counts_that_are_wrong) {
  EXPECT_EQ(error_in("3 1\n2\n1\n"), ":1:3: it has 2 lines of vertices, and this line says 3");
  EXPECT_EQ(error_in("2 2\n2\n1\n"), ":1:3: it has 1 edges, and this line says 2");
  EXPECT_EQ(error_in("2 0\n2\n1\n"), ":1:3: it has more edges than this line says: 0");
}

TEST_F(metis, edges_that_stand_at_one_end_only) {
  EXPECT_EQ(error_in("3 2\n2\n3\n1\n"),
            ":2:1: vertex 1 has the neighbour 2, which has not 1 with the same weight");
  EXPECT_EQ(error_in("2 1 1\n2 7\n1 8\n"),
            ":2:1: vertex 1 has the neighbour 2, which has not 1 with the same weight");
  EXPECT_EQ(error_in("3 2\n2\n1 3 \n  2 1\n"),
            ":4:5: vertex 3 has the neighbour 1, which has not 3 with the same weight");
  EXPECT_EQ(error_in("2 1 1\n1 3 1 4 2 7\n1 7\n"),
            ":2:1: vertex 1 has the neighbour 1, which has not 1 with the same weight");
}

TEST_F(metis, parts_know_the_vertex_of_their_first_line) {
  std::string text = "5000 5000\n";
  for (int i = 0; i < 5000; ++i) {
    if (i % 7 == 0) text += "% comment\n";
    text += std::to_string((i + 4999) % 5000 + 1) + ' ' + std::to_string((i + 1) % 5000 + 1) + '\n';
  }
  EXPECT_EQ(edges_in(text).size(), 5000u);
}

}  // namespace
