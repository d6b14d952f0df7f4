#include "graph/csr_files.hpp"

#include "atoll/error.hpp"
#include "graph/reading.hpp"
#include "graph/scratch_file.hpp"

#include <gtest/gtest.h>

namespace {

using namespace atl;

class csr_file : public testing::Test {
 protected:
  whole_graph graph_of(std::string_view name, std::string_view bytes) {
    const auto path = folder_.file(name, bytes);
    const auto one = read_whole(path, 1);
    for (std::uint64_t parts = 2; parts <= 7; ++parts) {
      const auto several = read_whole(path, parts);
      EXPECT_EQ(several.edges, one.edges) << parts;
      EXPECT_EQ(several.error.value_or(""), one.error.value_or("")) << parts;
    }
    return one;
  }

  std::string error_in(std::string_view bytes) {
    const auto found = graph_of("a.sg", bytes);
    return found.error.value_or("").substr(found.error ? folder_.path("a.sg").size() : 0);
  }

  const scratch_folder folder_;
};

TEST_F(csr_file, arcs_with_a_direction_are_edges) {
  const auto bytes = csr_files::file(true, {0, 2, 2, 4}, {1, 1, 0, 2});
  const csr_files::edges expected = {
      {"0", "1", ""}, {"0", "1", ""}, {"2", "0", ""}, {"2", "2", ""}};
  EXPECT_EQ(graph_of("a.sg", bytes).edges, expected);
  EXPECT_EQ(read_edges(folder_.path("a.sg")).declared->vertices, 3u);
  EXPECT_FALSE(read_edges(folder_.path("a.sg")).undirected);
}

TEST_F(csr_file, without_a_direction_each_edge_is_read_once) {
  const auto bytes = csr_files::file(false, {0, 3, 5, 6}, {1, 0, 0, 0, 2, 1});
  const csr_files::edges expected = {{"0", "0", ""}, {"0", "1", ""}, {"1", "2", ""}};
  EXPECT_EQ(graph_of("a.sg", bytes).edges, expected);
  EXPECT_TRUE(read_edges(folder_.path("a.sg")).undirected);
}

TEST_F(csr_file, an_edge_to_itself_may_stand_once) {
  const auto bytes = csr_files::file(false, {0, 2, 4}, {0, 1, 0, 1});
  const csr_files::edges expected = {{"0", "0", ""}, {"0", "1", ""}, {"1", "1", ""}};
  EXPECT_EQ(graph_of("a.sg", bytes).edges, expected);
}

TEST_F(csr_file, weights_stand_behind_the_neighbours) {
  const auto bytes = csr_files::file(false, {0, 1, 2}, {1, -7, 0, -7}, true);
  const csr_files::edges expected = {{"0", "1", "-7"}};
  EXPECT_EQ(graph_of("a.wsg", bytes).edges, expected);
}

TEST_F(csr_file, many_rows_are_read_in_parts) {
  std::vector<std::int64_t> begins = {0};
  std::vector<std::int32_t> neighbours;
  for (int i = 0; i < 30000; ++i) {
    for (int j = 0; j < i % 7 * (i == 10000 ? 20000 : 1); ++j) neighbours.push_back(i * j % 30000);
    begins.push_back(static_cast<std::int64_t>(neighbours.size()));
  }
  const auto bytes = csr_files::file(true, begins, neighbours);
  EXPECT_EQ(graph_of("a.sg", bytes).edges, *csr_files::edges_of(bytes, false));
}

TEST_F(csr_file, an_empty_graph) {
  EXPECT_EQ(graph_of("a.sg", csr_files::file(false, {0}, {})).edges.size(), 0u);
  EXPECT_EQ(graph_of("a.wsg", csr_files::file(true, {0, 0, 0}, {})).error.value_or(""), "");
}

TEST_F(csr_file, a_head_that_is_none) {
  const std::string none = ": byte 0: the file does not begin with 0 or 1 and the numbers of arcs "
                           "and vertices";
  EXPECT_EQ(error_in(""), none);
  EXPECT_EQ(error_in("0 1\n1 2\n"), none);
  EXPECT_EQ(error_in(std::string(1, '\2') + csr_files::head(false, 0, 0).substr(1) + "12345678"),
            none);
  EXPECT_EQ(error_in(csr_files::head(false, 4, 3) + "1"),
            ": byte 1: the file has 18 bytes, which is not the length of one with 4 arcs and 3 "
            "vertices");
  EXPECT_EQ(error_in(csr_files::head(true, std::int64_t{1} << 62, 3)),
            ": byte 1: the file has 17 bytes, which is not the length of one with "
            "4611686018427387904 arcs and 3 vertices");
}

TEST_F(csr_file, rows_that_are_wrong) {
  EXPECT_EQ(error_in(csr_files::file(true, {1, 2}, {0, 0})),
            ": byte 17: the neighbours of the first vertex begin at 1 and not at 0");
  EXPECT_EQ(error_in(csr_files::file(true, {0, 1}, {0, 0})),
            ": byte 25: the neighbours end at 1, and there are 2 arcs");
  EXPECT_EQ(error_in(csr_files::file(true, {0, 2, 1, 2}, {0, 0})),
            ": byte 25: the neighbours of vertex 1 begin at 2 and end at 1 of 2");
  EXPECT_EQ(error_in(csr_files::file(true, {0, 1, 2}, {0, 2})),
            ": byte 45: vertex 1 has the neighbour 2, where vertices are 0 to 1");
  EXPECT_EQ(error_in(csr_files::file(true, {0, 1, 2}, {-1, 0})),
            ": byte 41: vertex 0 has the neighbour -1, where vertices are 0 to 1");
  EXPECT_EQ(error_in(csr_files::file(false, {0, 1, 1}, {1})),
            ": byte 41: vertex 0 has the neighbour 1, which has not 0 with the same weight");
}

}  // namespace
