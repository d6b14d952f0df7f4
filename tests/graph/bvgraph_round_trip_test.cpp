// Writes graphs as a BVGraph and reads them again, in one part and in several parts.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "graph/bvgraph_files.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace {

using namespace atl;
using namespace bvgraph_files;
using graph::bvgraph::code;
using graph::bvgraph::code_kind;
using graph::bvgraph::parameters;

void expect_round_trip(const lists& all, const parameters& of) {
  const scratch_folder folder;
  const auto path = folder.path("a.graph");
  write(path, all, of);
  const auto edges = edges_of(all);
  const auto read = read_edges(path);
  EXPECT_EQ(read.edges, edges);
  EXPECT_EQ(read.declared->vertices, all.size());
  EXPECT_EQ(read_in_parts(folder.path("a"), 3), edges) << "with offsets";
  std::filesystem::remove(folder.path("a.offsets"));
  EXPECT_EQ(read_in_parts(path, 4), edges) << "without";
}

TEST(bvgraph_round_trip, all_codes) {
  const auto all = random_lists(150, 1);
  parameters of;
  for (const auto outdegrees : {code_kind::gamma, code_kind::delta})
    for (const auto blocks : {code_kind::gamma, code_kind::delta})
      for (const auto references : {code_kind::unary, code_kind::gamma, code_kind::delta})
        for (const auto counts : {code_kind::unary, code_kind::gamma, code_kind::delta})
          for (const auto residuals : {code_kind::zeta, code_kind::gamma, code_kind::delta,
                                       code_kind::nibble, code_kind::golomb}) {
            of.outdegrees = of.offsets = code{outdegrees};
            of.blocks = code{blocks};
            of.references = code{references};
            of.block_counts = code{counts};
            of.residuals = code{residuals, of.zeta};
            expect_round_trip(all, of);
          }
}

TEST(bvgraph_round_trip, all_windows_and_intervals) {
  for (const std::uint64_t window : {0, 1, 2, 3, 4, 5, 6, 7, 40}) {
    for (const std::uint64_t references : {0, 1, 3, 1000}) {
      parameters of;
      of.window = window;
      of.max_references = references;
      of.min_interval = (window + references) % 6;
      expect_round_trip(random_lists(200, window), of);
    }
  }
}

TEST(bvgraph_round_trip, small_graphs) {
  for (std::uint64_t nodes = 0; nodes < 12; ++nodes) {
    expect_round_trip(random_lists(nodes, nodes), {});
    expect_round_trip(lists(nodes), {});
  }
  expect_round_trip({{0}}, {});
}

TEST(bvgraph_round_trip, more_parts_than_nodes) {
  const scratch_folder folder;
  const auto all = random_lists(5, 3);
  write(folder.path("a"), all);
  for (std::uint64_t parts = 1; parts < 100; ++parts)
    EXPECT_EQ(read_in_parts(folder.path("a"), parts), edges_of(all));
}

TEST(bvgraph_round_trip, lists_longer_than_a_buffer) {
  lists all(3);
  for (std::uint64_t s = 0; s < 600'000; ++s) all[1].push_back(s * 7 / 3 + s % 2);
  all[2] = all[1];
  all[2].erase(all[2].begin() + 5);
  all.resize(1'400'001);
  for (std::uint64_t node = 3; node < all.size(); ++node) all[node] = {node / 2};
  expect_round_trip(all, {});
}

TEST(bvgraph_round_trip, chains_of_references_of_any_length) {
  lists all;
  std::vector<std::uint64_t> list = {5, 700, 1100, 2900};
  for (std::uint64_t node = 0; node < 3000; ++node) {
    list.push_back(2901 + node);
    all.push_back(list);
  }
  all.resize(6000);
  parameters of;
  of.window = 2;
  of.max_references = parameters::largest_number;
  expect_round_trip(all, of);
}

TEST(bvgraph_round_trip, the_offsets_are_those_of_a_scan) {
  const scratch_folder folder;
  const auto all = random_lists(1000, 5);
  write(folder.path("a"), all);
  graph::input_file file(folder.path("a.offsets"));
  graph::bvgraph::bit_reader bits(file);
  const graph::bvgraph::code_reader differences({code_kind::gamma});
  EXPECT_EQ(differences.read(bits), 0u);
  std::uint64_t end = 0;
  for (std::uint64_t node = 0; node < all.size(); ++node) end += differences.read(bits);
  EXPECT_EQ((end + 7) / 8, content_of(folder.path("a.graph")).size());
  EXPECT_LT(bits.bits() - bits.position(), 8u);
}

TEST(bvgraph_round_trip, a_real_web_graph) {
  const auto path = real_graph();
  if (path.empty()) GTEST_SKIP() << "there is no cnr-2000.graph in $ATOLL_DATA";
  const auto read = read_edges(path);
  ASSERT_EQ(read.edges.size(), 3'216'152u);
  EXPECT_EQ(read.declared->vertices, 325'557u);
  EXPECT_TRUE(std::ranges::is_sorted(read.edges));
  EXPECT_EQ(std::ranges::adjacent_find(read.edges), read.edges.end());
  EXPECT_EQ(read_in_parts(path, 5), read.edges);

  lists all(read.declared->vertices);
  for (const auto& [from, to] : read.edges) all[from].push_back(to);
  const scratch_folder folder;
  EXPECT_LE(static_cast<double>(write(folder.path("a"), all)), 1.05 * 1'164'848);
  EXPECT_EQ(read_in_parts(folder.path("a"), 2), read.edges);
}

}  // namespace
