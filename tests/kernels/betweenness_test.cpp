// Compares the betweenness of vertices with the results of a simple sequential program and with
// known values. The betweenness values must be the same bit for bit on any number of PEs. The
// verification must refuse wrong values.

#include "atoll/kernels/betweenness.hpp"
#include "atoll/kernels/betweenness/sources.hpp"
#include "kernels/graphalytics.hpp"
#include "kernels/result_graphs.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"

#include <numeric>
#include <set>

namespace {

using namespace atl;
using namespace result_graphs;

using testing::HasSubstr;

using neighbour_sets = std::vector<std::set<vertex_id>>;

neighbour_sets neighbours_of(const plain_graph& of, std::uint64_t vertices, bool directed) {
  neighbour_sets all(vertices);
  for (const edge& e : of.edges) {
    if (e.from == e.to) continue;
    all[e.from].insert(e.to);
    if (!directed) all[e.to].insert(e.from);
  }
  return all;
}

/// The distances from one vertex, and the numbers of shortest paths to each vertex.
struct plain_paths {
  std::vector<std::uint64_t> distance;
  std::vector<double> paths;

  plain_paths(const neighbour_sets& neighbours, vertex_id from)
      : distance(neighbours.size(), no_vertex), paths(neighbours.size()) {
    distance[from] = 0;
    paths[from] = 1;
    for (std::uint64_t d = 0; d < neighbours.size(); ++d) {
      for (vertex_id v = 0; v < neighbours.size(); ++v) {
        if (distance[v] != d) continue;
        for (const vertex_id w : neighbours[v]) {
          if (distance[w] == no_vertex) distance[w] = d + 1;
          if (distance[w] == d + 1) paths[w] += paths[v];
        }
      }
    }
  }
};

/// Returns the betweenness by definition, as a sum over all pairs of a source and another vertex.
std::vector<double> plain_betweenness(const plain_graph& of, std::uint64_t vertices, bool directed,
                                      const std::vector<vertex_id>& sources) {
  const auto neighbours = neighbours_of(of, vertices, directed);
  std::vector<plain_paths> from;
  for (vertex_id v = 0; v < vertices; ++v) from.emplace_back(neighbours, v);
  std::vector<double> sums(vertices);
  for (const vertex_id s : sources) {
    for (vertex_id t = 0; t < vertices; ++t) {
      if (t == s || from[s].distance[t] == no_vertex) continue;
      for (vertex_id v = 0; v < vertices; ++v) {
        if (v == s || v == t || from[s].distance[v] == no_vertex) continue;
        if (from[v].distance[t] == no_vertex) continue;
        if (from[s].distance[v] + from[v].distance[t] != from[s].distance[t]) continue;
        sums[v] += from[s].paths[v] * from[v].paths[t] / from[s].paths[t];
      }
    }
  }
  return sums;
}

std::vector<vertex_id> all_sources(std::uint64_t vertices) {
  std::vector<vertex_id> all(vertices);
  std::iota(all.begin(), all.end(), vertex_id{0});
  return all;
}

/// Expects that each value in `found` is the expected value multiplied by `factor`.
task<> expect_values(betweenness_values found, const std::vector<double>& expected, double factor) {
  const auto values = co_await found.betweenness.gather();
  EXPECT_EQ(values.size(), expected.size());
  for (vertex_id v = 0; v < expected.size(); ++v)
    EXPECT_NEAR(values[v], expected[v] * factor, 1e-9 * expected[v] * factor) << v;
}

const std::vector<plain_graph>& graphs_with_paths() {
  static const std::vector<plain_graph> graphs = {bfs_graphs::kronecker(5),
                                                  random_graph(30, 54),
                                                  random_graph(25, 190),
                                                  bfs_graphs::star(15, 7),
                                                  bfs_graphs::path(13),
                                                  bfs_graphs::grid(4, 5),
                                                  bfs_graphs::two_components(),
                                                  bfs_graphs::loops_and_duplicates(),
                                                  graphalytics::directed_example()};
  return graphs;
}

class betweenness_results : public test::on_pes {};

TEST_P(betweenness_results, are_those_of_the_definition) {
  run([]() -> task<> {
    for (const auto& plain : graphs_with_paths()) {
      for (const bool directed : {false, true}) {
        const auto graph = co_await graph_of(plain, {.directed = directed});
        const std::uint64_t n = graph.vertices();
        const auto question = bfs_graphs::title_of(plain) + (directed ? " directed" : "");
        const auto& expected = bfs_graphs::computed_once(
            question, [&] { return plain_betweenness(plain, n, directed, all_sources(n)); });
        const auto found = co_await betweenness(graph);
        EXPECT_EQ(found.sources, n);
        const auto pairs = static_cast<double>((n - 1) * (n - 2));
        co_await expect_values(found, expected, 1 / pairs);
        co_await verify(graph, found);
        co_await found.destroy();
        const auto plainly = co_await betweenness(graph, {.normalized = false});
        co_await expect_values(plainly, expected, directed ? 1 : 0.5);
        co_await graph.destroy();
      }
    }
  });
}

TEST_P(betweenness_results, of_some_sources_are_an_estimate) {
  run([]() -> task<> {
    const auto plain = random_graph(40, 300);
    for (const bool directed : {false, true}) {
      const auto graph = co_await graph_of(plain, {.directed = directed, .wide_ids = true});
      const std::uint64_t n = graph.vertices();
      const auto sources = betweenness_sources(n, {.sources = 7, .seed = 3});
      EXPECT_EQ(std::set(sources.begin(), sources.end()).size(), 7u);
      const auto found =
          co_await betweenness(graph, {.sources = 7, .seed = 3, .normalized = false});
      EXPECT_EQ(found.sources, 7u);
      const double factor = static_cast<double>(n) / 7 * (directed ? 1 : 0.5);
      co_await expect_values(found, plain_betweenness(plain, n, directed, sources), factor);
      co_await verify(graph, found);
      const auto all = co_await betweenness(graph, {.sources = 1000});
      EXPECT_EQ(all.sources, n);
      co_await verify(graph, all);
    }
  });
}

/// Returns the values that a job of one PE has computed. Jobs with more PEs must compute the same
/// values, bit for bit.
std::vector<double>& values_of_one_pe() {
  static std::vector<double> values;
  return values;
}

TEST_P(betweenness_results, are_the_same_bit_for_bit_on_any_number_of_pes) {
  const auto compute = []() -> task<> {
    std::vector<double> all;
    for (const bool directed : {false, true}) {
      const auto graph = co_await graph_of(bfs_graphs::kronecker(8), {.directed = directed});
      const auto found = co_await betweenness(graph, {.sources = 40});
      const auto values = co_await found.betweenness.gather();
      all.insert(all.end(), values.begin(), values.end());
    }
    if (values_of_one_pe().empty()) {
      values_of_one_pe() = all;
    } else {
      EXPECT_EQ(all, values_of_one_pe());
    }
  };
  if (values_of_one_pe().empty()) test::run_alone(compute);
  run(compute);
}

TEST_P(betweenness_results, of_a_path_and_a_star_are_known) {
  run([]() -> task<> {
    const auto path = co_await graph_of(bfs_graphs::path(5));
    const auto on_path = co_await betweenness(path, {.normalized = false});
    const std::vector<double> expected = {0, 3, 4, 3, 0};
    EXPECT_EQ(co_await on_path.betweenness.gather(), expected);
    const auto top = co_await on_path.top(2);
    EXPECT_EQ(top.size(), 2u);
    EXPECT_EQ(top[0].vertex, 2u);
    EXPECT_EQ(top[1].vertex, 1u);
    EXPECT_EQ(top[1].betweenness, 3);
    const auto star = co_await graph_of(bfs_graphs::star(9, 4));
    const auto in_star = co_await betweenness(star);
    EXPECT_EQ((co_await in_star.top(1))[0].vertex, 4u);
    EXPECT_EQ((co_await in_star.top(1))[0].betweenness, 1);
    for (const std::uint64_t edges : {0, 1}) {
      const plain_graph small{"small", 2, std::vector<edge>(edges, edge{0, 1})};
      const auto graph = co_await graph_of(small);
      const auto found = co_await betweenness(graph);
      EXPECT_EQ(co_await found.betweenness.gather(), std::vector<double>(2 * edges));
      co_await verify(graph, found);
    }
  });
}

TEST_P(betweenness_results, that_are_changed_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::path(5));
    const auto found = co_await betweenness(graph, {.normalized = false});
    co_await set(found.betweenness, 3, 3 + 1e-7);
    co_await expect_wrong(graph, found,
                          "vertex 3 has the betweenness 3.0000001, and a serial "
                          "program finds 3; 1 of 5");
    co_await set(found.betweenness, 3, 3.0);
    co_await set(found.betweenness, 0, 1e-300);
    co_await expect_wrong(graph, found, "vertex 0 has the betweenness 1e-300");
    co_await set(found.betweenness, 0, std::numeric_limits<double>::quiet_NaN());
    co_await expect_wrong(graph, found, "vertex 0");
    co_await set(found.betweenness, 0, 0.0);
    co_await verify(graph, found);
    auto other = found;
    other.with.normalized = true;
    co_await expect_wrong(graph, other, "3 of 5 values are wrong");
  });
}

