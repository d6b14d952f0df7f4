// Compares counts of triangles and clustering coefficients with a plain program and with the
// examples of LDBC Graphalytics. Wrong counts must be refused.

#include "atoll/kernels/triangles.hpp"
#include "atoll/kernels/triangles/run.hpp"
#include "kernels/dense_graphs.hpp"
#include "kernels/graphalytics.hpp"
#include "kernels/result_graphs.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"

#include <set>

namespace {

using namespace atl;
using namespace result_graphs;
using testing::HasSubstr;

/// For each vertex, its number of triangles and its clustering coefficient.
struct plain_counts {
  std::vector<std::uint64_t> triangles;
  std::vector<double> clustering;
};

/// Counts triangles by trying each pair of neighbours of each vertex.
plain_counts count_plainly(const plain_graph& of, std::uint64_t vertices, bool directed) {
  std::vector<std::set<vertex_id>> arcs(vertices), neighbours(vertices);
  for (const edge& e : of.edges) {
    if (e.from == e.to) continue;
    arcs[e.from].insert(e.to);
    if (!directed) arcs[e.to].insert(e.from);
    neighbours[e.from].insert(e.to);
    neighbours[e.to].insert(e.from);
  }
  plain_counts counts;
  for (const auto& around : neighbours) {
    std::uint64_t linked = 0, triangles = 0;
    for (const vertex_id a : around) {
      for (const vertex_id b : around) {
        linked += arcs[a].count(b);
        triangles += neighbours[a].count(b);
      }
    }
    const auto degree = static_cast<double>(around.size());
    counts.triangles.push_back(triangles / 2);
    counts.clustering.push_back(
        around.size() < 2 ? 0 : static_cast<double>(linked) / (degree * (degree - 1)));
  }
  return counts;
}

const plain_counts& plain_counts_of(const plain_graph& of, std::uint64_t vertices, bool directed) {
  const auto question = bfs_graphs::title_of(of) + (directed ? " directed" : "");
  return bfs_graphs::computed_once(question, [&] { return count_plainly(of, vertices, directed); });
}

const std::vector<plain_graph>& graphs_with_triangles() {
  static const std::vector<plain_graph> graphs = {bfs_graphs::kronecker(7),
                                                  dense_graphs::clique(20),
                                                  dense_graphs::bipartite(7, 12),
                                                  random_graph(60, 400),
                                                  random_graph(300, 700),
                                                  bfs_graphs::star(50, 7),
                                                  bfs_graphs::path(40),
                                                  bfs_graphs::two_components(),
                                                  bfs_graphs::loops_and_duplicates(),
                                                  graphalytics::directed_example(),
                                                  graphalytics::undirected_example()};
  return graphs;
}

/// Compares the counts and their sum with those of the plain program.
task<> expect_counts(triangle_counts found, const plain_counts& expected) {
  EXPECT_EQ(co_await found.triangles.gather(), expected.triangles);
  EXPECT_EQ(co_await found.clustering.gather(), expected.clustering);
  std::uint64_t sum = 0;
  for (const std::uint64_t of_vertex : expected.triangles) sum += of_vertex;
  EXPECT_EQ(found.count, sum / 3);
}

class triangle_results : public test::on_pes {};

TEST_P(triangle_results, are_those_of_a_plain_program) {
  graphs_with_triangles();
  run([]() -> task<> {
    for (const auto& plain : graphs_with_triangles()) {
      for (const bool directed : {false, true}) {
        const auto graph = co_await graph_of(plain, {.directed = directed});
        const auto found = co_await triangles(graph);
        co_await expect_counts(found, plain_counts_of(plain, graph.vertices(), directed));
        co_await verify(graph, found);
        co_await found.destroy();
        co_await graph.destroy();
      }
    }
  });
}

TEST_P(triangle_results, are_the_same_for_wide_ids_and_reversed_arcs) {
  run([]() -> task<> {
    const auto plain = random_graph(60, 400);
    for (const bool directed : {false, true}) {
      const auto graph =
          co_await graph_of(plain, {.directed = directed, .reversed = directed, .wide_ids = true});
      const auto found = co_await triangles(graph);
      co_await expect_counts(found, plain_counts_of(plain, graph.vertices(), directed));
    }
  });
}

/// Returns the values as the files of Graphalytics print them.
std::vector<std::string> in_files(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(fmt::format("{:.15e}", value));
  return texts;
}

TEST_P(triangle_results, are_those_of_the_examples_of_graphalytics) {
  run([]() -> task<> {
    const std::vector<std::string> of_directed = {"6.666666666666666e-01", "1.666666666666667e-01",
                                                  "1.500000000000000e-01", "5.000000000000000e-02",
                                                  "2.500000000000000e-01", "0.000000000000000e+00",
                                                  "0.000000000000000e+00", "8.333333333333334e-01",
                                                  "0.000000000000000e+00", "0.000000000000000e+00"};
    const auto directed = co_await graph_of(graphalytics::directed_example(), {.directed = true});
    const auto with_arcs = co_await triangles(directed);
    EXPECT_EQ(in_files(co_await with_arcs.clustering.gather()), of_directed);
    const std::vector<std::string> of_undirected = {
        "0.000000000000000e+00", "1.000000000000000e+00", "3.333333333333333e-01",
        "1.000000000000000e+00", "6.666666666666666e-01", "2.000000000000000e-01",
        "1.000000000000000e+00", "6.666666666666666e-01", "1.000000000000000e+00",
        "0.000000000000000e+00"};
    const auto undirected = co_await graph_of(graphalytics::undirected_example());
    const auto with_edges = co_await triangles(undirected);
    EXPECT_EQ(in_files(co_await with_edges.clustering.gather()), of_undirected);
  });
}

TEST_P(triangle_results, have_the_transitivity_of_the_graph) {
  run([]() -> task<> {
    plain_graph plain;
    plain.edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}};
    const auto graph = co_await graph_of(plain);
    const auto found = co_await triangles(graph);
    EXPECT_EQ(found.count, 1u);
    EXPECT_EQ(found.pairs, 5u);
    EXPECT_EQ(found.transitivity(), 0.6);
    plain.edges = {{0, 1}};
    const auto alone = co_await triangles(co_await graph_of(plain));
    EXPECT_EQ(alone.transitivity(), 0);
    plain.edges = {};
    const auto empty = co_await triangles(co_await graph_of(plain));
    EXPECT_EQ(empty.count, 0u);
  });
}

