// Compares searches with a plain sequential search, on any number of PEs.

#include "kernels/bfs_job.hpp"

#include "atoll/kernels/bfs/roots.hpp"

#include <gmock/gmock.h>

namespace {

using namespace bfs_job;

constexpr orientation k_orientations[] = {orientation::undirected, orientation::out,
                                          orientation::in};

const std::vector<bfs_graphs::graph>& all_graphs() {
  static const auto graphs = bfs_graphs::all(test::sanitized ? 10 : 12);
  return graphs;
}

class bfs_search : public test::on_pes {};

TEST_P(bfs_search, finds_what_a_serial_search_finds) {
  all_graphs();
  run([]() -> task<> {
    for (const auto& graph : all_graphs()) {
      for (const auto arcs_are : k_orientations) {
        co_await compare_from_several_roots<std::uint32_t>(graph, arcs_are);
      }
    }
  });
}

TEST_P(bfs_search, does_so_with_ids_of_64_bits) {
  all_graphs();
  run([]() -> task<> {
    for (const auto& graph : all_graphs()) {
      co_await compare_from_several_roots<std::uint64_t>(graph, orientation::undirected);
    }
    co_await compare_from_several_roots<std::uint64_t>(all_graphs().front(), orientation::in);
  });
}

TEST_P(bfs_search, deals_arcs_fairly) {
  const std::vector<bfs_graphs::graph> graphs = {bfs_graphs::star(20'000, 5),
                                                 bfs_graphs::kronecker(test::sanitized ? 12 : 14),
                                                 bfs_graphs::path(10'000)};
  run([&]() -> task<> {
    for (const auto& graph : graphs) {
      for (const auto arcs_are : k_orientations) {
        const auto made = co_await build<std::uint32_t>(graph, arcs_are);
        const double off = co_await balance(made.graph);
        EXPECT_LE(off, 1.5) << graph.name;
        co_await made.destroy();
      }
    }
  });
}

TEST_P(bfs_search, scans_a_directed_graph_without_congestion_of_its_tasks) {
  // The middle vertex has so many arcs that their messages do not fit into the buffers of its PE.
  const auto graph = bfs_graphs::star(200'000, 100'000);
  run([&]() -> task<> {
    const auto made = co_await build<std::uint32_t>(graph, orientation::undirected);
    co_await compare(made.on, trial{graph, orientation::undirected, 100'000});
    co_await made.destroy();
  });
}

ATOLL_RUN_ON_ALL(bfs_search);

class bfs_tree : public test::on_pes {};

TEST_P(bfs_tree, tells_sizes_and_examples_of_its_levels) {
  const auto graph = bfs_graphs::comet();
  run([&]() -> task<> {
    const auto made = co_await build<std::uint32_t>(graph, orientation::undirected);
    co_await search(made.on, 100);
    const auto on = made.on;
    const auto sizes_of = [on] { return bfs::all_level_sizes(on.parts.local()); };
    const auto sizes = co_await from_all_pes(sizes_of);
    std::vector<std::uint64_t> expected(203, 1);
    expected[2] = 398;
    EXPECT_EQ(sizes, expected);
    const auto examples_of = [on] {
      return bfs::all_level_examples(on.graph.local(), on.parts.local(), 3, 2);
    };
    const auto examples = co_await from_all_pes(examples_of);
    std::vector<std::uint64_t> vertices;
    for (const auto& example : examples) vertices.push_back(example.vertex);
    EXPECT_EQ(vertices, (std::vector<std::uint64_t>{100, 7, 9, 0}));
    EXPECT_EQ(examples[1].neighbours, 399u);
    co_await made.destroy();
  });
}

TEST_P(bfs_tree, shows_a_path) {
  const auto graph = bfs_graphs::two_components();
  run([&]() -> task<> {
    const auto made = co_await build<std::uint32_t>(graph, orientation::undirected);
    co_await search(made.on, 3);
    const auto path = co_await bfs::path_from_root(made.graph, made.on.parts, 8);
    EXPECT_EQ(path, (std::vector<std::uint64_t>{3, 4, 5, 6, 7, 8}));
    const auto root = co_await bfs::path_from_root(made.graph, made.on.parts, 3);
    EXPECT_EQ(root, std::vector<std::uint64_t>{3});
    const auto elsewhere = co_await bfs::path_from_root(made.graph, made.on.parts, 30);
    EXPECT_EQ(elsewhere, std::vector<std::uint64_t>());
    co_await made.destroy();
  });
}

/// Computes sequentially which roots `all_choose_roots` must choose, and returns these roots.
std::vector<std::uint64_t> expected_roots(const bfs_graphs::graph& graph, std::size_t count) {
  std::vector<bool> has_edge(graph.vertices);
  for (const edge e : graph.edges) {
    if (e.from != e.to) has_edge[e.from] = has_edge[e.to] = true;
  }
  std::vector<std::uint64_t> roots;
  for (std::uint64_t k = 0; roots.size() < count; ++k) {
    const auto vertex = root_candidate(1, graph.vertices, k);
    if (has_edge[vertex] && !testing::Value(roots, testing::Contains(vertex)))
      roots.push_back(vertex);
  }
  return roots;
}

TEST_P(bfs_tree, grows_from_the_same_roots_on_any_number_of_pes) {
  const auto kronecker = bfs_graphs::kronecker(10);
  const auto rings = bfs_graphs::two_components();
  const auto lonely = bfs_graphs::lonely_vertex();
  const auto loops = bfs_graphs::loops_and_duplicates();
  run([&]() -> task<> {
    const auto roots_of = [](const auto& graph,
                             std::uint64_t count) -> task<std::vector<std::uint64_t>> {
      const auto made = co_await build<std::uint32_t>(graph, orientation::undirected);
      const auto choose = [on = made.graph, count] {
        return bfs::all_choose_roots(on.local(), 1, count);
      };
      auto roots = co_await from_all_pes(choose);
      co_await made.destroy();
      co_return roots;
    };
    EXPECT_EQ(co_await roots_of(kronecker, 16), expected_roots(kronecker, 16));
    EXPECT_EQ(co_await roots_of(rings, 100), expected_roots(rings, 40));
    EXPECT_EQ(co_await roots_of(loops, 100), expected_roots(loops, 4));
    EXPECT_EQ(co_await roots_of(lonely, 16), std::vector<std::uint64_t>());
  });
}

ATOLL_RUN_ON_ALL(bfs_tree);

}  // namespace
