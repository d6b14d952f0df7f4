// Compares ranks with the definition on any number of PEs. Wrong ranks must be refused.

#include "kernels/pagerank_job.hpp"

namespace {

using namespace pagerank_job;

constexpr orientation k_ranked_ways[] = {orientation::undirected, orientation::out,
                                         orientation::in};

class pagerank_ranks : public test::on_pes {};

TEST_P(pagerank_ranks, are_those_of_the_definition) {
  ranked_shapes();
  run([]() -> task<> {
    for (const auto& graph : ranked_shapes()) {
      for (const auto arcs_are : k_ranked_ways)
        co_await compare_ranks<std::uint32_t>(graph, arcs_are);
    }
  });
}

TEST_P(pagerank_ranks, are_the_same_with_whole_rows_of_hubs) {
  ranked_shapes();
  run([]() -> task<> {
    for (const auto& graph : ranked_shapes())
      co_await compare_ranks<std::uint32_t>(graph, orientation::out, hub_rows::whole);
  });
}

TEST_P(pagerank_ranks, are_the_same_with_ids_of_64_bits) {
  ranked_shapes();
  run([]() -> task<> {
    for (const auto& graph : ranked_shapes())
      co_await compare_ranks<std::uint64_t>(graph, orientation::undirected);
  });
}

TEST_P(pagerank_ranks, go_over_arcs_as_these_weigh) {
  ranked_shapes();
  run([]() -> task<> {
    for (const auto& graph : ranked_shapes()) {
      for (const auto arcs_are : {orientation::undirected, orientation::out}) {
        co_await compare_weighted_ranks<std::uint32_t>(graph, arcs_are);
      }
    }
  });
}

TEST_P(pagerank_ranks, obey_the_parameters) {
  const auto star = bfs_graphs::star(500, 123);
  run([&]() -> task<> {
    for (const double damping : {0.0, 0.5, 1.0}) {
      for (const double tolerance : {0.0, 1e-2, 1e-8, 3.0}) {
        const pr::parameters with{damping, tolerance, 20};
        co_await compare_ranks<std::uint32_t>(star, orientation::out, hub_rows::split, with);
      }
    }
  });
}

TEST_P(pagerank_ranks, of_all_vertices_are_one_together) {
  const auto graph = dangling();
  run([&]() -> task<> {
    const auto made = co_await prepare_ranks<std::uint32_t>(graph, orientation::out);
    co_await rank_once(made.on, {});
    double sum = 0;
    for (const double rank : co_await ranks_found(made.on)) sum += rank;
    EXPECT_NEAR(sum, 1, 1e-12);
    co_await made.destroy();
  });
}

ATOLL_RUN_ON_ALL(pagerank_ranks);

class pagerank_large : public test::on_pes {};

TEST_P(pagerank_large, has_sources_that_are_near_and_others_that_are_far) {
  const std::uint64_t vertices = 3 * pr::k_near;
  bfs_graphs::graph graph{"large", vertices, {}};
  random_stream random(5);
  // A few sources have most of the edges, but every source has some edges.
  for (std::uint64_t i = 0; i < vertices; ++i)
    graph.edges.push_back({random.below(vertices), random.below(1 + random.below(vertices))});
  for (std::uint64_t v = 1; v < vertices; ++v) graph.edges.push_back({v, v / 3});
  run([&]() -> task<> {
    co_await compare_ranks<std::uint32_t>(graph, orientation::undirected);
    co_await compare_weighted_ranks<std::uint32_t>(graph, orientation::out);
  });
}

TEST_P(pagerank_large, is_verified_by_edges_that_come_in_parts) {
  const bfs_graphs::graph path = bfs_graphs::path(5 * kernels::k_gathered_at_once);
  run([&]() -> task<> {
    const auto made = co_await prepare_ranks<std::uint32_t>(path, orientation::out);
    const auto verify = [on = made.on, edges = edges_of(path)]() -> task<pr::wrong_ranks> {
      const auto mine = edges();
      const auto expected = co_await pr::all_expected_ranks<std::uint32_t>(on.graph->shape, mine,
                                                                           orientation::out, {});
      const auto outcome = co_await pr::all_run(on, {}, &expected);
      co_return outcome.found;
    };
    const auto found = co_await from_all_pes(verify);
    EXPECT_EQ(found.vertices, 0u);
    co_await made.destroy();
  });
}

ATOLL_RUN_ON(pagerank_large, 1, 2);

class pagerank_top : public test::on_pes {};

TEST_P(pagerank_top, are_the_vertices_of_the_highest_ranks) {
  const auto graph = bfs_graphs::kronecker(9);
  const auto expected = ranks_by_definition(graph, orientation::out, {});
  run([&]() -> task<> {
    const auto made = co_await build_graph<std::uint32_t>(graph, orientation::out);
    const auto top = co_await top_of(made, 20);
    EXPECT_EQ(top.size(), 20u);
    double before = 1;
    for (const auto& one : top) {
      EXPECT_LE(one.rank, before);
      EXPECT_NEAR(one.rank, expected.ranks[one.vertex], 1e-12);
      before = one.rank;
    }
    const auto above = [&](double rank) { return rank > before * (1 + 1e-9); };
    EXPECT_LT(std::ranges::count_if(expected.ranks, above), 20);
    const auto none = co_await top_of(made, 0);
    EXPECT_EQ(none.size(), 0u);
    const auto all = co_await top_of(made, 10'000);
    EXPECT_EQ(all.size(), graph.vertices);
    co_await made.destroy();
  });
}

TEST_P(pagerank_top, are_in_the_order_of_their_numbers_where_ranks_are_equal) {
  const auto star = bfs_graphs::star(50, 7);
  run([&]() -> task<> {
    const auto made = co_await build_graph<std::uint32_t>(star, orientation::undirected);
    std::vector<std::uint64_t> shown;
    for (const auto& one : co_await top_of(made, 4)) shown.push_back(one.vertex);
    EXPECT_EQ(shown, (std::vector<std::uint64_t>{7, 0, 1, 2}));
    co_await made.destroy();
  });
}

ATOLL_RUN_ON(pagerank_top, 1, 2, 3, 8);

class pagerank_validation : public test::on_pes {
 protected:
  /// Computes the ranks of the graph `ranked`. Validates the ranks against the edges of `input`,
  /// and returns the errors.
  pr::wrong_ranks compared(const bfs_graphs::graph& ranked, const bfs_graphs::graph& input,
                           orientation arcs_are, pr::parameters expected_with = {}) const {
    pr::wrong_ranks found;
    run([&]() -> task<> {
      const auto made = co_await prepare_ranks<std::uint32_t>(ranked, arcs_are);
      const auto verify = [on = made.on, edges = edges_of(input), arcs_are,
                           expected_with]() -> task<pr::wrong_ranks> {
        const auto mine = edges();
        const auto expected = co_await pr::all_expected_ranks<std::uint32_t>(
            on.graph->shape, mine, arcs_are, expected_with);
        const auto outcome = co_await pr::all_run(on, {}, &expected);
        co_return outcome.found;
      };
      found = co_await from_all_pes(verify);
      co_await made.destroy();
    });
    return found;
  }
};

TEST_P(pagerank_validation, finds_right_ranks_right) {
  for (const auto& graph : ranked_shapes()) {
    for (const auto arcs_are : k_ranked_ways) {
      const auto found = compared(graph, graph, arcs_are);
      EXPECT_EQ(found.vertices, 0u) << graph.name;
      EXPECT_LE(found.deviation, 1e-12) << graph.name;
    }
  }
}

TEST_P(pagerank_validation, knows_weights) {
  for (const auto& graph : ranked_shapes()) {
    run([&]() -> task<> {
      const auto made = co_await prepare_weighted<std::uint32_t>(graph, orientation::undirected);
      const auto verify = [on = made.on, edges = edges_of(graph),
                           wrong = graph.edges.size() > 1000]() -> task<> {
        const auto mine = edges();
        const partition& shape = on.graph->shape;
        const auto expected = co_await pr::all_expected_ranks<std::uint32_t>(
            shape, mine, orientation::undirected, {}, 0, weights_of_dealt());
        const auto outcome = co_await pr::all_run(on, {}, &expected);
        EXPECT_EQ(outcome.found.vertices, 0u);
        const auto plain = co_await pr::all_expected_ranks<std::uint32_t>(
            shape, mine, orientation::undirected, {});
        const auto other = co_await pr::all_run(on, {}, &plain);
        EXPECT_TRUE(!wrong || other.found.vertices > 0);
      };
      co_await together(verify);
      co_await made.destroy();
    });
  }
}

TEST_P(pagerank_validation, finds_an_arc_too_much_or_too_few) {
  const auto grid = bfs_graphs::grid(10, 12);
  auto less = grid;
  less.edges.erase(less.edges.begin() + 57);
  EXPECT_GT(compared(less, grid, orientation::undirected).vertices, 1u);
  EXPECT_GT(compared(grid, less, orientation::undirected).vertices, 1u);
}

TEST_P(pagerank_validation, finds_arcs_the_wrong_way) {
  auto star = bfs_graphs::star(50, 7);
  const auto right = star;
  std::swap(star.edges[3].from, star.edges[3].to);
  EXPECT_GT(compared(star, right, orientation::out).vertices, 1u);
}

TEST_P(pagerank_validation, finds_an_iteration_too_few) {
  const auto grid = bfs_graphs::grid(10, 12);
  EXPECT_GT(compared(grid, grid, orientation::out, {0.85, 1e-4, 3}).vertices, 1u);
  EXPECT_GT(compared(grid, grid, orientation::out, {0.8500001, 1e-4, 100}).vertices, 1u);
}

ATOLL_RUN_ON(pagerank_validation, 1, 2, 3, 8);

}  // namespace
