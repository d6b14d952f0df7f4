#include "atoll/graph/io/vertex_rows.hpp"

#include "atoll/error.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using namespace atl;

TEST(vertex_format, is_told_by_the_name) {
  for (const auto& [name, style] : {std::pair{"txt", vertex_style::txt},
                                    {"tsv", vertex_style::tsv},
                                    {"csv", vertex_style::csv},
                                    {"npy", vertex_style::npy}}) {
    for (const auto& [ending, packing] : {std::pair{"", compression::none},
                                          {".gz", compression::gzip},
                                          {".zst", compression::zstd}}) {
      const auto path = std::string("dir.x/a.labels.") + name + ending;
      const auto format = vertex_format_of(path);
      EXPECT_EQ(format.style, style) << path;
      EXPECT_EQ(format.packing, packing) << path;
    }
  }
}

TEST(vertex_format, refuses_names_that_do_not_say) {
  for (const auto* path : {"", "labels", "a.el", "txt", "a.zst", "dir.txt/labels", "a.txt.bz2",
                           "a.csv.gz.gz", "a.TXT"}) {
    EXPECT_THROW(vertex_format_of(path), error) << path;
  }
  try {
    vertex_format_of("labels.el.zst");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::input);
    EXPECT_STREQ(e.what(), "labels.el.zst: the name does not say how to write: .txt, .tsv, .csv or "
                           ".npy, alone or with .gz or .zst after it");
  }
}

}  // namespace
