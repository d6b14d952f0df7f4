#include "atoll/graph/load_keys.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/npy.hpp"
#include "graph/scratch_file.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace atl;
using keys = std::vector<std::uint64_t>;

keys keys_of(const std::string& path) {
  file_part whole;
  whole.path = path;
  return keys_of_part(whole);
}

std::string refusal_of_keys(const std::string& path) {
  return test::refusal_of([&] { (void)keys_of(path); });
}

/// Returns the content of a NumPy file with elements of the type `type`.
template <class Element>
std::string array_of_type(std::string_view type, const std::vector<Element>& elements) {
  std::string bytes = graph::npy_head(elements.size(), 1, type);
  for (const Element each : elements)
    bytes.append(reinterpret_cast<const char*>(&each), sizeof each);
  return bytes;
}

TEST(read_keys, a_text_has_a_key_in_each_line) {
  const scratch_folder folder;
  EXPECT_EQ(keys_of(folder.file("k", "5\n 007 \n\n# 3\n\t18446744073709551615\r\n0")),
            (keys{5, 7, ~std::uint64_t{0}, 0}));
  EXPECT_EQ(keys_of(folder.file("empty", "")), keys{});
  EXPECT_EQ(keys_of(folder.file("k.gz", gzipped("2\n1\n"))), (keys{2, 1}));
  EXPECT_EQ(keys_of(folder.file("k.zst", zstd_packed("2\n1\n"))), (keys{2, 1}));
}

TEST(read_keys, an_array_is_known_by_its_first_bytes) {
  const scratch_folder folder;
  EXPECT_EQ(keys_of(folder.file("a", array_of_type<std::uint32_t>("<u4", {9, 0xffffffff}))),
            (keys{9, 0xffffffff}));
  EXPECT_EQ(keys_of(folder.file("b", array_of_type<std::uint64_t>("<u8", {9, ~std::uint64_t{0}}))),
            (keys{9, ~std::uint64_t{0}}));
  EXPECT_EQ(keys_of(folder.file("c", array_of_type<std::int32_t>("<i4", {3, 2}))), (keys{3, 2}));
  EXPECT_EQ(keys_of(folder.file("d", array_of_type<std::int64_t>("<i8", {3, 2}))), (keys{3, 2}));
  EXPECT_EQ(keys_of(folder.file("e", array_of_type<std::int64_t>("<i8", {}))), keys{});
}

TEST(read_keys, parts_one_after_another_are_the_file) {
  const scratch_folder folder;
  std::string text;
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 100'003; ++i) {
    expected.push_back(i * i % 1'000'003);
    text += std::to_string(expected.back()) + "\n";
  }
  for (const std::string& path :
       {folder.file("k.txt", text),
        folder.file("k.npy", array_of_type<std::uint64_t>("<u8", expected))}) {
    for (const std::uint64_t parts : {1, 2, 3, 7}) {
      keys found;
      for (std::uint64_t part = 0; part < parts; ++part) {
        const keys some = keys_of_part({path, part, parts});
        found.insert(found.end(), some.begin(), some.end());
      }
      EXPECT_EQ(found, expected) << path << ", " << parts;
    }
  }
}

TEST(read_keys, errors_name_file_line_and_column) {
  const scratch_folder folder;
  using testing::HasSubstr;
  EXPECT_THAT(refusal_of_keys(folder.file("k", "1\n -2\n")),
              HasSubstr("k:2:2: expected an integer from 0 to 2^64 - 1, found '-2'"));
  EXPECT_THAT(refusal_of_keys(folder.file("k", "1\n2\n3 x\n")),
              HasSubstr("k:3:3: expected the end of the line, found 'x'"));
  EXPECT_THAT(refusal_of_keys(folder.file("k", "1.5\n")), HasSubstr("k:1:1: expected an integer"));
  EXPECT_THAT(refusal_of_keys(folder.file("k", "99999999999999999999\n")),
              HasSubstr("k:1:1: '99999999999999999999' is out of range (0 to 2^64 - 1)"));
}

TEST(read_keys, refuses_other_arrays) {
  const scratch_folder folder;
  using testing::HasSubstr;
  EXPECT_THAT(refusal_of_keys(folder.file("a", array_of_type<double>("<f8", {1.0}))),
              HasSubstr("'<f8'"));
  EXPECT_THAT(refusal_of_keys(folder.file("a", array_of_type<std::int64_t>(">i8", {1}))),
              HasSubstr("'>i8'"));
  EXPECT_THAT(refusal_of_keys(folder.file("a", array_of_type<std::int64_t>("<i8", {1, -1}))),
              HasSubstr("element 1 is negative"));
  EXPECT_THAT(refusal_of_keys(folder.file("a", graph::npy_head(2, 2) + std::string(32, '\0'))),
              HasSubstr("the array does not have one dimension"));
  const std::string right = array_of_type<std::int64_t>("<i8", {1, 2, 3});
  EXPECT_THAT(refusal_of_keys(folder.file("a", right.substr(0, right.size() - 1))),
              HasSubstr("the file has 2 of the 3 elements of its array"));
  for (const std::size_t bytes : {6u, 9u, 11u, 60u})
    EXPECT_THAT(refusal_of_keys(folder.file("a", right.substr(0, bytes))),
                HasSubstr("the head of the array is damaged"))
        << bytes;
}

TEST(read_keys, an_array_is_as_long_as_its_head_says) {
  const scratch_folder folder;
  const std::string right = array_of_type<std::int64_t>("<i8", {1, 2, 3});
  const auto refusal = [&](std::string_view bytes) {
    const auto path = folder.file("a", bytes);
    return refusal_of_keys(path).substr(path.size());
  };
  const auto with_length = [&](std::size_t length) {
    std::string bytes = right;
    bytes[8] = static_cast<char>(length);
    return bytes;
  };
  EXPECT_EQ(refusal(right + std::string(8, '\1')),
            ": byte 152: the array of 3 elements ends here, and the file has 160 bytes");
  EXPECT_EQ(refusal(right + 'x'),
            ": byte 152: the array of 3 elements ends here, and the file has 153 bytes");
  EXPECT_EQ(refusal(right.substr(0, 150)),
            ": byte 150: the file has 2 of the 3 elements of its array and ends here");
  EXPECT_EQ(refusal(with_length(right.size() - 24 - 10 - 8)),
            ": byte 120: the head of the array is damaged: no line ends here");
  EXPECT_EQ(refusal(with_length(right.size() - 24 - 10 + 8)),
            ": byte 136: the head of the array is damaged: no line ends here");
  EXPECT_EQ(refusal(with_length(200)),
            ": byte 8: the head of the array is damaged: its length is 200, and the file has 152 "
            "bytes");
  EXPECT_EQ(refusal(std::string(right).replace(6, 1, "\4")),
            ": byte 6: the head of the array is damaged: its version is 4, not 1 to 3");
}

TEST(read_keys, damaged_heads_are_refused_or_read) {
  const scratch_folder folder;
  const std::string right = array_of_type<std::int64_t>("<i8", {1, 2, 3});
  for (std::size_t at = 6; at < 80; ++at) {
    for (const char damaged : {'\0', '\xff', '9', ')', '\''}) {
      std::string bytes = right;
      bytes[at] = damaged;
      try {
        EXPECT_LE(keys_of(folder.file("a", bytes)).size(), 6u);
      } catch (const error& refused) {
        EXPECT_EQ(refused.code(), errc::input);
      }
    }
  }
}

}  // namespace
