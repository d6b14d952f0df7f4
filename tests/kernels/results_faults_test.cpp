// A wrong result must be refused by an error that names a vertex and its fault. The error uses the
// program's own name of the vertex.

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

class faults : public test::on_pes {};

TEST_P(faults, of_trees_name_the_vertex) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::grid(10, 10));
    const auto tree = co_await bfs(graph, 0);
    co_await verify(graph, tree);
    co_await set<vertex_id>(tree.parent, 55, 99);
    co_await expect_wrong(graph, tree,
                          "vertex 55 (parent 99, distance 10) is not one level below its parent");
    // The new parent is on the previous level, but is no neighbour.
    co_await set<vertex_id>(tree.parent, 55, 27);
    co_await expect_wrong(graph, tree,
                          "vertex 55 (parent 27, distance 10) has no edge to its parent");
    co_await set<vertex_id>(tree.parent, 55, 100);
    co_await expect_wrong(graph, tree,
                          "vertex 55 (parent 100, distance 10), the first of 1, has a");
    co_await set<vertex_id>(tree.parent, 55, no_vertex);
    co_await expect_wrong(graph, tree, "vertex 55 (parent none, distance 10) breaks the tree");
    co_await set<vertex_id>(tree.parent, 55, 45);
    co_await set<std::uint32_t>(tree.distance, 55, 9);
    co_await expect_wrong(graph, tree,
                          "vertex 55 (parent 45, distance 9) is not one level below its parent");
    co_await set<std::uint32_t>(tree.distance, 55, 1000);
    co_await expect_wrong(graph, tree,
                          "vertex 55 (parent 45, distance 1000), the first of 1, has a");
    co_await set<std::uint32_t>(tree.distance, 55, 10);
    co_await verify(graph, tree);
    co_await set<vertex_id>(tree.parent, 0, 1);
    co_await expect_wrong(graph, tree, "vertex 0 (parent 1, distance 0) breaks the tree");
  });
}

TEST_P(faults, of_trees_that_leave_out_a_vertex_name_it) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::path(20));
    auto tree = co_await bfs(graph, 0);
    co_await set<vertex_id>(tree.parent, 19, no_vertex);
    co_await set<std::uint32_t>(tree.distance, 19, unreached);
    --tree.reached, --tree.levels;
    co_await expect_wrong(graph, tree,
                          "vertex 19 (parent none, distance none) was not reached, although");
  });
}

TEST_P(faults, of_levels_apart_name_a_vertex) {
  run([]() -> task<> {
    const auto cycle = [](std::uint64_t i) { return edge{i, (i + 1) % 6}; };
    const auto graph = co_await make_graph(6, cycle);
    auto tree = co_await bfs(graph, 0);
    for (vertex_id v = 1; v < 6; ++v) {  // The loop visits all other vertices of the ring.
      co_await set<vertex_id>(tree.parent, v, v - 1);
      co_await set<std::uint32_t>(tree.distance, v, static_cast<std::uint32_t>(v));
    }
    tree.levels = 6;
    co_await expect_wrong(graph, tree,
                          "vertex 0 (parent 0, distance 0) has a neighbour that is more than one");
  });
}

TEST_P(faults, of_labels_name_the_vertex) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::two_components());
    const auto parts = co_await connected_components(graph);
    const vertex_id right = co_await read(parts.label[30]);
    co_await set<vertex_id>(parts.label, 30, 31);
    co_await expect_wrong(graph, parts,
                          fmt::format("vertex 30 has the label 31, and the smallest vertex of its "
                                      "component is {}; 1 of 45 vertices",
                                      right));
    co_await set<vertex_id>(parts.label, 30, 1'000'000);
    co_await expect_wrong(graph, parts, "vertex 30 has the label 1000000,");
  });
}

