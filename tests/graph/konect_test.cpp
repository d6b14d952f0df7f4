#include "graph/headed_files.hpp"

namespace {

using namespace atl;

class konect : public headed_files {
 protected:
  konect() : headed_files("out.a") {}
};

TEST_F(konect, edges_are_counted_from_1_on) {
  const text_edges expected = {{"0", "1", ""}, {"0", "1", ""}, {"2", "2", ""}};
  EXPECT_EQ(edges_in("% sym unweighted\n% 3 4 4\n1 2\n3\t3 \r\n1 2"), expected);
  const auto list = read_edges(folder_.path(name_));
  EXPECT_EQ(list.declared->vertices, 4u);
  EXPECT_TRUE(list.undirected);
  EXPECT_EQ(edges_in("% asym unweighted\n1 2\n3 3\n% end\n1 2\n"), expected);
  EXPECT_FALSE(read_edges(folder_.path(name_)).undirected);
  EXPECT_FALSE(read_edges(folder_.path(name_)).declared);
}

TEST_F(konect, weights_are_kept_and_times_are_not) {
  const text_edges expected = {{"0", "1", "5"}, {"1", "0", "-1"}};
  EXPECT_EQ(edges_in("% asym multisigned\n1 2 5 1138206644\n2 1 -1.0 1.5e9\n"), expected);
  const text_edges without = {{"0", "1", ""}, {"1", "0", ""}};
  EXPECT_EQ(edges_in("% asym unweighted\n1 2 1 1138206644\n2 1 1\n"), without);
  EXPECT_EQ(edges_in("% asym weighted\n1 2 5\n2 1 0.5\n"), without);
}

TEST_F(konect, a_number_of_edges_is_1_where_it_is_missing) {
  const text_edges expected = {{"0", "1", "2"}, {"1", "2", "1"}, {"2", "0", "4"}};
  EXPECT_EQ(edges_in("% asym positive\n1 2 2\n2 3\n3 1 4 1000000\n"), expected);
  const text_edges without = {{"0", "1", ""}, {"1", "2", ""}};
  EXPECT_EQ(edges_in("% asym signed\n1 2 -1\n2 3\n"), without);
  const auto list = read_edges(folder_.path(name_));
  EXPECT_EQ(std::string(list.weights_fault->what()),
            folder_.path(name_) + ":3:4: the line has no weight");
}

TEST_F(konect, the_right_set_comes_after_the_left_one) {
  const text_edges expected = {{"0", "3", ""}, {"1", "6", ""}};
  EXPECT_EQ(edges_in("% bip unweighted\n% 2 3 4\n1 1\n2 4\n"), expected);
  EXPECT_EQ(read_edges(folder_.path(name_)).declared->vertices, 7u);
  const text_edges by_largest = {{"0", "2", ""}, {"1", "5", ""}};
  EXPECT_EQ(edges_in("% bip unweighted\n1 1\n2 4\n"), by_largest);
}

TEST_F(konect, a_head_that_is_none) {
  EXPECT_EQ(error_in(""), ":1:1: expected '% sym', '% asym' or '% bip', found an empty file");
  EXPECT_EQ(error_in("1 2\n"), ":1:1: expected '% sym', '% asym' or '% bip', found '1'");
  EXPECT_EQ(error_in("% directed weighted\n"),
            ":1:3: expected 'sym', 'asym' or 'bip', found 'directed'");
  EXPECT_EQ(error_in("% sym heavy\n"),
            ":1:7: expected a kind of weights, such as 'unweighted', found 'heavy'");
  EXPECT_EQ(error_in("% bip unweighted\n% 1 281474976710655 2\n1 1\n"),
            ":2:21: both sets together have 2^48 vertices or more");
}

TEST_F(konect, edges_that_are_wrong) {
  const std::string head = "% bip signed\n% 1 2 3\n";
  EXPECT_EQ(error_in(head + "3 3 1\n"), ":3:1: vertex '3' is out of range (1 to 2)");
  EXPECT_EQ(error_in(head + "2 4 1\n"), ":3:3: vertex '4' is out of range (1 to 3)");
  EXPECT_EQ(error_in(head + "2 0 1\n"), ":3:3: vertex '0' is out of range (1 to 3)");
  EXPECT_EQ(error_in(head + "2 x 1\n"), ":3:3: expected vertex, found 'x'");
  EXPECT_EQ(error_in(head + "2 1 1 noon\n"), ":3:7: expected a time, found 'noon'");
  EXPECT_EQ(error_in(head + "2 1 1 1 1\n"), ":3:9: expected the end of the line, found '1'");
  EXPECT_EQ(error_in("% bip unweighted\n1 x\n0 1\n"), ":2:3: expected vertex, found 'x'");
}

TEST_F(konect, counts_that_are_wrong) {
  EXPECT_EQ(error_in("% sym unweighted\n% 2 2 2\n1 2\n"),
            ":2:3: it has 1 edges, and this line says 2");
  EXPECT_EQ(error_in("% sym unweighted\n% 0 2 2\n1 2\n"),
            ":2:3: it has more edges than this line says: 0");
}

}  // namespace
