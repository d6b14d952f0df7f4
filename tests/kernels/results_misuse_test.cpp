// Tests invalid calls on graphs and results: calls by all PEs at once, on destroyed objects, or
// with another graph. The errors must name the source line of the call.

#include "atoll/kernels/bfs.hpp"
#include "atoll/kernels/components.hpp"
#include "atoll/kernels/forest.hpp"
#include "atoll/kernels/pagerank.hpp"
#include "kernels/result_graphs.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"

#include <functional>

namespace {

using namespace atl;
using namespace result_graphs;
using testing::HasSubstr;

std::string misuse_at(unsigned line) { return "results_misuse_test.cpp:" + std::to_string(line); }

/// A call, and its source line in this file.
struct misuse {
  unsigned line;
  std::function<task<>()> call;
};

// ---- Every PE calls a function that only one task may call.

class calls_of_all_pes : public test::on_pes {
 protected:
  /// The objects that the calls of all PEs use.
  struct found {
    global_graph graph;
    search_tree tree;
    components parts;
    page_ranks ranks;
    spanning_forest forest;
  };
  static task<found> all_find() {
    std::vector<weighted_edge> mine;
    for (vertex_id v = 0; v < 40; ++v) mine.push_back({v, v + 1, 3});
    found all;
    all.graph = co_await all_make_graph(std::span<const weighted_edge>(mine), {});
    all.tree = co_await all_bfs(all.graph, 0);
    all.parts = co_await all_connected_components(all.graph);
    all.ranks = co_await all_pagerank(all.graph, {});
    all.forest = co_await all_minimum_spanning_forest(all.graph);
    co_await all_barrier();
    co_return all;
  }