TEST_P(triangle_results, that_are_changed_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(dense_graphs::clique(6));
    const auto found = co_await triangles(graph);
    auto miscounted = found;
    ++miscounted.count;
    co_await expect_wrong(graph, miscounted, "20 triangles and 60 pairs");
    miscounted = found;
    --miscounted.pairs;
    co_await expect_wrong(graph, miscounted, "20 triangles and 60 pairs");
    co_await set(found.triangles, 4, std::uint64_t{11});
    co_await expect_wrong(graph, found, "vertex 4 has 11 triangles");
    co_await set(found.triangles, 4, std::uint64_t{10});
    co_await verify(graph, found);
    co_await set(found.clustering, 5, 0.5);
    co_await expect_wrong(graph, found,
                          "vertex 5 has 10 triangles and the clustering coefficient "
                          "0.5, and a serial program finds 10 and 1; 1 of 6");
  });
}

TEST_P(triangle_results, are_written_in_two_columns) {
  static const scratch_folder folder;
  run([]() -> task<> {
    const plain_graph fork{"fork", 4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}};
    const auto graph = co_await graph_of(fork);
    const auto found = co_await triangles(graph);
    co_await found.write(folder.path("triangles.csv"));
    std::ifstream file(folder.path("triangles.csv"));
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(text, "vertex,triangles,clustering\n0,1,1\n1,1,1\n2,1,0.3333333333333333\n3,0,0\n");
  });
}

TEST_P(triangle_results, are_refused_after_they_are_destroyed_and_for_divided_neighbours) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(dense_graphs::clique(6));
    const auto found = co_await triangles(graph);
    co_await found.destroy();
    const auto again = [=] { return found.destroy(); };
    EXPECT_THAT(co_await refusal_of(again, errc::input), HasSubstr("triangles_test.cpp"));
    const auto check = [=] { return verify(graph, found); };
    EXPECT_THAT(co_await refusal_of(check, errc::input), HasSubstr("was destroyed"));
    const auto divided = co_await graph_of(dense_graphs::clique(6), {.divide_hubs = true});
    const auto count = [=]() -> task<> { co_await triangles(divided); };
    EXPECT_THAT(co_await refusal_of(count, errc::input), HasSubstr("divide_hubs"));
  });
}

TEST_P(triangle_results, are_the_same_on_every_pe_that_calls) {
  run_spmd([]() -> task<> {
    std::vector<edge> mine;
    if (my_pe() == 0) mine = dense_graphs::clique(9).edges;
    const auto graph = co_await all_make_graph(std::span<const edge>(mine), {});
    const auto found = co_await all_triangles(graph);
    EXPECT_EQ(found.count, 84u);
    EXPECT_EQ(found.transitivity(), 1);
    co_await all_verify(graph, found);
    co_await found.all_destroy();
    co_await graph.all_destroy();
  });
}

