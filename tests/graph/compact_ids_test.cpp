// Tests how all PEs of a job together renumber vertices. The old ids have gaps, and the new ids
// have none.

#include "atoll/graph/load.hpp"

#include "atoll/graph/compact_ids.hpp"
#include "graph/scratch_file.hpp"
#include "support/run_on.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <set>

namespace {

using namespace atl;

constexpr std::uint64_t huge = std::uint64_t{1} << 40;

// Returns edges in random order, most of whose ids occur several times.
std::vector<edge> sparse_edges() {
  std::vector<edge> edges;
  for (std::uint64_t i = 0; i < 30'000; ++i)
    edges.push_back({i * 7919 % 5003 * (huge / 4096), i * i % 997});
  edges.push_back({largest_vertex, 0});
  return edges;
}

class compacted_ids : public test::on_pes {
 protected:
  /// Loads the edges, and runs `look` on every PE.
  void load(const std::vector<edge>& edges,
            const std::function<task<>(graph_size, const std::vector<edge>&, vertex_names)>& look) {
    std::string text;
    for (const edge& e : edges) text += fmt::format("{}\t{}\n", e.from, e.to);
    graph_files files;
    files.edges = folder_.file("a.txt", text);
    files.compact = true;
    run([&]() -> task<> {
      const auto names = co_await vertex_names::make();
      const auto stored = co_await per_pe<stored_edges>::make();
      const auto everywhere = [from = &files, then = &look, stored, names]() -> task<> {
        const auto size = co_await all_load_edges(*from, stored, names);
        co_await (*then)(size, stored->edges.all(), names);
      };
      co_await on_all_pes(everywhere);
      co_await stored.destroy();
      co_await names.destroy();
    });
  }

  scratch_folder folder_;
};

std::vector<std::uint64_t> ids_in_order(const std::vector<edge>& edges) {
  std::set<std::uint64_t> ids;
  for (const edge& e : edges) ids.insert({e.from, e.to});
  return {ids.begin(), ids.end()};
}

TEST_P(compacted_ids, are_numbered_in_their_order) {
  const auto expected = sparse_edges();
  const auto ids = ids_in_order(expected);
  load(expected, [&](graph_size size, const std::vector<edge>& mine, vertex_names) -> task<> {
    EXPECT_EQ(size.vertices, ids.size());
    EXPECT_EQ(size.edges, expected.size());
    std::vector<edge> all;
    for (const auto& of_pe : co_await all_gather(std::span<const edge>(mine)))
      for (const edge& e : of_pe) all.push_back({ids.at(e.from), ids.at(e.to)});
    EXPECT_TRUE(all == expected);  // The parts of a plain file are consecutive.
  });
}

TEST_P(compacted_ids, are_the_names_of_vertices) {
  const auto edges = sparse_edges();
  const auto ids = ids_in_order(edges);
  load(edges, [&](graph_size, const std::vector<edge>&, vertex_names names) -> task<> {
    EXPECT_TRUE(names.any() && names.are_ids());
    for (const std::uint64_t vertex :
         {std::uint64_t{0}, std::uint64_t{1}, ids.size() / 2, ids.size() - 1}) {
      const auto text = std::to_string(ids[vertex]);
      EXPECT_EQ(co_await names.name_of(vertex), text);
      const auto found = co_await names.find(text);
      EXPECT_EQ(found, std::optional(vertex));
    }
    EXPECT_EQ(co_await names.name_of(ids.size()), "");
    for (const char* text : {"281474976710654", "281474976710656", "-1", "x", ""}) {
      const auto found = co_await names.find(text);
      EXPECT_EQ(found, std::nullopt) << text;
    }
    EXPECT_EQ(co_await names.nearest("12"), "");
  });
}

TEST_P(compacted_ids, are_kept_in_shares_of_equal_size) {
  load(sparse_edges(),
       [&](graph_size size, const std::vector<edge>&, vertex_names names) -> task<> {
         EXPECT_LE(names.local().ids.size(), 2 * size.vertices / static_cast<std::uint64_t>(pes()));
         co_return;
       });
}

TEST_P(compacted_ids, may_be_one_or_none) {
  load({}, [&](graph_size size, const std::vector<edge>&, vertex_names) -> task<> {
    EXPECT_EQ(size.vertices, 0u);
    co_return;
  });
  load({{huge, huge}},
       [&](graph_size size, const std::vector<edge>&, vertex_names names) -> task<> {
         EXPECT_EQ(size.vertices, 1u);
         EXPECT_EQ(co_await names.name_of(0), std::to_string(huge));
       });
}

ATOLL_RUN_ON_ALL(compacted_ids);

// The ids of edges are collected in batches. In this test, each batch of edges adds ids that no
// earlier batch had.
TEST(many_compacted_ids, are_those_of_all_edges) {
  test::run_spmd_on(test::job_of(2), []() -> task<> {
    constexpr std::uint64_t count = 900'000, high = 10'000'000;
    std::vector<edge> sparse;
    for (std::uint64_t i = 0; i < count; ++i)
      sparse.push_back({3 * (i / 100), high + 2 * (i / 100)});
    packed_edges edges;
    edges.add(sparse);
    edges.settle();
    graph::name_part part;
    co_await graph::all_compact_ids(edges, part);
    EXPECT_EQ(part.boundaries.back(), 2 * count / 100);
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < count; ++i)
      wrong += edges(i) == edge{i / 100, count / 100 + i / 100} ? 0 : 1;
    EXPECT_EQ(wrong, 0u);
  });
}

}  // namespace