TEST_P(faults, of_ranks_name_the_vertex) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::grid(6, 6));
    const auto ranks = co_await pagerank(graph);
    const double right = co_await read(ranks.rank[17]);
    for (const double wrong : {0.5, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      co_await write(ranks.rank[17], wrong);
      co_await expect_wrong(graph, ranks, fmt::format("vertex 17 has the rank {}, and", wrong));
      co_await expect_wrong(graph, ranks, "; 1 of 36 ranks are wrong");
    }
    co_await write(ranks.rank[17], right);
    co_await verify(graph, ranks);
  });
}

TEST_P(faults, of_forests_name_the_edge) {
  run([]() -> task<> {
    const auto ring = [](std::uint64_t i) {  // edge 7 leads back to vertex 0
      return weighted_edge{i, (i + 1) % 8, static_cast<std::int64_t>(i) + 1};
    };
    const auto graph = co_await make_graph(8, ring);
    const auto forest = co_await minimum_spanning_forest(graph);
    const auto with = [&](weighted_edge other) { return write(forest.edges[3], other); };
    co_await with({3, 4, 5});
    co_await expect_wrong(graph, forest, "the edge 3 - 4 of weight 5 has another weight in the");
    co_await with({3, 5, 4});
    co_await expect_wrong(graph, forest, "the edge 3 - 5 of weight 4 is not in the input");
    co_await with({3, 900, 4});
    co_await expect_wrong(graph, forest, "the edge 3 - 900 of weight 4 is not in the input");
    co_await with({0, 7, 8});
    co_await expect_wrong(graph, forest, "the edge 3 - 4 of weight 4 is missing");
    co_await with({2, 3, 3});
    co_await expect_wrong(graph, forest, "the edge 2 - 3 of weight 3 is in the forest twice");
    co_await with({3, 4, 4});
    co_await verify(graph, forest);
  });
}

TEST_P(faults, name_vertices_as_their_file_does) {
  static const scratch_folder folder;
  static const std::string from = folder.file("roads.tsv", "A\tB\t3\nB\tC\t4\nA\tC\t9\nD\tE\t2\n");
  run([]() -> task<> {
    const auto graph = co_await read_graph(from);
    const auto of = [=](const char* name) -> task<vertex_id> {
      const auto found = co_await graph.find(name);
      co_return found.value_or(no_vertex);
    };
    const vertex_id a = co_await of("A"), b = co_await of("B"), c = co_await of("C");
    const vertex_id d = co_await of("D");
    const auto tree = co_await bfs(graph, a);
    co_await set<vertex_id>(tree.parent, c, d);
    co_await expect_wrong(graph, tree, "vertex C (parent D, distance 1) is not one level below");
    const auto parts = co_await connected_components(graph);
    co_await set<vertex_id>(parts.label, c, d);
    co_await expect_wrong(graph, parts, "vertex C has the label D, and the smallest vertex of its");
    const auto ranks = co_await pagerank(graph);
    co_await write(ranks.rank[b], 0.75);
    co_await expect_wrong(graph, ranks, "vertex B has the rank 0.75, and");
    const auto forest = co_await minimum_spanning_forest(graph);
    auto first = co_await read(forest.edges[0]);
    ++first.weight;
    co_await write(forest.edges[0], first);
    const std::string ends =
        co_await graph.name_of(first.from) + " - " + co_await graph.name_of(first.to);
    co_await expect_wrong(graph, forest, "the edge " + ends + " of weight ");
  });
}

TEST_P(faults, name_vertices_by_the_ids_of_the_input) {
  run([]() -> task<> {
    const std::uint64_t large = std::uint64_t{1} << 60;
    const plain_graph plain{"any", 0, {{large, 7}, {7, 5000}, {5000, large + 9}}};
    const auto graph = co_await graph_of(plain, {.ids = ids::any});
    const auto parts = co_await connected_components(graph);
    co_await set<vertex_id>(parts.label, 3, 1);
    co_await expect_wrong(graph, parts,
                          fmt::format("vertex {} has the label 5000, and the smallest vertex of "
                                      "its component is 7",
                                      large + 9));
  });
}

ATOLL_RUN_ON(faults, 1, 2, 3, 5, 8);

}  // namespace