  template <class Call>
  void expect_told(const std::string& name, unsigned line, Call call) {
    const auto program = [call]() -> task<> {
      const found all = co_await all_find();
      // Repeated calls make it likely that two PEs call at the same time.
      for (int i = 0; i < 30; ++i) co_await call(all);
    };
    const test::captured_stderr captured;
    EXPECT_EQ(test::status_of(options, program, true), 2) << name;
    EXPECT_THAT(captured.text(), HasSubstr(name + " at " + misuse_at(line)));
    EXPECT_THAT(captured.text(), HasSubstr("where every PE calls, that is all_" + name));
  }
};

TEST_P(calls_of_all_pes, name_the_collective_form_of_kernels) {
  expect_told("bfs", __LINE__, [](found all) -> task<> { co_await bfs(all.graph, 1); });
  expect_told("connected_components", __LINE__ + 1,
              [](found all) -> task<> { co_await connected_components(all.graph); });
  expect_told("pagerank", __LINE__, [](found all) -> task<> { co_await pagerank(all.graph); });
  expect_told("minimum_spanning_forest", __LINE__ + 1,
              [](found all) -> task<> { co_await minimum_spanning_forest(all.graph); });
}

TEST_P(calls_of_all_pes, name_the_collective_form_of_checks) {
  const auto check = [](auto member) {
    return [member](found all) -> task<> { co_await verify(all.graph, all.*member); };
  };
  expect_told("verify", __LINE__ - 2, check(&found::tree));
  expect_told("verify", __LINE__ - 3, check(&found::parts));
  expect_told("verify", __LINE__ - 4, check(&found::ranks));
  expect_told("verify", __LINE__ - 5, check(&found::forest));
}

TEST_P(calls_of_all_pes, name_the_collective_form_of_graphs) {
  static const scratch_folder folder;
  static const std::string file = folder.file("few.el", "0 1\n1 2\n");
  expect_told("read_graph", __LINE__, [](found) -> task<> { co_await read_graph(file); });
  expect_told("make_graph", __LINE__ + 2, [](found) -> task<> {
    const auto edge_at = [](std::uint64_t i) { return edge{i, i + 1}; };
    co_await make_graph(200, edge_at);
  });
}

TEST_P(calls_of_all_pes, name_the_collective_form_of_members) {
  static const scratch_folder folder;
  static const std::string to = folder.path("out.csv");
  expect_told("largest", __LINE__, [](found all) -> task<> { co_await all.parts.largest(2); });
  expect_told("top", __LINE__, [](found all) -> task<> { co_await all.ranks.top(2); });
  expect_told("level_sizes", __LINE__ + 1,
              [](found all) -> task<> { co_await all.tree.level_sizes(); });
  expect_told("write", __LINE__, [](found all) -> task<> { co_await all.tree.write(to); });
  expect_told("write", __LINE__, [](found all) -> task<> { co_await all.ranks.rank.write(to); });
}

ATOLL_RUN_ON(calls_of_all_pes, 2, 3, 5);

// ---- destroyed objects

class gone : public test::on_pes {};

/// Expects that each call throws an error with the source line of the call and with `words`.
task<> expect_refused(const std::vector<misuse>& all, const std::string& words) {
  for (const misuse& one : all) {
    const std::string text = co_await refusal_of(one.call, errc::input);
    EXPECT_THAT(text, HasSubstr(misuse_at(one.line) + ": "));
    EXPECT_THAT(text, HasSubstr(words));
  }
}

TEST_P(gone, graphs_are_refused_with_the_line_of_the_call) {
  run([]() -> task<> {
    const auto graph = co_await weighted_graph_of(bfs_graphs::grid(5, 5));
    const auto tree = co_await bfs(graph, 0);
    co_await graph.destroy();
    // The new graph has the same address as the destroyed graph.
    const auto again = co_await weighted_graph_of(bfs_graphs::grid(5, 5));
    const auto nothing = [](auto&&...) {};
    const std::vector<misuse> of_graph = {
        {__LINE__, [=]() -> task<> { co_await bfs(graph, 0); }},
        {__LINE__, [=]() -> task<> { co_await connected_components(graph); }},
        {__LINE__, [=]() -> task<> { co_await pagerank(graph); }},
        {__LINE__, [=]() -> task<> { co_await minimum_spanning_forest(graph); }},
        {__LINE__, [=]() -> task<> { co_await make_vertex_array<int>(graph); }},
        {__LINE__, [=]() -> task<> { co_await verify(graph, tree); }},
        {__LINE__, [=]() -> task<> { co_await graph.find("1"); }},
        {__LINE__, [=]() -> task<> { co_await graph.name_of(1); }},
        {__LINE__, [=]() -> task<> { co_return static_cast<void>(graph.owner_of(1)); }},
        {__LINE__, [=]() -> task<> { co_return static_cast<void>(graph.first_vertex()); }},
        {__LINE__, [=]() -> task<> { co_return static_cast<void>(graph.local_vertices()); }},
        {__LINE__, [=]() -> task<> { co_return static_cast<void>(graph.degree(0)); }},
        {__LINE__, [=]() -> task<> { co_return graph.for_each_neighbour(0, nothing); }},
        {__LINE__, [=]() -> task<> { co_await graph.destroy(); }},
    };
    co_await expect_refused(of_graph, "the graph was destroyed before");
    const std::vector<misuse> of_result = {
        {__LINE__, [=]() -> task<> { co_return static_cast<void>(tree.distance[3]); }},
        {__LINE__, [=]() -> task<> { co_return static_cast<void>(tree.distance.local()); }},
        {__LINE__, [=]() -> task<> { co_return static_cast<void>(tree.parent.first_vertex()); }},
        {__LINE__, [=]() -> task<> { co_return tree.parent.for_each_local(nothing); }},
        {__LINE__, [=]() -> task<> { co_await tree.distance.gather(); }},
        {__LINE__, [=]() -> task<> { co_await tree.path_to(4); }},
        {__LINE__, [=]() -> task<> { co_await tree.level_sizes(); }},
        {__LINE__, [=]() -> task<> { co_await tree.write("/tmp/never.csv"); }},
    };
    co_await expect_refused(of_result, "the graph of the vertex array was destroyed before");
    co_await tree.destroy();  // A result may be destroyed after its graph.
    co_await verify(again, co_await bfs(again, 0));
  });
}

TEST_P(gone, results_are_refused_with_the_line_of_the_call) {
  run([]() -> task<> {
    const auto graph = co_await weighted_graph_of(bfs_graphs::grid(5, 5));
    const auto tree = co_await bfs(graph, 0);
    const auto parts = co_await connected_components(graph);
    const auto ranks = co_await pagerank(graph);
    const auto forest = co_await minimum_spanning_forest(graph);
    co_await tree.destroy();
    co_await parts.destroy();
    co_await ranks.destroy();
    co_await forest.destroy();
    // The new array has the same address as a destroyed array.
    const auto after = co_await make_vertex_array<vertex_id>(graph);
    const std::vector<misuse> all = {
        {__LINE__, [=]() -> task<> { co_await tree.destroy(); }},
        {__LINE__, [=]() -> task<> { co_await parts.destroy(); }},
        {__LINE__, [=]() -> task<> { co_await ranks.destroy(); }},
        {__LINE__, [=]() -> task<> { co_await forest.destroy(); }},
        {__LINE__, [=]() -> task<> { co_await parts.label.destroy(); }},
        {__LINE__, [=]() -> task<> { co_await tree.path_to(4); }},
        {__LINE__, [=]() -> task<> { co_await tree.level_sizes(); }},
        {__LINE__, [=]() -> task<> { co_await tree.write("/tmp/never.csv"); }},
        {__LINE__, [=]() -> task<> { co_await verify(graph, tree); }},
        {__LINE__, [=]() -> task<> { co_await parts.largest(); }},
        {__LINE__, [=]() -> task<> { co_await parts.write("/tmp/never.csv"); }},
        {__LINE__, [=]() -> task<> { co_await parts.label.gather(); }},
        {__LINE__, [=]() -> task<> { co_await parts.label.write("/tmp/never.csv"); }},
        {__LINE__, [=]() -> task<> { co_return static_cast<void>(parts.label[0]); }},
        {__LINE__, [=]() -> task<> { co_return static_cast<void>(parts.label.local()); }},
        {__LINE__, [=]() -> task<> { co_await verify(graph, parts); }},
        {__LINE__, [=]() -> task<> { co_await ranks.top(); }},
        {__LINE__, [=]() -> task<> { co_await ranks.write("/tmp/never.csv"); }},
        {__LINE__, [=]() -> task<> { co_await verify(graph, ranks); }},
        {__LINE__, [=]() -> task<> { co_await forest.gather(); }},
        {__LINE__, [=]() -> task<> { co_await forest.write("/tmp/never.wel"); }},
        {__LINE__, [=]() -> task<> { co_await verify(graph, forest); }},
    };
    co_await expect_refused(all, "destroyed before");
    co_await after.destroy();
  });
}

TEST_P(gone, what_looks_at_levels_roots_and_degrees_is_refused_with_its_line) {
  run([]() -> task<> {
    const auto graph = co_await weighted_graph_of(bfs_graphs::grid(5, 5));
    const auto other = co_await weighted_graph_of(bfs_graphs::grid(5, 5));
    const auto tree = co_await bfs(graph, 0);
    const auto of_other = co_await bfs(other, 0);
    const std::vector<misuse> of_another = {
        {__LINE__, [=]() -> task<> { co_await levels_of(graph, of_other, 1, 1); }},
    };
    co_await expect_refused(of_another, "the result is of another graph");
    co_await of_other.destroy();
    const std::vector<misuse> of_none = {
        {__LINE__, [=]() -> task<> { co_await levels_of(other, of_other, 1, 1); }},
    };
    co_await expect_refused(of_none, "the vertex array was destroyed before");
    co_await graph.destroy();
    const std::vector<misuse> of_graph = {
        {__LINE__, [=]() -> task<> { co_await verify(graph); }},
        {__LINE__, [=]() -> task<> { co_await levels_of(graph, tree, 1, 1); }},
        {__LINE__, [=]() -> task<> { co_await random_roots(graph, 1); }},
        {__LINE__, [=]() -> task<> { co_await vertex_with_most_neighbours(graph); }},
        {__LINE__, [=]() -> task<> { co_await repeated_searches::make(graph); }},
        {__LINE__, [=]() -> task<> { co_await graph.statistics(); }},
    };
    co_await expect_refused(of_graph, "the graph was destroyed before");
  });
}

TEST_P(gone, handles_that_nobody_has_made_are_refused) {
  run([]() -> task<> {
    const global_graph graph;
    const std::vector<misuse> all = {
        {__LINE__, [=]() -> task<> { co_await bfs(graph, 0); }},
        {__LINE__, [=]() -> task<> { co_await pagerank(graph); }},
        {__LINE__, [=]() -> task<> { co_await graph.destroy(); }},
        {__LINE__, [=]() -> task<> { co_await vertex_array<double>().gather(); }},
        {__LINE__, [=]() -> task<> { co_await search_tree().destroy(); }},
        {__LINE__, [=]() -> task<> { co_await spanning_forest().gather(); }},
    };
    co_await expect_refused(all, "was never made");
  });
}

TEST_P(gone, results_of_another_graph_as_large_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await weighted_graph_of(bfs_graphs::grid(5, 5));
    const auto other = co_await weighted_graph_of(bfs_graphs::grid(5, 5));
    const auto tree = co_await bfs(other, 0);
    const auto parts = co_await connected_components(other);
    const auto ranks = co_await pagerank(other);
    const auto forest = co_await minimum_spanning_forest(other);
    const std::vector<misuse> all = {
        {__LINE__, [=]() -> task<> { co_await verify(graph, tree); }},
        {__LINE__, [=]() -> task<> { co_await verify(graph, parts); }},
        {__LINE__, [=]() -> task<> { co_await verify(graph, ranks); }},
        {__LINE__, [=]() -> task<> { co_await verify(graph, forest); }},
    };
    co_await expect_refused(all, "the result is of another graph");
  });
}