/// Returns a chain of `links` fans of 64 vertices each, so that 64^links shortest paths lead to its
/// end.
plain_graph chain(std::uint64_t links) {
  constexpr vertex_id width = 64;
  plain_graph made{"chain", (width + 1) * links + 1, {}};
  for (vertex_id v = 0; v < (width + 1) * links; v += width + 1)
    for (vertex_id middle = v + 1; middle <= v + width; ++middle) {
      made.edges.push_back({v, middle});
      made.edges.push_back({middle, v + width + 1});
    }
  return made;
}

TEST_P(betweenness_results, are_refused_where_paths_are_too_many) {
  run([]() -> task<> {
    const auto many = co_await graph_of(chain(170), {.directed = true});
    const auto found = co_await betweenness(many, {.sources = 3});
    co_await verify(many, found);
    const auto too_many = co_await graph_of(chain(171), {.directed = true});
    const auto compute = [=]() -> task<> { co_await betweenness(too_many); };
    EXPECT_THAT(co_await refusal_of(compute, errc::input),
                HasSubstr("shortest paths lead from vertex 0 to another one"));
    const auto none = [=]() -> task<> { co_await betweenness(many, {.sources = 0}); };
    EXPECT_THAT(co_await refusal_of(none, errc::input), HasSubstr("sources is 0"));
    const auto divided = co_await graph_of(bfs_graphs::path(5), {.divide_hubs = true});
    const auto hubs = [=]() -> task<> { co_await betweenness(divided); };
    EXPECT_THAT(co_await refusal_of(hubs, errc::input), HasSubstr("divide_hubs"));
    co_await found.destroy();
    const auto check = [=] { return verify(many, found); };
    EXPECT_THAT(co_await refusal_of(check, errc::input), HasSubstr("was destroyed"));
  });
}

