#include "atoll/graph/io/file_format.hpp"

#include "atoll/error.hpp"
#include "graph/scratch_file.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using namespace atl;

TEST(file_format, is_told_by_the_name) {
  for (const auto edges :
       {edge_format::el, edge_format::wel, edge_format::tsv, edge_format::txt, edge_format::csv}) {
    for (const auto& [ending, packing] : {std::pair{"", compression::none},
                                          {".gz", compression::gzip},
                                          {".zst", compression::zstd}}) {
      const auto path = "dir.x/a.graph." + std::string(name_of(edges)) + ending;
      const auto format = file_format_of(path);
      EXPECT_EQ(format.edges, edges) << path;
      EXPECT_EQ(format.packing, packing) << path;
    }
  }
}

TEST(file_format, a_bvgraph_may_leave_out_its_ending) {
  EXPECT_EQ(file_format_of("a.graph").edges, edge_format::bvgraph);
  const scratch_folder folder;
  const auto name = folder.path("eu-2015.host");
  EXPECT_THROW(file_format_of(name), error);
  folder.file("eu-2015.host.properties", "");
  EXPECT_EQ(file_format_of(name).edges, edge_format::bvgraph);
  EXPECT_THROW(file_format_of("a.graph.gz"), error);
}

TEST(file_format, refuses_names_that_do_not_say) {
  for (const auto* path : {"", "graph", "graph.npy", "graph.gz", "el", "dir.el/graph",
                           "graph.el.bz2", "graph.el.gz.gz", "graph.EL"}) {
    EXPECT_THROW(file_format_of(path), error) << path;
  }
}

TEST(file_format, names_what_is_possible) {
  try {
    file_format_of("graph.npy");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::input);
    EXPECT_STREQ(e.what(),
                 "graph.npy: the name does not say what the file holds: .el, .tsv, .txt, "
                 ".csv, .wel, .e, .mtx, .metis, .gr or out.NAME, alone or with .gz or .zst "
                 "after it; .sg, .wsg or .graph");
  }
}

}  // namespace
