#include "graph/headed_files.hpp"

namespace {

using namespace atl;

class matrix_market : public headed_files {
 protected:
  matrix_market() : headed_files("a.mtx") {}

  static std::string matrix(std::string_view kind, std::string_view rest) {
    return "%%MatrixMarket matrix coordinate " + std::string(kind) + "\n" + std::string(rest);
  }
};

TEST_F(matrix_market, entries_are_edges_from_row_to_column) {
  const auto text = matrix("pattern general", "% one\n\n3 3 4\n1 2\n 3\t1 \n%two\n1 2\n2 2");
  const text_edges expected = {{"0", "1", ""}, {"0", "1", ""}, {"1", "1", ""}, {"2", "0", ""}};
  EXPECT_EQ(edges_in(text), expected);
  const auto list = read_edges(folder_.path(name_));
  EXPECT_EQ(list.declared->vertices, 3u);
  EXPECT_FALSE(list.undirected);
  EXPECT_EQ(list.lines, 9u);
}

TEST_F(matrix_market, the_longer_side_counts_the_vertices) {
  edges_in(matrix("pattern general", "2 5 1\n2 5\n"));
  EXPECT_EQ(read_edges(folder_.path(name_)).declared->vertices, 5u);
  edges_in(matrix("pattern general", "7 5 0\n"));
  EXPECT_EQ(read_edges(folder_.path(name_)).declared->vertices, 7u);
}

TEST_F(matrix_market, symmetric_entries_have_no_direction) {
  const text_edges expected = {{"0", "0", "4"}, {"0", "1", "5"}, {"1", "0", "-3"}};
  EXPECT_EQ(edges_in(matrix("integer symmetric", "2 2 3\n1 1 4\n2 1 -3\n1 2 5\n")), expected);
  EXPECT_TRUE(read_edges(folder_.path(name_)).undirected);
}

TEST_F(matrix_market, real_weights_that_are_integers_are_kept) {
  const text_edges expected = {{"0", "0", "1000"}, {"0", "1", "2"}, {"1", "0", "-5"}};
  EXPECT_EQ(edges_in(matrix("real general", "2 2 3\n1 1 1e3\n1 2 +2.0\n2 1 -.5E1\n")), expected);
}

TEST_F(matrix_market, one_that_is_no_integer_leaves_all_edges_without) {
  const text_edges expected = {{"0", "0", ""}, {"0", "1", ""}, {"1", "0", ""}, {"1", "1", ""}};
  EXPECT_EQ(edges_in(matrix("real general", "2 2 4\n1 1 1\n1 2 2\n2 1 0.5\n2 2 0.25\n")), expected);
  const auto list = read_edges(folder_.path(name_));
  EXPECT_EQ(std::string(list.weights_fault->what()),
            folder_.path(name_) + ":5:5: weight '0.5' is no integer");
}

TEST_F(matrix_market, a_head_that_is_none) {
  EXPECT_EQ(error_in(""), ":1:1: expected '%%MatrixMarket matrix', found an empty file");
  EXPECT_EQ(error_in("1 2\n"), ":1:1: expected '%%MatrixMarket', found '1'");
  EXPECT_EQ(error_in("%%MatrixMarket matrix array real general\n2 2\n"),
            ":1:23: expected 'coordinate', as a graph is a sparse matrix, found 'array'");
  EXPECT_EQ(error_in("%%MatrixMarket vector coordinate real general\n"),
            ":1:16: expected 'matrix', found 'vector'");
  EXPECT_EQ(error_in(matrix("complex general", "1 1 0\n")),
            ":1:34: expected 'pattern', 'integer' or 'real', found 'complex'");
  EXPECT_EQ(error_in(matrix("real hermitian", "1 1 0\n")),
            ":1:39: expected 'general', 'symmetric' or 'skew-symmetric', found 'hermitian'");
  EXPECT_EQ(
      error_in(matrix("real", "1 1 0\n")),
      ":1:38: expected 'general', 'symmetric' or 'skew-symmetric', found the end of the line");
  EXPECT_EQ(error_in(matrix("real general x", "1 1 0\n")),
            ":1:47: expected the end of the line, found 'x'");
  EXPECT_EQ(error_in(matrix("real general", "% 1 1 0\n\n")),
            ":1:1: the file ends before the line of rows, columns and entries");
}

TEST_F(matrix_market, sizes_that_are_wrong) {
  EXPECT_EQ(error_in(matrix("pattern general", "2 x 1\n")),
            ":2:3: expected the number of columns, found 'x'");
  EXPECT_EQ(error_in(matrix("pattern general", "2 2\n1 1\n")),
            ":2:4: expected the number of entries, found the end of the line");
  EXPECT_EQ(error_in(matrix("pattern general", "281474976710656 1 0\n")),
            ":2:1: the number of rows '281474976710656' is out of range (0 to 281474976710655)");
  EXPECT_EQ(error_in(matrix("pattern general", "2 2 3\n1 1\n2 2\n")),
            ":2:5: it has 2 entries, and this line says 3");
  EXPECT_EQ(error_in(matrix("pattern general", "% one\n2 2 1\n1 1\n2 2\n")),
            ":3:5: it has more entries than this line says: 1");
}

TEST_F(matrix_market, an_absurd_size_takes_no_memory) {
  EXPECT_EQ(error_in(matrix("pattern general", "1 1 281474976710655\n1 1\n")),
            ":2:5: it has 1 entries, and this line says 281474976710655");
}

TEST_F(matrix_market, entries_that_are_wrong) {
  const auto error_of = [this](std::string_view kind, std::string_view entry) {
    return error_in(matrix(kind, "3 2 1\n" + std::string(entry) + "\n"));
  };
  EXPECT_EQ(error_of("pattern general", "0 1"), ":3:1: row '0' is out of range (1 to 3)");
  EXPECT_EQ(error_of("pattern general", "3 3"), ":3:3: column '3' is out of range (1 to 2)");
  EXPECT_EQ(error_of("pattern general", "-1 1"), ":3:1: row '-1' is out of range (1 to 3)");
  EXPECT_EQ(error_of("pattern general", "1 18446744073709551617"),
            ":3:3: column '18446744073709551617' is out of range (1 to 2)");
  EXPECT_EQ(error_of("pattern general", "1"), ":3:2: expected column, found the end of the line");
  EXPECT_EQ(error_of("pattern general", "1 2 3"), ":3:5: expected the end of the line, found '3'");
  EXPECT_EQ(error_of("integer general", "1 2 nano"), ":3:5: expected a weight, found 'nano'");
  EXPECT_EQ(error_of("real general", "1 2 1.5x"), ":3:5: expected a weight, found '1.5x'");
  EXPECT_EQ(error_of("real general", "1 2"), ":3:4: expected a weight, found the end of the line");
  EXPECT_EQ(error_in(matrix("real skew-symmetric", "3 3 1\n2 2 1\n")),
            ":3:1: the entry lies on the diagonal, which is 0 where a matrix is skew-symmetric");
}

TEST_F(matrix_market, a_symmetric_one_is_square) {
  for (const auto* kind : {"pattern symmetric", "pattern skew-symmetric"})
    EXPECT_EQ(error_in(matrix(kind, "3 5 1\n2 1\n")),
              ":2:3: a matrix of 3 rows and 5 columns is not symmetric, as the first line says");
  EXPECT_EQ(edges_in(matrix("pattern general", "3 5 1\n2 5\n")).size(), 1U);
}

TEST_F(matrix_market, heads_may_differ_a_little) {
  const text_edges expected = {{"0", "1", "7"}};
  EXPECT_EQ(edges_in("%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 7\n"), expected);
  EXPECT_EQ(edges_in(matrix("unsigned-integer general", "2 2 1\n1 2 7\n")), expected);
}

TEST_F(matrix_market, parts_hold_every_entry_once) {
  std::string rest = "1000 1000 20000\n";
  for (int i = 0; i < 20000; ++i)
    rest += std::to_string(1 + i * 7919 % 1000) + ' ' + std::to_string(1 + i / 20) + '\n';
  EXPECT_EQ(edges_in(matrix("pattern general", rest)).size(), 20000u);
}

}  // namespace
