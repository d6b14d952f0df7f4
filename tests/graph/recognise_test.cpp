// The format of a file of edges is recognised by its content and its name.

#include "atoll/graph/io/read_edges.hpp"

#include "atoll/error.hpp"
#include "graph/csr_files.hpp"
#include "graph/scratch_file.hpp"
#include "support/refusal.hpp"

#include <gtest/gtest.h>

namespace {

using namespace atl;

const std::string matrix = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
const std::string konect = "% sym unweighted\n1 2\n";
const std::string dimacs = "c one\nc\np sp 2 1\na 1 2 3\n";

class recognised : public testing::Test {
 protected:
  edge_format format_of(std::string_view name, std::string_view content) {
    const auto path = folder_.file(name, content);
    const auto plain = recognised_format(path);
    EXPECT_NO_THROW(read_edges(path));
    return plain.edges;
  }

  /// Returns the error for a file, without the path at its beginning.
  std::string refusal(std::string_view name, std::string_view content) {
    const auto path = folder_.file(name, content);
    try {
      recognised_format(path);
    } catch (const error& e) {
      EXPECT_EQ(e.exit_status(), 2);
      return std::string(e.what()).substr(path.size());
    }
    return "";
  }

  const scratch_folder folder_;
};

TEST_F(recognised, by_the_content_where_the_name_leaves_it_open) {
  for (const auto* const name : {"a.txt", "a", "b.dat"}) {
    EXPECT_EQ(format_of(name, matrix), edge_format::mtx) << name;
    EXPECT_EQ(format_of(name, "\xef\xbb\xbf" + matrix), edge_format::mtx) << name;
    EXPECT_EQ(format_of(name, konect), edge_format::konect) << name;
    EXPECT_EQ(format_of(name, dimacs), edge_format::gr) << name;
  }
  EXPECT_EQ(format_of("a.txt", "1 2\n"), edge_format::txt);
  EXPECT_EQ(format_of("a.txt", "% sym and more\n1 2\n"), edge_format::txt);
  EXPECT_EQ(format_of("a.txt", ""), edge_format::txt);
}

TEST_F(recognised, compressed_texts_too) {
  EXPECT_EQ(format_of("a.txt.gz", gzipped(matrix)), edge_format::mtx);
  EXPECT_EQ(format_of("a.zst", zstd_packed(dimacs)), edge_format::gr);
  EXPECT_EQ(recognised_format(folder_.path("a.zst")).packing, compression::zstd);
}

TEST_F(recognised, by_the_length_where_it_is_binary) {
  const auto plain = csr_files::file(false, {0, 1, 2}, {1, 0});
  const auto weighted = csr_files::file(false, {0, 1, 2}, {1, 7, 0, 7}, true);
  const auto without_arcs = csr_files::file(true, {0, 0}, {});
  EXPECT_EQ(format_of("a", plain), edge_format::sg);
  EXPECT_EQ(format_of("a", weighted), edge_format::wsg);
  EXPECT_EQ(format_of("a.sg", without_arcs), edge_format::sg);
  EXPECT_EQ(format_of("a.wsg", without_arcs), edge_format::wsg);
  EXPECT_EQ(refusal("b.sg", weighted),
            ":1:1: the file begins as one of the format wsg, and its name says sg");
}

TEST_F(recognised, a_graph_without_properties_is_metis) {
  EXPECT_EQ(format_of("a.graph", "2 1\n2\n1\n"), edge_format::metis);
  EXPECT_EQ(format_of("a.graph.gz", gzipped("% one\n2 1\n2\n1\n")), edge_format::metis);
  folder_.file("a.properties", "");
  EXPECT_EQ(recognised_format(folder_.path("a.graph")).edges, edge_format::bvgraph);
  EXPECT_EQ(recognised_format(folder_.file("b.graph", std::string(9, '\xfe'))).edges,
            edge_format::bvgraph);
  EXPECT_EQ(recognised_format(folder_.path("none.graph")).edges, edge_format::bvgraph);
}

TEST_F(recognised, by_the_name_of_konect) {
  EXPECT_EQ(format_of("out.a", konect), edge_format::konect);
  EXPECT_EQ(format_of("out.a-b_c.gz", gzipped(konect)), edge_format::konect);
  EXPECT_EQ(format_of("out.txt", "1 2\n"), edge_format::txt);
}

TEST_F(recognised, refuses_a_name_that_contradicts_the_content) {
  EXPECT_EQ(refusal("a.el", matrix),
            ":1:1: the file begins as one of the format mtx, and its name says el");
  EXPECT_EQ(refusal("a.mtx", dimacs),
            ":1:1: the file begins as one of the format gr, and its name says mtx");
  EXPECT_EQ(refusal("a.graph", konect),
            ":1:1: the file begins as one of the format konect, and its name says bvgraph");
  EXPECT_EQ(refusal("out.a", matrix),
            ":1:1: the file begins as one of the format mtx, and its name says konect");
}

TEST_F(recognised, says_that_a_file_is_not_there) {
  for (const char* const name :
       {"not-there", "not-there.dat", "not-there.el", "not-there.mtx.gz", "out.not-there"}) {
    const auto path = folder_.path(name);
    EXPECT_EQ(test::refusal_of([&] { read_edges(path); }),
              path + ": cannot open: No such file or directory");
  }
}

TEST_F(recognised, refuses_what_neither_tells) {
  EXPECT_NE(refusal("a", "1 2\n").find("; --from says it, too"), std::string::npos);
  EXPECT_NE(refusal("a", "1 2\n").find("the name does not say what the file holds"),
            std::string::npos);
  EXPECT_EQ(refusal("a.sg.gz", gzipped("1 2\n")),
            ": a .sg file is read by places, and not through gzip");
}

}  // namespace
