// In all texts, lines may end in "\n", "\r\n" or a lone "\r". Each text is read in 1, 2, 3 and 7
// parts, plain and compressed.

#include "atoll/graph/io/names.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "atoll/graph/load_keys.hpp"
#include "graph/reading.hpp"
#include "graph/scratch_file.hpp"

#include <gtest/gtest.h>
#include <utility>

namespace {

using namespace atl;

/// Returns the text with other line ends: the line ends in `ends` replace each "\n" in turn.
std::string with_ends(std::string_view text, const std::vector<std::string>& ends) {
  std::string result;
  std::size_t line = 0;
  for (const char c : text) result += c == '\n' ? ends[line++ % ends.size()] : std::string(1, c);
  return result;
}

/// Compares the edges, whether their endpoints are names, and the sizes that the file declares.
void expect_same(const whole_graph& found, const whole_graph& expected) {
  EXPECT_EQ(found.error.value_or(""), "");
  EXPECT_EQ(found.edges, expected.edges);
  EXPECT_EQ(found.lines, expected.lines);
  EXPECT_EQ(found.uses_names, expected.uses_names);
  const auto vertices = [](const whole_graph& of) {
    return of.declared ? of.declared->vertices : 0;
  };
  EXPECT_EQ(vertices(found), vertices(expected));
}

class line_ends : public testing::Test {
 protected:
  void expect_same_in_parts(const std::string& path, const read_options& options,
                            const whole_graph& expected) {
    for (const std::uint64_t parts : {1, 2, 3, 7}) {
      SCOPED_TRACE(path + " in " + std::to_string(parts));
      expect_same(read_whole(path, parts, options), expected);
    }
  }

  scratch_folder folder_;
};

/// Each text has comments, which also end at a "\r".
const std::pair<const char*, const char*> texts[] = {
    {"a.el", "# one\n0 1\n\n% two\n1 2\n3 4\n"},
    {"a.wel", "# one\n0 1 5\n1 2 -7\n3 4 1\n"},
    {"a.tsv", "# one\n0\t1\n1\t2\n3\t4\n"},
    {"b.tsv", "# one\nx\ty\n1\tz \n3\t4\n"},
    {"a.txt", "# one\n0 1\n// two\n1 2\n3 4\n"},
    {"a.csv", "source,target\n0,1\n1,2\n\n3,4\n"},
    {"a.mtx",
     "%%MatrixMarket matrix coordinate integer general\n% one\n4 4 2\n1 2 7\n% two\n4 3 1\n"},
    {"b.txt", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n4 3\n"},
    {"a.metis", "% one\n4 3\n2\n1 3\n% two\n2 4\n3\n"},
    {"a.gr", "c one\np sp 4 2\na 1 2 5\nc two\na 3 4 7\n"},
    {"out.a", "% sym weighted\n% 2 4 4\n1 2 5\n% one\n3 4 7\n"}};

TEST_F(line_ends, of_any_kind_give_the_same_graph_in_every_format) {
  for (const auto& [name, text] : texts) {
    const auto expected = read_whole(folder_.file(name, text), 1);
    ASSERT_FALSE(expected.edges.empty()) << name;
    for (const auto& ends :
         std::vector<std::vector<std::string>>{{"\r"}, {"\r\n"}, {"\r", "\n", "\r\n"}}) {
      const auto other = with_ends(text, ends);
      read_options options;
      for (const std::size_t longest_line : {70, 1 << 20}) {
        options.longest_line = longest_line;
        expect_same_in_parts(folder_.file(name, other), options, expected);
        expect_same_in_parts(folder_.file(std::string(name) + ".gz", gzipped(other)), options,
                             expected);
        expect_same_in_parts(folder_.file(std::string(name) + ".zst", zstd_packed(other)), options,
                             expected);
      }
    }
  }
}

TEST_F(line_ends, that_are_lone_returns_cut_long_files_into_blocks_and_parts) {
  std::string text = "5 6\r\n";
  for (int i = 0; i < 30'000; ++i) text += std::to_string(i) + " " + std::to_string(i / 3) + "\r";
  read_options options;
  options.longest_line = 1024;
  for (const std::uint64_t parts : {1, 2, 3, 7, 64}) {
    const auto found = read_whole(folder_.file("a.el", text), parts, options);
    EXPECT_EQ(found.error.value_or(""), "");
    EXPECT_EQ(found.edges.size(), 30'001U);
    EXPECT_EQ(found.lines, 30'001U);
    const auto wrong = read_whole(folder_.file("b.txt", text + "1 x\r3 4"), parts, options);
    EXPECT_EQ(wrong.error.value_or(""),
              folder_.path("b.txt") + ":30002:3: expected an integer vertex id, found 'x'");
  }
}

TEST_F(line_ends, as_long_as_a_line_may_be_are_no_part_of_it) {
  read_options options;
  options.longest_line = 8;
  for (const auto* end : {"\r", "\n"}) {
    const auto path = folder_.file("a.el", "100 200" + std::string(end) + "3 4" + end);
    EXPECT_EQ(read_whole(path, 1, options).edges.size(), 2U);
    const auto longer = folder_.file("b.el", "1000 200" + std::string(end) + "3 4" + end);
    EXPECT_EQ(read_whole(longer, 1, options).error.value_or(""),
              longer + ":1:1: the line is longer than 8 bytes");
  }
}

TEST_F(line_ends, hold_for_keys_and_names_too) {
  EXPECT_EQ(keys_of_part({.path = folder_.file("keys", "# one\r5\r\n7\r\r9")}),
            (std::vector<std::uint64_t>{5, 7, 9}));
  EXPECT_EQ(read_names(folder_.file("names", "a\rb\r\nc\r")),
            (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