ATOLL_RUN_ON(triangle_results, 1, 2, 3, 5, 8);

// ---- parts of the kernel

namespace kernel = kernels::triangles;
using narrow = kernel::form<std::uint32_t, false>;
using narrow_directed = kernel::form<std::uint32_t, true>;

class triangle_parts : public test::on_pes {};

TEST_P(triangle_parts, rows_from_other_nodes_arrive_in_any_number_of_blocks) {
  run([]() -> task<> {
    const auto plain = random_graph(60, 400);
    const auto graph = co_await graph_of(plain);
    const auto expected = plain_counts_of(plain, graph.vertices(), false);
    const auto count = [&](auto rows) -> task<> {
      if constexpr (std::is_same_v<decltype(rows), distributed_graph<std::uint32_t>>) {
        auto on = co_await kernel::workspace<std::uint32_t, narrow>::make(rows);
        on.least_block = 1;
        const auto found = co_await make_vertex_array<std::uint64_t>(graph);
        const auto clustering = co_await make_vertex_array<double>(graph);
        co_await together([on, found, clustering]() -> task<> {
          co_await on.all_count({found.local(), clustering.local()}, {});
        });
        EXPECT_EQ(co_await found.gather(), expected.triangles);
        co_await on.destroy();
      }
    };
    co_await graph.on_ids(count);
  });
}

TEST_P(triangle_parts, ranks_order_vertices_by_degree_and_then_by_number) {
  run([]() -> task<> {
    const auto check = []() -> task<> {
      // The kernel counts vertices per degree only for degrees below `k_counted_degrees`. Vertices
      // with degrees of at least `k_counted_degrees` are sorted by degree. The test uses small
      // degrees, and degrees just below, at and above `k_counted_degrees`.
      constexpr auto many = static_cast<std::uint32_t>(kernel::k_counted_degrees);
      const std::vector<std::uint32_t> degrees = {3, many + 1, 0, many - 1, many, 3, many + 1};
      const auto first = degrees.size() * static_cast<std::size_t>(my_pe());
      const auto ranks = co_await kernel::all_ranks(std::span(degrees), first);
      std::vector<kernel::vertex_of_degree> all;
      for (std::size_t v = 0; v < degrees.size() * static_cast<std::size_t>(pes()); ++v)
        all.push_back({degrees[v % degrees.size()], v});
      std::ranges::sort(all, std::less<>());
      for (std::size_t row = 0; row < degrees.size(); ++row) {
        EXPECT_EQ(all[ranks[row]].vertex, first + row);
      }
    };
    co_await together(check);
  });
}

ATOLL_RUN_ON(triangle_parts, 1, 2, 3, 5, 8);

/// Marks random vertices as the neighbours of a vertex, and looks up random rows among the marked
/// vertices. Returns the numbers of triangles that were found, per row and per marked vertex.
template <class Form, class Marks>
std::vector<std::uint32_t> found_by(Marks marks) {
  std::vector<std::uint32_t> all;
  for (std::uint64_t round = 0; round < 20; ++round) {
    std::set<std::uint32_t> marked, row;
    for (std::uint64_t i = 0; i < 30; ++i) {
      marked.insert(static_cast<std::uint32_t>(hash(100 * round + i) % 100));
      row.insert(static_cast<std::uint32_t>(hash(7777 * round + i) % 100));
    }
    std::vector<std::uint32_t> entries;
    for (const std::uint32_t rank : row) entries.push_back(Form::entry(rank, hash(rank) % 2 == 0));
    marks.begin(marked.size());
    for (const std::uint32_t rank : marked) marks.mark(rank, hash(rank + round) % 3 == 0);
    const std::uint32_t first = *marked.begin();
    const auto of_all =
        kernel::look_up<Form>(marks, Form::entry(first, hash(first + round) % 3 == 0),
                              std::span<const std::uint32_t>(entries));
    all.insert(all.end(), {of_all.all, of_all.both});
    for (const std::uint32_t rank : marked)
      all.insert(all.end(), {marks.at(rank).found().all, marks.at(rank).found().both});
    for (auto rank = marked.rbegin(); rank != marked.rend(); ++rank) marks.clear(*rank);
  }
  return all;
}

TEST(triangle_marks, in_a_hash_table_count_as_those_in_an_array) {
  EXPECT_EQ(found_by<narrow>(kernel::hashed_marks<narrow>()),
            found_by<narrow>(kernel::direct_marks<narrow>(100)));
  EXPECT_EQ(found_by<narrow_directed>(kernel::hashed_marks<narrow_directed>()),
            found_by<narrow_directed>(kernel::direct_marks<narrow_directed>(100)));
}

}  // namespace
