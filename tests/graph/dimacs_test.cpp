#include "graph/headed_files.hpp"

namespace {

using namespace atl;

class dimacs : public headed_files {
 protected:
  dimacs() : headed_files("a.gr") {}
};

TEST_F(dimacs, arcs_are_edges_with_a_weight) {
  const text_edges expected = {{"0", "1", "7"}, {"0", "1", "7"}, {"3", "3", "-1"}};
  EXPECT_EQ(edges_in("c road\n\np sp 4 3\na 1 2 7\nc\na 4\t4 -1 \r\n a 01 2 7"), expected);
  const auto list = read_edges(folder_.path(name_));
  EXPECT_EQ(list.declared->vertices, 4u);
  EXPECT_FALSE(list.undirected);
}

TEST_F(dimacs, a_head_that_is_none) {
  EXPECT_EQ(error_in(""), ":1:1: the file has no line 'p sp VERTICES ARCS'");
  EXPECT_EQ(error_in("c one\nc two\n"), ":1:1: the file has no line 'p sp VERTICES ARCS'");
  EXPECT_EQ(error_in("c one\na 1 2 3\n"),
            ":2:1: expected 'p sp', as the first line that is no comment begins, found 'a'");
  EXPECT_EQ(error_in("p edge 2 1\n"),
            ":1:3: expected 'sp', the problem of shortest paths, found 'edge'");
  EXPECT_EQ(error_in("p sp 2\n"), ":1:7: expected the number of arcs, found the end of the line");
  EXPECT_EQ(error_in("p sp 2 -1\n"),
            ":1:8: the number of arcs '-1' is out of range (0 to 281474976710655)");
  EXPECT_EQ(error_in("p sp 2 1 1\n"), ":1:10: expected the end of the line, found '1'");
}

TEST_F(dimacs, arcs_that_are_wrong) {
  const auto error_of = [this](std::string_view line) {
    return error_in("p sp 2 1\n" + std::string(line) + "\n");
  };
  EXPECT_EQ(error_of("e 1 2"), ":2:1: expected 'a', as an arc begins, found 'e'");
  EXPECT_EQ(error_of("p sp 2 1"), ":2:1: expected 'a', as an arc begins, found 'p'");
  EXPECT_EQ(error_of("a 1 3 1"), ":2:5: vertex '3' is out of range (1 to 2)");
  EXPECT_EQ(error_of("a 1 2"), ":2:6: expected a weight, found the end of the line");
  EXPECT_EQ(error_of("a 1 2 x"), ":2:7: expected a weight, found 'x'");
  EXPECT_EQ(error_of("a 1 2 1 1"), ":2:9: expected the end of the line, found '1'");
}

TEST_F(dimacs, counts_that_are_wrong) {
  EXPECT_EQ(error_in("p sp 2 2\na 1 2 7\n"), ":1:8: it has 1 arcs, and this line says 2");
  EXPECT_EQ(error_in("c\np sp 2 0\na 1 2 7\n"), ":2:8: it has more arcs than this line says: 0");
}

}  // namespace
