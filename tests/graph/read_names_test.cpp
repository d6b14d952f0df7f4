#include "atoll/graph/io/names.hpp"

#include "atoll/error.hpp"
#include "graph/scratch_file.hpp"

#include <gtest/gtest.h>

namespace {

using namespace atl;
using names = std::vector<std::string>;

TEST(read_names, line_i_names_vertex_i) {
  const scratch_folder folder;
  EXPECT_EQ(read_names(folder.file("n", "zero\none two\r\n\n# three\nfour")),
            (names{"zero", "one two", "", "# three", "four"}));
  EXPECT_EQ(read_names(folder.file("empty", "")), names{});
  EXPECT_EQ(read_names(folder.file("umlaut", "\xc3\xa4\n")), names{"\xc3\xa4"});
}

TEST(read_names, files_may_be_compressed) {
  const scratch_folder folder;
  EXPECT_EQ(read_names(folder.file("n.gz", gzipped("a\nb\n"))), (names{"a", "b"}));
  EXPECT_EQ(read_names(folder.file("n.zst", zstd_packed("a\nb\n"))), (names{"a", "b"}));
}

TEST(read_names, more_names_than_a_block_holds_keep_their_numbers) {
  const scratch_folder folder;
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "name" + std::to_string(i) + "\n";
  std::uint64_t expected = 0;
  for_each_name(folder.file("n", text), [&](std::uint64_t vertex, std::string_view name) {
    ASSERT_EQ(vertex, expected++);
    ASSERT_EQ(name, "name" + std::to_string(vertex));
  });
  EXPECT_EQ(expected, 300'000u);
}

TEST(read_names, errors_name_file_line_and_column) {
  const scratch_folder folder;
  const auto message = [](const std::string& path) -> std::string {
    try {
      read_names(path);
    } catch (const error& e) {
      EXPECT_EQ(e.code(), errc::input);
      return e.what();
    }
    return "";
  };
  const auto binary = folder.file("n", std::string("a\nbc\0d\n", 7));
  EXPECT_EQ(message(binary),
            binary + ":2:3: the name holds a control character: is the file text?");
  const auto missing = folder.path("missing");
  EXPECT_EQ(message(missing), missing + ": cannot open: No such file or directory");
}

}  // namespace