TEST_P(betweenness_results, are_the_same_on_every_pe_that_calls) {
  static const scratch_folder folder;
  run_spmd([]() -> task<> {
    std::vector<edge> mine;
    if (my_pe() == 0) mine = bfs_graphs::path(5).edges;
    const auto graph = co_await all_make_graph(std::span<const edge>(mine), {});
    const auto found = co_await all_betweenness(graph, {.normalized = false});
    EXPECT_EQ((co_await found.all_top(1))[0].betweenness, 4);
    co_await all_verify(graph, found);
    co_await found.all_write(folder.path("betweenness.csv"));
    std::ifstream file(folder.path("betweenness.csv"));
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(text, "vertex,betweenness\n0,0\n1,3\n2,4\n3,3\n4,0\n");
    co_await all_barrier();
    co_await found.all_destroy();
    co_await graph.all_destroy();
  });
}

ATOLL_RUN_ON(betweenness_results, 1, 2, 3, 5, 8);

TEST(betweenness_sources, are_an_order_of_all_vertices) {
  for (const std::uint64_t vertices : {1, 2, 3, 7, 64, 1000}) {
    const kernels::betweenness::source_order order(vertices, 5);
    std::set<vertex_id> all;
    for (std::uint64_t i = 0; i < vertices; ++i) all.insert(order[i]);
    EXPECT_EQ(all.size(), vertices);
    EXPECT_LT(*all.rbegin(), vertices);
  }
}

}  // namespace
