// Tests functions on graphs and results in programs that run on every PE. Also tests that a
// function reports its progress to the task that calls it.

#include "atoll/kernels/bfs.hpp"
#include "atoll/kernels/components.hpp"
#include "atoll/kernels/forest.hpp"
#include "atoll/kernels/pagerank.hpp"
#include "kernels/result_graphs.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"

#include <map>

namespace {

using namespace atl;
using namespace result_graphs;
using testing::ElementsAre;
using testing::HasSubstr;

class results_on_every_pe : public test::on_pes {};

/// Writes a graph to a file and returns its path. The graph is a path from 0 to 9 with weights 1 to
/// 9, and the isolated vertices 10 and 11.
std::string path_of(const scratch_folder& folder) {
  std::string text;
  for (int i = 0; i < 9; ++i) text += fmt::format("{} {} {}\n", i, i + 1, i + 1);
  return folder.file("path.wel", text + "10 11 7\n");
}

TEST_P(results_on_every_pe, are_searched_and_labelled_the_same_everywhere) {
  static const scratch_folder folder;
  static const std::string file = path_of(folder);
  run_spmd([]() -> task<> {
    const auto graph = co_await all_read_graph(file);
    EXPECT_EQ(graph.vertices(), 12u);
    const auto tree = co_await all_bfs(graph, 4);
    EXPECT_EQ(tree.edges, 9u);
    EXPECT_THAT(co_await tree.all_level_sizes(), ElementsAre(1, 2, 2, 2, 2, 1));
    EXPECT_THAT(co_await tree.path_to(1), ElementsAre(4, 3, 2, 1));
    co_await all_verify(graph, tree);
    const auto parts = co_await all_connected_components(graph);
    const auto largest = co_await parts.all_largest(3);
    EXPECT_EQ(largest.size(), 2u);
    EXPECT_EQ(largest[0].vertices, 10u);
    EXPECT_EQ(largest[1].label, 10u);
    EXPECT_EQ((co_await parts.label.gather())[11], 10u);
    co_await all_verify(graph, parts);
    co_await tree.all_write(folder.path("tree.csv"));
    co_await parts.all_write(folder.path("labels.csv"));
    co_await tree.distance.all_write(folder.path("distances.csv"));
    EXPECT_EQ(std::ranges::count(content_of(folder.path("tree.csv")), '\n'), 11);
    EXPECT_EQ(std::ranges::count(content_of(folder.path("labels.csv")), '\n'), 13);
    EXPECT_EQ(std::ranges::count(content_of(folder.path("distances.csv")), '\n'), 11);
    co_await tree.all_destroy();
    co_await parts.all_destroy();
    co_await graph.all_destroy();
  });
}

TEST_P(results_on_every_pe, are_ranked_and_spanned_the_same_everywhere) {
  static const scratch_folder folder;
  static const std::string file = path_of(folder);
  run_spmd([]() -> task<> {
    const auto graph = co_await all_read_graph(file);
    const auto ranks = co_await all_pagerank(graph, {.tolerance = 1e-9});
    const auto top = co_await ranks.all_top(2);
    EXPECT_EQ(top.size(), 2u);
    EXPECT_EQ(top[0].rank, (co_await ranks.rank.gather())[top[0].vertex]);
    co_await all_verify(graph, ranks);
    co_await ranks.all_write(folder.path("ranks.csv"));
    const auto forest = co_await all_minimum_spanning_forest(graph);
    EXPECT_EQ(forest.weight.text(), "52");
    EXPECT_EQ(forest.trees, 2u);
    EXPECT_EQ((co_await forest.gather()).size(), 10u);
    co_await all_verify(graph, forest);
    co_await forest.all_write(folder.path("forest.wel"));
    EXPECT_EQ(std::ranges::count(content_of(folder.path("forest.wel")), '\n'), 10);
    const auto own = co_await all_make_vertex_array<std::uint32_t>(graph);
    own.for_each_local([](vertex_id vertex, std::uint32_t& x) { x = 2 * vertex; });
    co_await all_barrier();
    EXPECT_EQ(co_await read(own[11]), 22u);
    co_await all_barrier();
    co_await own.all_destroy();
    co_await ranks.all_destroy();
    co_await forest.all_destroy();
    co_await graph.all_destroy();
  });
}

TEST_P(results_on_every_pe, that_are_wrong_are_refused_on_every_pe) {
  static const scratch_folder folder;
  static const std::string file = path_of(folder);
  run_spmd([]() -> task<> {
    const auto graph = co_await all_read_graph(file);
    const auto parts = co_await all_connected_components(graph);
    if (my_pe() == pes() - 1) co_await write(parts.label[3], 2);
    co_await all_barrier();
    const auto check = [=] { return all_verify(graph, parts); };
    const auto wrong = co_await refusal_of(check, errc::wrong_result);
    EXPECT_THAT(wrong, HasSubstr("vertex 3 has the label 2"));
    const auto nowhere = [=] { return parts.all_write("/no/such/folder/labels.csv"); };
    EXPECT_THAT(co_await refusal_of(nowhere, errc::input), HasSubstr("/no/such/folder"));
    const auto load = []() -> task<> { co_await all_read_graph("/no/such/graph.el"); };
    EXPECT_THAT(co_await refusal_of(load, errc::input), HasSubstr("/no/such/graph.el"));
    co_await graph.all_destroy();
    const auto gone = [=] { return graph.all_destroy(); };
    EXPECT_THAT(co_await refusal_of(gone, errc::input), HasSubstr("the graph was destroyed"));
  });
}

/// The reports of progress, for each kind of work. The reported progress must begin at 0 or later,
/// never fall, and end at 1.
struct hearing {
  std::map<std::string, std::vector<double>> of;

  void operator()(std::string_view what, double done) { of[std::string(what)].push_back(done); }

  void expect(const std::string& what, std::size_t times) {
    const auto& all = of[what];
    EXPECT_GE(all.size(), times) << what;
    if (all.empty()) return;
    EXPECT_TRUE(std::ranges::is_sorted(all)) << what;
    EXPECT_GE(all.front(), 0.0) << what;
    EXPECT_EQ(all.back(), 1.0) << what;
  }
};

TEST_P(results_on_every_pe, progress_is_heard_by_the_task_that_calls) {
  run([]() -> task<> {
    const auto graph = co_await weighted_graph_of(bfs_graphs::grid(9, 9));
    const auto on_last = [graph]() -> task<> {
      hearing heard;
      const auto hear = [&heard](std::string_view what, double done) { heard(what, done); };
      co_await bfs(graph, 0, {.progress = hear});
      co_await connected_components(graph, {.progress = hear});
      const auto ranks = co_await pagerank(graph, {.progress = hear});
      co_await minimum_spanning_forest(graph, {.progress = hear});
      heard.expect("searching", 1);  // A single PE can search several levels without a report.
      heard.expect("labelling", 3);
      heard.expect("ranking", ranks.iterations);
      heard.expect("spanning", 3);
      EXPECT_EQ(heard.of.size(), 4u);
    };
    co_await call(pes() - 1, on_last);
  });
}

ATOLL_RUN_ON(results_on_every_pe, 1, 2, 3, 5, 8);

}  // namespace
