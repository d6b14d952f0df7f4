// Compares two forms of small graphs with the edges of the input. A form with source rows lists,
// for each vertex, the sources of the arcs that lead to the vertex. A serial form is the whole
// graph on PE 0, from which verifiers compute expected results.

#include "atoll/kernels/common/source_rows.hpp"

#include "atoll/graph.hpp"
#include "atoll/kernels/common/serial_graph.hpp"
#include "kernels/result_graphs.hpp"
#include "support/run_on.hpp"

#include <gtest/gtest.h>
#include <map>

namespace {

using namespace atl;
using namespace result_graphs;
using kernels::merged_weight;

class source_rows : public test::on_pes {};

/// The weight of each arc of the whole graph.
using arc_map = std::map<std::pair<vertex_id, vertex_id>, double>;

arc_map arcs_of(const kernels::serial_graph& of) {
  arc_map arcs;
  for (vertex_id v = 0; v < of.vertices(); ++v) {
    const auto weights = of.weights_of_row(v);
    for (std::size_t i = 0; i < of.row(v).size(); ++i)
      arcs[{v, of.row(v)[i]}] = of.weights.empty() ? 0 : weights[i];
  }
  return arcs;
}

task<> compare_with_serial(const plain_graph& plain, bool weighted) {
  const graph_options options{.directed = true, .arc_weights = weighted};
  const auto graph =
      weighted ? co_await weighted_graph_of(plain, options) : co_await graph_of(plain, options);
  const auto compare = [graph, weighted](auto of) -> task<> {
    using rows_type = std::remove_cvref_t<decltype(of.local())>;
    using id = typename decltype(rows_type::targets)::value_type;
    const auto sources = co_await per_pe<kernels::source_rows<id>>::make();
    const auto on_all = [graph, of, sources, weighted]() -> task<> {
      co_await kernels::all_make_source_rows(of.local(), sources);
      const auto stored = graph.kept_edges("the test", site::current());
      const auto how = weighted ? merged_weight::sum : merged_weight::none;
      const auto turned = co_await kernels::all_serial_graph(stored.local(), graph.vertices(),
                                                             orientation::in, how);
      arc_map mine;
      for (std::uint64_t r = 0; r < of->vertices; ++r) {
        const auto row = sources->row(r);
        EXPECT_TRUE(std::ranges::is_sorted(row));
        for (std::size_t i = 0; i < row.size(); ++i)
          mine[{of->first_vertex + r, row[i]}] = weighted ? sources->weights_of_row(r)[i] : 0;
      }
      struct flat {
        vertex_id v, u;
        double w;
      };
      std::vector<flat> flats;
      for (const auto& [ends, weight] : mine) flats.push_back({ends.first, ends.second, weight});
      arc_map all;
      for (const auto& of_pe : co_await all_gather_to(0, std::span<const flat>(flats)))
        for (const flat& one : of_pe) all[{one.v, one.u}] = one.w;
      if (my_pe() == 0) {
        EXPECT_EQ(all, arcs_of(turned));
      }
    };
    co_await on_all_pes(on_all);
    co_await sources.destroy();
  };
  co_await graph.on_ids(compare);
  co_await graph.destroy();
}

TEST_P(source_rows, have_the_arcs_of_the_input_backwards) {
  run([]() -> task<> {
    for (const auto& plain : {bfs_graphs::kronecker(7), bfs_graphs::two_components(),
                              bfs_graphs::loops_and_duplicates()}) {
      co_await compare_with_serial(plain, false);
      co_await compare_with_serial(plain, true);
    }
  });
}

TEST_P(source_rows, split_hubs_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::grid(5, 5), {.divide_hubs = true});
    const auto check = [graph]() -> task<> {
      graph.check_whole_rows("the test", site::current());
      co_return;
    };
    EXPECT_THAT(co_await refusal_of(check, errc::input), testing::HasSubstr("divide_hubs"));
  });
}

TEST(serial_graph, merges_weights_of_parallel_edges_in_both_directions) {
  const std::vector<kernels::serial_edge> edges{
      {0, 1, 5}, {0, 1, 2}, {1, 0, 1}, {2, 1, 7}, {2, 2, 9}};
  const auto of = [&](orientation arcs_are, merged_weight how) {
    return arcs_of(kernels::serial_graph_of(edges, 4, arcs_are, how));
  };
  using enum orientation;
  EXPECT_EQ(of(undirected, merged_weight::sum),
            (arc_map{{{0, 1}, 7}, {{1, 0}, 1}, {{1, 2}, 7}, {{2, 1}, 7}}));
  EXPECT_EQ(of(undirected, merged_weight::smallest),
            (arc_map{{{0, 1}, 1}, {{1, 0}, 1}, {{1, 2}, 7}, {{2, 1}, 7}}));
  EXPECT_EQ(of(out, merged_weight::sum), (arc_map{{{0, 1}, 7}, {{1, 0}, 1}, {{2, 1}, 7}}));
  EXPECT_EQ(of(in, merged_weight::none), (arc_map{{{0, 1}, 0}, {{1, 0}, 0}, {{1, 2}, 0}}));
}

ATOLL_RUN_ON(source_rows, 1, 2, 3, 5, 8);

}  // namespace
