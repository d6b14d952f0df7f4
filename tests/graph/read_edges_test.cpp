// Tests inputs that read_edges accepts. Rejected inputs are tested in read_errors_test.cpp.

#include "atoll/graph/io/read_edges.hpp"

#include "atoll/graph/io/write_edges.hpp"
#include "atoll/graph/kronecker.hpp"
#include "graph/reading.hpp"
#include "graph/scratch_file.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace {

using namespace atl;

constexpr std::uint64_t part_counts[] = {1, 2, 3, 7};

using edges = std::vector<std::tuple<std::string, std::string, std::string>>;

void expect_edges(const std::string& path, const edges& expected, bool uses_names = false) {
  for (const auto parts : part_counts) {
    const auto graph = read_whole(path, parts);
    EXPECT_EQ(graph.error.value_or(""), "");
    EXPECT_EQ(graph.edges, expected) << path << " in " << parts;
    EXPECT_EQ(graph.uses_names, uses_names);
  }
}

TEST(read_edges, el_is_two_integers_a_line) {
  const scratch_folder folder;
  expect_edges(folder.file("a.el", "1 2\n3 4\n"), {{"1", "2", ""}, {"3", "4", ""}});
  expect_edges(folder.file("b.el", "0 281474976710655\n"), {{"0", "281474976710655", ""}});
  expect_edges(folder.file("c.el", "0000000000000000000000000000017 007\n"), {{"17", "7", ""}});
}

TEST(read_edges, blanks_comments_and_line_ends_are_taken_as_they_come) {
  const scratch_folder folder;
  const auto* text = "# comment\r\n% another\n\n  \t \r\n  1\t 2  \r\n \t# third\n3\t\t4 \t";
  const auto path = folder.file("a.el", text);
  expect_edges(path, {{"1", "2", ""}, {"3", "4", ""}});
  for (const auto parts : part_counts) EXPECT_EQ(read_whole(path, parts).lines, 7u);
}

TEST(read_edges, wel_has_a_weight) {
  const scratch_folder folder;
  const auto path = folder.file(
      "a.wel", "1 2 3\n1 3 -9223372036854775808\n1 4 9223372036854775807\r\n1 5 -007\n1 6 -0");
  expect_edges(path, {{"1", "2", "3"},
                      {"1", "3", "-9223372036854775808"},
                      {"1", "4", "9223372036854775807"},
                      {"1", "5", "-7"},
                      {"1", "6", "0"}});
}

TEST(read_edges, tsv_of_integers_is_a_graph_of_ids) {
  const scratch_folder folder;
  expect_edges(folder.file("a.tsv", "1\t2\r\n 3 \t 04 \n"), {{"1", "2", ""}, {"3", "4", ""}});
}

TEST(read_edges, one_end_that_is_no_integer_makes_all_ends_names) {
  const scratch_folder folder;
  expect_edges(
      folder.file("a.tsv", "007\t2\n7\t-1\n99999999999999999999\t 2\nlibc 6 \tx-y\n"),
      {{"007", "2", ""}, {"7", "-1", ""}, {"99999999999999999999", "2", ""}, {"libc 6", "x-y", ""}},
      true);
  expect_edges(folder.file("b.tsv", "\xc3\xa4\t1.5\n"), {{"\xc3\xa4", "1.5", ""}}, true);
}

