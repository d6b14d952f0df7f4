// Tests what the headers promise about results besides their values. Examples are the order of
// equal elements, the columns of files, options, allowed callers and progress.

#include "atoll/kernels/bfs.hpp"
#include "atoll/kernels/components.hpp"
#include "atoll/kernels/forest.hpp"
#include "atoll/kernels/pagerank.hpp"
#include "kernels/result_graphs.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"

namespace {

using namespace atl;
using namespace result_graphs;
using testing::ElementsAre;

class promises : public test::on_pes {};

/// Returns a ring of the vertices 0 to 9. All its vertices are equivalent.
plain_graph ring() {
  plain_graph made;
  for (vertex_id v = 0; v < 10; ++v) made.edges.push_back({v, (v + 1) % 10});
  return made;
}

TEST_P(promises, of_equal_ranks_and_degrees_the_smaller_vertices_come_first) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(ring());
    const auto ranks = co_await pagerank(graph);
    std::vector<vertex_id> top;
    for (const ranked_vertex& one : co_await ranks.top(4)) top.push_back(one.vertex);
    EXPECT_THAT(top, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ((co_await ranks.top(99)).size(), 10U);
    EXPECT_EQ((co_await vertex_with_most_neighbours(graph)).vertex, 0U);
  });
}

TEST_P(promises, of_components_as_large_the_smaller_labels_come_first) {
  run([]() -> task<> {
    plain_graph pairs;
    for (vertex_id v = 20; v > 0; v -= 2) pairs.edges.push_back({v, v - 1});
    const auto parts = co_await connected_components(co_await graph_of(pairs));
    std::vector<vertex_id> labels;
    for (const component& one : co_await parts.largest(4)) labels.push_back(one.label);
    EXPECT_THAT(labels, ElementsAre(1, 3, 5, 7));
    EXPECT_EQ((co_await parts.largest(99)).size(), 11U);
  });
}

TEST_P(promises, files_have_each_vertex_and_its_values_in_their_columns) {
  static const scratch_folder folder;
  run([]() -> task<> {
    // The graph has the paths 1 - 2 - 3 - 4 and 5 - 6, and the single vertex 0.
    const plain_graph plain{"two paths", 0, {{1, 2}, {2, 3}, {3, 4}, {5, 6}}};
    const auto graph = co_await weighted_graph_of(plain);
    co_await (co_await bfs(graph, 2)).write(folder.path("tree.csv"));
    EXPECT_EQ(content_of(folder.path("tree.csv")),
              "vertex,parent,distance\n1,2,1\n2,2,0\n3,2,1\n4,3,2\n");
    co_await (co_await connected_components(graph)).write(folder.path("labels.csv"));
    EXPECT_EQ(content_of(folder.path("labels.csv")),
              "vertex,label\n0,0\n1,1\n2,1\n3,1\n4,1\n5,5\n6,5\n");
    const auto own = co_await make_vertex_array<std::uint32_t>(graph);
    co_await on_all_pes(
        [own] { own.for_each_local([](vertex_id vertex, std::uint32_t& x) { x = 10 * vertex; }); });
    co_await own.write(folder.path("own.csv"));
    EXPECT_EQ(content_of(folder.path("own.csv")),
              "vertex,value\n0,0\n1,10\n2,20\n3,30\n4,40\n5,50\n6,60\n");
    const auto ranks = co_await pagerank(graph);
    co_await ranks.write(folder.path("ranks.csv"));
    std::istringstream rows(content_of(folder.path("ranks.csv")));
    std::string row;
    std::getline(rows, row);
    EXPECT_EQ(row, "vertex,rank");
    for (const double rank : co_await ranks.rank.gather()) {
      std::getline(rows, row);
      EXPECT_DOUBLE_EQ(std::stod(row.substr(row.find(',') + 1)), rank) << row;
    }
  });
}

TEST_P(promises, ranks_are_those_of_the_given_damping) {
  run([]() -> task<> {
    // With the damping d, the rank of vertex 0 is (1 - d) / 2 + d r(1) / 2. The rank r(1) of vertex
    // 1 is divided among both vertices, because vertex 1 has no arc.
    const plain_graph one_arc{"one arc", 0, {{0, 1}}};
    const auto graph = co_await graph_of(one_arc, {.directed = true});
    for (const double damping : {0.1, 0.5, 0.85}) {
      const auto found = co_await pagerank(graph, {.damping = damping, .tolerance = 1e-13});
      EXPECT_NEAR(co_await read(found.rank[0]), 1 / (2 + damping), 1e-12);
      EXPECT_EQ(found.with.damping, damping);
      co_await verify(graph, found);
    }
    const auto short_of = co_await pagerank(graph, {.tolerance = 1e-13, .max_iterations = 3});
    EXPECT_EQ(short_of.iterations, 3U);
    EXPECT_GT(short_of.change, 1e-13);
  });
}