ATOLL_RUN_ON(gone, 1, 2, 3, 5);

// ---- calls after destroy()

TEST(repeated_calls, are_refused_behind_destroy) {
  const auto program = []() -> task<> {
    const auto edges = co_await make_array<weighted_edge>(1);
    co_await write(edges[0], {0, 1, 3});
    const auto graph = co_await make_graph(edges, {});
    auto searches = co_await repeated_searches::make(graph);
    auto rankings = co_await repeated_rankings::make(graph);
    auto forests = co_await repeated_forests::make(graph);
    co_await searches.destroy();
    co_await rankings.destroy();
    co_await forests.destroy();
    const auto refuses = [](auto call, std::string_view what) -> task<> {
      std::string text;
      try {
        co_await call();
      } catch (const error& e) {
        text = e.what();
      }
      EXPECT_THAT(text, HasSubstr("results_misuse_test.cpp:"));
      EXPECT_THAT(text, HasSubstr(std::string("the repeated ") + std::string(what) + " were"));
    };
    co_await refuses([&]() -> task<> { co_await searches.search(0); }, "searches");
    co_await refuses([&]() -> task<> { co_await searches.verify(); }, "searches");
    co_await refuses([&]() -> task<> { (co_await searches.tree()); }, "searches");
    co_await refuses([&]() -> task<> { co_await searches.destroy(); }, "searches");
    co_await refuses([&]() -> task<> { (co_await rankings.rank()); }, "rankings");
    co_await refuses([&]() -> task<> { co_await rankings.destroy(); }, "rankings");
    co_await refuses([&]() -> task<> { (co_await forests.find()); }, "forests");
    co_await refuses([&]() -> task<> { co_await forests.destroy(); }, "forests");
  };
  for (const int pes : {1, 3}) test::run_on(test::job_of(pes), program);
}

}  // namespace
