// Tests the errors for damaged files of a BVGraph.

#include "atoll/error.hpp"
#include "graph/bvgraph_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace bvgraph_files;
using testing::HasSubstr;
using testing::StartsWith;

class bvgraph_damage : public testing::Test {
 protected:
  bvgraph_damage() { write(path_, random_lists(60, 4)); }

  void change_properties(std::string_view from, std::string_view to) {
    const auto name = folder_.path("a.properties");
    auto text = content_of(name);
    text.replace(text.find(from), from.size(), to);
    folder_.file("a.properties", text);
  }

  void remove_offsets() { std::filesystem::remove(folder_.path("a.offsets")); }

  /// Checks that the first error is the same for every number of parts.
  void expect_same_error(const std::string& what) {
    const auto error = error_of(path_);
    for (const std::uint64_t parts : {2, 3, 7}) EXPECT_EQ(error_of(path_, parts), error) << what;
  }

  scratch_folder folder_;
  std::string path_ = folder_.path("a.graph");
};

TEST_F(bvgraph_damage, a_file_cut_anywhere_is_an_error) {
  const auto whole = content_of(path_);
  for (const bool offsets : {true, false}) {
    if (!offsets) remove_offsets();
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
      folder_.file("a.graph", std::string_view(whole).substr(0, bytes));
      const auto error = error_of(path_);
      EXPECT_NE(error, "") << bytes;
      EXPECT_THAT(error, HasSubstr(folder_.path("a.")));
    }
  }
}

TEST_F(bvgraph_damage, more_offsets_than_nodes_are_an_error) {
  const auto whole = content_of(folder_.path("a.offsets"));
  for (const auto& more : {std::string(8, '\0'), std::string(1, '\xff'), std::string(1, '\1')}) {
    folder_.file("a.offsets", whole + more);
    EXPECT_THAT(error_of(path_), StartsWith(folder_.path("a.offsets") + ": the offsets of all "));
  }
  folder_.file("a.offsets", whole + std::string(7, '\0'));
  EXPECT_EQ(error_of(path_), "");
}

TEST_F(bvgraph_damage, offsets_cut_anywhere_are_an_error) {
  const auto whole = content_of(folder_.path("a.offsets"));
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    folder_.file("a.offsets", std::string_view(whole).substr(0, bytes));
    EXPECT_THAT(error_of(path_), StartsWith(folder_.path("a.offsets") + ": the offset of node "));
    EXPECT_NE(error_of(path_, 3), "");
  }
}

TEST_F(bvgraph_damage, what_is_behind_the_last_list_is_an_error) {
  const auto whole = content_of(path_);
  folder_.file("a.graph", whole + std::string(7, '\0'));
  EXPECT_EQ(error_of(path_), "");
  folder_.file("a.graph", whole + std::string(9, '\0'));
  EXPECT_THAT(error_of(path_), HasSubstr("the lists of all 60 nodes end at bit"));
  folder_.file("a.graph", whole + "\x01");
  expect_same_error("one bit more");
  EXPECT_NE(error_of(path_), "");
}

TEST_F(bvgraph_damage, changed_bits_give_an_error_or_a_graph) {
  std::mt19937_64 random(9);
  const auto graph = content_of(path_), offsets = content_of(folder_.path("a.offsets"));
  for (int round = 0; round < 3000; ++round) {
    auto bytes = graph, places = offsets;
    auto& changed = round % 4 == 0 ? places : bytes;
    for (auto flips = 1 + random() % 3; flips > 0; --flips)
      changed[random() % changed.size()] ^= static_cast<char>(1u << random() % 8);
    folder_.file("a.graph", bytes);
    round % 2 == 0 ? static_cast<void>(folder_.file("a.offsets", places)) : remove_offsets();
    expect_same_error("round " + std::to_string(round));
  }
}

TEST_F(bvgraph_damage, wrong_sizes_are_found) {
  const auto arcs = edges_of(random_lists(60, 4)).size();
  change_properties("arcs=", "arcs=9");
  EXPECT_THAT(error_of(path_), HasSubstr(std::to_string(arcs) + " arcs, and"));
  change_properties("arcs=9", "arcs=1\nx=");
  EXPECT_THAT(error_of(path_), HasSubstr("it has more arcs than"));
}

TEST_F(bvgraph_damage, wrong_numbers_of_nodes_are_found) {
  change_properties("nodes=60", "nodes=59");
  EXPECT_NE(error_of(path_), "");
  change_properties("nodes=59", "nodes=61");
  EXPECT_NE(error_of(path_), "");
  change_properties("nodes=61", "nodes=100000000000000");
  EXPECT_THAT(error_of(path_), HasSubstr("each node takes one or more"));
  change_properties("nodes=100000000000000", "nodes=0");
  EXPECT_NE(error_of(path_), "");
}

TEST_F(bvgraph_damage, missing_files_are_named) {
  EXPECT_THAT(error_of(folder_.path("b.graph")),
              HasSubstr(folder_.path("b.properties") + ": cannot open"));
  std::filesystem::remove(path_);
  EXPECT_THAT(error_of(path_), HasSubstr(path_ + ": cannot open"));
  EXPECT_THAT(error_of(folder_.path("b")), HasSubstr("b: cannot open: No such file"));
  EXPECT_THAT(error_of(folder_.path("b.graph.gz")), HasSubstr("compressed already"));
}

TEST_F(bvgraph_damage, nothing_stays_behind_where_the_writer_stops) {
  const auto before = folder_.files();
  {
    atl::graph::bvgraph::graph_writer writer(folder_.path("b"), {});
    writer.write(std::vector<std::uint64_t>{1, 2, 3});
  }
  EXPECT_EQ(folder_.files(), before);
  std::filesystem::create_directory(folder_.path("c.offsets"));
  EXPECT_THROW(atl::graph::bvgraph::graph_writer(folder_.path("c"), {}), atl::error);
  EXPECT_EQ(folder_.files(), before + 1);
}

}  // namespace