TEST(read_edges, names_are_listed_once_a_part) {
  const scratch_folder folder;
  const auto list = read_edges(folder.file("a.tsv", "b\ta\na\tb\nc\tb\n"));
  EXPECT_TRUE(list.uses_names);
  EXPECT_EQ(list.names, (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_EQ(list.edges, (std::vector<edge>{{0, 1}, {1, 0}, {2, 0}}));
}

TEST(read_edges, a_file_without_edges_is_an_empty_graph) {
  const scratch_folder folder;
  for (const auto* name : {"a.el", "a.wel", "a.tsv"}) {
    expect_edges(folder.file(name, ""), {});
    expect_edges(folder.file(name, "# nothing\n\n"), {});
    expect_edges(folder.file(name, "\n"), {});
  }
}

TEST(read_edges, a_byte_order_mark_is_no_part_of_the_first_line) {
  const scratch_folder folder;
  expect_edges(folder.file("a.el", "\xef\xbb\xbf"
                                   "1 2\n"),
               {{"1", "2", ""}});
  expect_edges(folder.file("a.tsv", "\xef\xbb\xbf"
                                    "1\t2\n"),
               {{"1", "2", ""}});
}

TEST(read_edges, compressed_files_may_have_several_members) {
  const scratch_folder folder;
  const edges expected = {{"1", "2", ""}, {"3", "4", ""}, {"5", "6", ""}};
  const auto half = "3 4\n5 ", rest = "6\n";
  expect_edges(
      folder.file("a.el.gz", gzipped("1 2\n") + gzipped("") + gzipped(half) + gzipped(rest)),
      expected);
  expect_edges(folder.file("b.el.gz", gzipped("1 2\n3 4\n5 6") + std::string(512, '\0')), expected);
  expect_edges(folder.file("a.el.zst", zstd_packed("1 2\n") + zstd_packed("") + zstd_packed(half) +
                                           zstd_packed(rest)),
               expected);
  expect_edges(folder.file("empty.el.gz", gzipped("")), {});
  expect_edges(folder.file("empty.el.zst", zstd_packed("")), {});
}

TEST(read_edges, compressed_files_may_have_windows_beyond_128_MiB) {
  // The frame has a window of 256 MiB and one block, like the frames of `zstd --long=28`.
  const scratch_folder folder;
  const std::string head("\x28\xb5\x2f\xfd\x00\x90\x21\x00\x00", 9);
  expect_edges(folder.file("a.el.zst", head + "1 2\n"), {{"1", "2", ""}});
}

TEST(read_edges, the_format_can_be_given) {
  const scratch_folder folder;
  const auto path = folder.file("edges", "1 2 3\n");
  read_options options;
  options.format = file_format{edge_format::wel, compression::none};
  EXPECT_EQ(read_edges(path, 0, 1, options).weights, std::vector<std::int64_t>{3});
}

TEST(read_edges, parts_hold_every_edge_once_in_order) {
  const scratch_folder folder;
  const kronecker_generator generator({14, 16, 2});
  const std::uint64_t count = 30'000;
  read_options options;
  options.longest_line = 16 * 1024;  // The file has many blocks.
  for (const auto* name : {"a.el", "a.wel", "a.tsv", "a.el.gz", "a.tsv.zst"}) {
    const auto path = folder.path(name);
    write_edges(path, count, generator);
    const auto expected = read_whole(path, 1, options);
    ASSERT_EQ(expected.edges.size(), count);
    for (const auto parts : part_counts) {
      const auto graph = read_whole(path, parts, options);
      EXPECT_EQ(graph.edges, expected.edges) << name << " in " << parts;
      EXPECT_EQ(graph.lines, count);
    }
  }
}

TEST(read_edges, parts_of_a_plain_file_are_of_equal_size) {
  const scratch_folder folder;
  const auto path = folder.path("a.el");
  const std::uint64_t count = 100'000;
  write_edges(path, count, kronecker_generator({14, 16, 2}));
  for (std::uint64_t part = 0; part < 7; ++part) {
    EXPECT_NEAR(static_cast<double>(read_edges(path, part, 7).edges.size()), count / 7.0, 1000);
  }
}

TEST(read_edges, parts_of_a_compressed_file_take_turns) {
  const scratch_folder folder;
  const auto path = folder.path("a.el.zst");
  write_edges(path, 500'000, kronecker_generator({14, 16, 2}));
  for (std::uint64_t part = 0; part < 3; ++part) {
    EXPECT_GT(read_edges(path, part, 3).edges.size(), 100'000u);
  }
}

TEST(read_edges, more_parts_than_lines_are_possible) {
  const scratch_folder folder;
  const auto path = folder.file("a.el", "1 2\n3 4\n");
  EXPECT_EQ(read_whole(path, 64).edges.size(), 2u);
}

TEST(read_edges, a_part_with_integers_only_is_read_again_where_others_have_names) {
  const scratch_folder folder;
  const auto path = folder.file("a.tsv", "01\t2\n3\t4\n5\t6\n7\tx\n");
  auto first = read_edges(path, 0, 2);
  EXPECT_FALSE(first.uses_names);
  agree_on_names(first, true);
  EXPECT_TRUE(first.uses_names);
  EXPECT_EQ(first.names, (std::vector<std::string>{"01", "2", "3", "4"}));
}

TEST(read_edges, memory_follows_the_edges_and_not_the_name_of_the_file) {
  const scratch_folder folder;
  const auto path = folder.path("a.el");
  write_edges(path, 500'000, kronecker_generator({14, 16, 2}));
  const auto list = read_edges(path);
  EXPECT_LT(list.edges.capacity(), 2 * list.edges.size());
}

}  // namespace