TEST_P(promises, loops_visit_every_vertex_of_an_array_on_its_owner) {
  run([]() -> task<> {
    const auto graph = co_await weighted_graph_of(bfs_graphs::grid(7, 5));
    const auto tree = co_await bfs(graph, 3);
    const auto levels = co_await tree.distance.gather();
    co_await for_each(tree.distance, [graph](vertex_id vertex, auto& distance) {
      EXPECT_EQ(graph.owner_of(vertex), my_pe());
      distance += 1000 * vertex;
    });
    const auto changed = co_await tree.distance.gather();
    for (std::size_t v = 0; v < levels.size(); ++v) EXPECT_EQ(changed[v], levels[v] + 1000 * v);
  });
}

TEST_P(promises, vertices_that_are_not_there_are_named) {
  run([]() -> task<> {
    const auto graph = co_await weighted_graph_of(bfs_graphs::grid(7, 5));
    EXPECT_EQ(co_await graph.vertex_called("34"), 34U);
    const auto by_name = [graph]() -> task<> { co_await graph.vertex_called("Ada"); };
    EXPECT_THAT(co_await refusal_of(by_name, errc::input), HasSubstr("there is no vertex Ada"));
    const auto no_vertex_at_all = [graph]() -> task<> { co_await bfs(graph, no_vertex); };
    EXPECT_THAT(co_await refusal_of(no_vertex_at_all, errc::input), HasSubstr("no_vertex"));
    const auto empty = co_await make_graph(co_await make_array<edge>(0));
    const auto in_empty = [empty]() -> task<> { co_await bfs(empty, 0); };
    EXPECT_THAT(co_await refusal_of(in_empty, errc::input), HasSubstr("the graph has no vertices"));
  });
}

TEST_P(promises, any_pe_gathers_a_whole_result) {
  run([]() -> task<> {
    const auto graph = co_await weighted_graph_of(bfs_graphs::grid(7, 5));
    const auto forest = co_await minimum_spanning_forest(graph);
    const auto parts = co_await connected_components(graph);
    const auto gather = [forest, parts]() -> task<> {
      const auto edges = co_await forest.gather();
      EXPECT_EQ(edges.size(), 34U);
      std::int64_t weight = 0;
      for (const auto& one : edges) weight += one.weight;
      EXPECT_EQ(weight, forest.weight.value());
      EXPECT_EQ(co_await parts.label.gather(), std::vector<vertex_id>(35));
    };
    for (int pe = 0; pe < pes(); ++pe) co_await call(pe, gather);
  });
}

TEST_P(promises, progress_of_a_file_grows_up_to_its_end) {
  static const scratch_folder folder;
  static const std::string file = [] {
    std::string text;
    for (int i = 0; i < 300'000; ++i) text += fmt::format("{} {}\n", i % 1000, i % 777);
    return folder.file("many.el", text);
  }();
  run([]() -> task<> {
    std::vector<double> reading, building;
    const auto hear = [&](std::string_view what, double done) {
      (what == "reading" ? reading : building).push_back(done);
    };
    const auto graph = co_await read_graph(file, {.progress = hear});
    EXPECT_EQ(graph.edges(), 300'000U);
    EXPECT_FALSE(reading.empty());
    EXPECT_TRUE(std::ranges::is_sorted(reading));
    EXPECT_GT(reading.back(), 0.5);
    EXPECT_LE(reading.back(), 1);
    EXPECT_THAT(building, ElementsAre(0, 1));
  });
}

TEST_P(promises, random_roots_are_the_candidates_of_their_seed) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(ring());
    for (const std::uint64_t seed : {1, 2, 77}) {
      std::vector<vertex_id> expected;
      for (std::uint64_t k = 0; expected.size() < 4; ++k) {
        const vertex_id root = root_candidate(seed, 10, k);
        if (std::ranges::find(expected, root) == expected.end()) expected.push_back(root);
      }
      EXPECT_EQ(co_await random_roots(graph, 4, seed), expected) << seed;
    }
  });
}

ATOLL_RUN_ON(promises, 1, 2, 3, 5);

}  // namespace
