// Tests communities. Known communities must be found, and labels must not depend on the number of
// PEs or the schedule. Wrong results must be refused.

#include "atoll/kernels/communities.hpp"

#include "kernels/result_graphs.hpp"
#include "support/refusal.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"

#include <array>
#include <map>
#include <numeric>
#include <set>

namespace {

using namespace atl;
using namespace result_graphs;
using testing::HasSubstr;

class communities_of_graphs : public test::on_pes {};

/// With these options, a graph is divided over the PEs. By default, graphs as small as those of the
/// tests are copied to every PE.
constexpr communities_options k_divided{.iterations = 2, .copied_below = 0};

/// Returns a ring of `cliques` cliques of `size` vertices each. One edge connects each clique with
/// the next clique.
plain_graph ring_of_cliques(std::uint64_t cliques, std::uint64_t size) {
  plain_graph made{"ring of cliques", cliques * size, {}};
  for (std::uint64_t k = 0; k < cliques; ++k) {
    for (std::uint64_t a = 0; a < size; ++a)
      for (std::uint64_t b = 0; b < a; ++b) made.edges.push_back({k * size + a, k * size + b});
    made.edges.push_back({k * size, (k + 1) % cliques * size + 1});
  }
  return made;
}

/// Returns a graph with groups of 32 vertices. Most edges connect two vertices of a group, and the
/// other edges connect any vertices.
plain_graph planted_groups(std::uint64_t groups, std::uint64_t edges, std::uint64_t seed) {
  constexpr std::uint64_t size = 32;
  plain_graph made{"planted groups", groups * size, {}};
  random_stream random(seed);
  for (std::uint64_t i = 0; i < edges; ++i) {
    const vertex_id from = random.below(groups * size);
    const bool within = random.below(5) != 0;
    const vertex_id to =
        within ? from / size * size + random.below(size) : random.below(groups * size);
    made.edges.push_back({from, to});
  }
  return made;
}

/// Returns the graph `of` with randomly renumbered vertices.
plain_graph renumbered(plain_graph of) {
  std::vector<vertex_id> number(of.vertices);
  std::iota(number.begin(), number.end(), vertex_id{0});
  std::ranges::shuffle(number, random_stream(5));
  for (edge& e : of.edges) e = {number[e.from], number[e.to]};
  of.name = "renumbered " + of.name;
  return of;
}

/// For each vertex, a map from each neighbour to the weight of the arcs to and from this neighbour.
using arcs_of_vertices = std::vector<std::map<vertex_id, double>>;

arcs_of_vertices arcs_of(const plain_graph& plain, std::uint64_t vertices, bool directed) {
  std::set<std::pair<vertex_id, vertex_id>> arcs;
  for (const edge& e : plain.edges) {
    if (e.from == e.to) continue;
    arcs.insert({e.from, e.to});
    if (!directed) arcs.insert({e.to, e.from});
  }
  arcs_of_vertices made(vertices);
  for (const auto& [from, to] : arcs) {
    made[from][to] += directed ? 1 : 0.5;
    made[to][from] += directed ? 1 : 0.5;
  }
  return made;
}

double plain_modularity(const arcs_of_vertices& arcs, const std::vector<vertex_id>& labels,
                        double resolution) {
  std::map<vertex_id, double> strength;
  double all = 0, inside = 0;
  for (vertex_id v = 0; v < arcs.size(); ++v)
    for (const auto& [to, weight] : arcs[v]) {
      strength[labels[v]] += weight;
      all += weight;
      inside += labels[to] == labels[v] ? weight : 0;
    }
  if (all == 0) return 0;
  double modularity = inside / all;
  for (const auto& [label, sum] : strength) modularity -= resolution * sum * sum / all / all;
  return modularity;
}

/// Expects that the label of each vertex is the smallest vertex of its community. A search from the
/// smallest vertex must reach the whole community.
void expect_connected(const arcs_of_vertices& arcs, const std::vector<vertex_id>& labels) {
  std::vector<bool> reached(labels.size());
  for (vertex_id v = 0; v < labels.size(); ++v) {
    ASSERT_LE(labels[v], v);
    ASSERT_EQ(labels[labels[v]], labels[v]);
    if (labels[v] != v) continue;
    reached[v] = true;
    for (std::vector<vertex_id> waiting(1, v); !waiting.empty();) {
      const vertex_id at = waiting.back();
      waiting.pop_back();
      for (const auto& [to, weight] : arcs[at]) {
        if (reached[to] || labels[to] != v) continue;
        reached[to] = true;
        waiting.push_back(to);
      }
    }
  }
  EXPECT_TRUE(std::ranges::all_of(reached, [](bool one) { return one; }));
}

/// Expects the same labels as in jobs with other numbers of PEs.
void expect_same(const std::string& question, const std::vector<vertex_id>& labels) {
  EXPECT_EQ(bfs_graphs::computed_once(question, [&] { return labels; }), labels) << question;
}

task<> expect_good(const plain_graph& plain, bool directed, communities_options options) {
  const auto graph = co_await graph_of(plain, {.directed = directed});
  const auto found = co_await communities(graph, options);
  const auto labels = co_await found.label.gather();
  const auto arcs = arcs_of(plain, graph.vertices(), directed);
  expect_connected(arcs, labels);
  EXPECT_NEAR(found.modularity, plain_modularity(arcs, labels, options.resolution), 1e-9);
  EXPECT_EQ(found.count, std::set<vertex_id>(labels.begin(), labels.end()).size());
  expect_same(bfs_graphs::title_of(plain) + (directed ? " directed " : " ") +
                  std::to_string(options.copied_below),
              labels);
  co_await verify(graph, found);
  co_await found.destroy();
  co_await graph.destroy();
}

std::vector<plain_graph> many_graphs() {
  return {bfs_graphs::kronecker(7),         bfs_graphs::grid(15, 9),
          bfs_graphs::two_components(),     bfs_graphs::loops_and_duplicates(),
          bfs_graphs::star(40, 7),          bfs_graphs::path(90),

          ring_of_cliques(1, 12),           renumbered(planted_groups(8, 900, 3)),
          plain_graph{"pair", 2, {{1, 0}}}, plain_graph{"loop", 1, {{3, 3}}}};
}

TEST_P(communities_of_graphs, are_connected_and_the_same_for_any_number_of_pes) {
  run([]() -> task<> {
    for (const auto& plain : many_graphs()) {
      co_await expect_good(plain, false, {});
      co_await expect_good(plain, true, {});
      co_await expect_good(plain, plain.vertices % 2 != 0, {.iterations = 1, .copied_below = 0});
    }
  });
}

TEST_P(communities_of_graphs, are_the_cliques_of_a_ring) {
  run([]() -> task<> {
    for (const communities_options& options : {communities_options(), k_divided}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        auto with = options;
        with.seed = seed;
        const auto graph = co_await graph_of(ring_of_cliques(24, 7));
        const auto found = co_await communities(graph, with);
        EXPECT_EQ(found.count, 24U);
        const auto labels = co_await found.label.gather();
        for (vertex_id v = 0; v < labels.size(); ++v) EXPECT_EQ(labels[v], v / 7 * 7);
        const auto largest = co_await found.largest(2);
        EXPECT_EQ(largest[1].label, 7U);
        EXPECT_EQ(largest[1].vertices, 7U);
        co_await graph.destroy();
      }
    }
  });
}

TEST_P(communities_of_graphs, are_those_that_were_planted) {
  run([]() -> task<> {
    const plain_graph plain = planted_groups(12, 4000, 9);
    const auto graph = co_await graph_of(plain);
    for (const communities_options& options : {communities_options(), k_divided}) {
      const auto found = co_await communities(graph, options);
      const auto labels = co_await found.label.gather();
      for (vertex_id v = 0; v < labels.size(); ++v) EXPECT_EQ(labels[v], v / 32 * 32);
    }
  });
}

TEST_P(communities_of_graphs, of_the_constant_potts_model_do_not_depend_on_the_size_of_the_graph) {
  run([]() -> task<> {
    for (const std::uint64_t copied_below : {std::uint64_t{1} << 18, std::uint64_t{0}}) {
      const auto graph = co_await graph_of(ring_of_cliques(40, 5));
      const auto found = co_await communities(graph, {.quality = community_quality::constant_potts,
                                                      .resolution = 0.5,
                                                      .copied_below = copied_below});
      EXPECT_EQ(found.count, 40U);
      EXPECT_NEAR(found.quality, 40 * (10 - 0.5 * 10), 1e-9);
      co_await verify(graph, found);
      auto lying = found;
      lying.quality += 1e-3;
      co_await expect_wrong(graph, lying, "the quality is 200, and not 200.001");
    }
  });
}

TEST_P(communities_of_graphs, follow_weights_in_both_directions) {
  run([]() -> task<> {
    // The graph has two squares. The heaviest edges join the first two vertices of one square with
    // the first two vertices of the other square.
    std::vector<weighted_edge> edges;
    for (vertex_id v = 0; v < 8; ++v)
      edges.push_back({v, v / 4 * 4 + (v + 1) % 4, v % 2 == 0 ? 1 : 0});
    edges.insert(edges.end(), {{0, 4, 50}, {4, 0, 70}, {1, 5, 60}, {0, 1, 40}, {4, 5, 40}});
    for (const bool directed : {false, true}) {
      const auto array = co_await make_array<weighted_edge>(edges.size());
      co_await put(array, 0, std::span<const weighted_edge>(edges));
      const auto graph = co_await make_graph(array, {.directed = directed, .arc_weights = true});
      for (const communities_options& options : {communities_options(), k_divided}) {
        const auto found = co_await communities(graph, options);
        co_await verify(graph, found);
        const auto labels = co_await found.label.gather();
        EXPECT_THAT(labels, testing::ElementsAre(0, 1, 2, 2, 0, 1, 6, 6));
      }
      co_await array.destroy();
    }
  });
}

TEST_P(communities_of_graphs, are_smaller_with_a_higher_resolution) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::grid(16, 16));
    std::uint64_t fewer = 0;
    for (const double resolution : {0.0, 0.5, 1.0, 4.0, 1000.0}) {
      const auto found = co_await communities(graph, {.resolution = resolution});
      EXPECT_GT(found.count, fewer);
      fewer = found.count;
      EXPECT_EQ(found.with.resolution, resolution);
      co_await verify(graph, found);
    }
    EXPECT_EQ(fewer, 256U);
  });
}

TEST_P(communities_of_graphs, that_are_wrong_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(ring_of_cliques(6, 5));
    const auto found = co_await communities(graph);
    auto wrong = found;
    ++wrong.count;
    co_await expect_wrong(graph, wrong, "there are 6 communities, and not 7");
    wrong = found;
    wrong.modularity += 2e-9;
    co_await expect_wrong(graph, wrong, "the modularity is");
    co_await set(found.label, 4, vertex_id{10});
    co_await expect_wrong(graph, found,
                          "vertex 4 has the label 10, and the smallest vertex of its "
                          "community is 4");
    co_await set(found.label, 4, vertex_id{99});
    co_await expect_wrong(graph, found, "vertex 4 has the label 99");
    co_await set(found.label, 4, vertex_id{0});
    co_await set(found.label, 22, vertex_id{0});
    co_await expect_wrong(graph, found, "no path within it leads from vertex 0 to vertex 22");
  });
}

task<std::string> refusal_of_options(global_graph graph, communities_options options) {
  const auto work = [=]() -> task<> { co_await communities(graph, options); };
  co_return co_await refusal_of(work, errc::input);
}

TEST_P(communities_of_graphs, refuse_what_they_cannot_use) {
  run([]() -> task<> {
    const auto graph = co_await graph_of(bfs_graphs::grid(4, 4));
    EXPECT_THAT(co_await refusal_of_options(graph, {.resolution = -1}),
                HasSubstr("resolution: -1"));
    EXPECT_THAT(co_await refusal_of_options(graph, {.iterations = 0}), HasSubstr("iterations: 0"));
    const auto negative = co_await weighted_graph_of(bfs_graphs::grid(9, 9), {.arc_weights = true});
    EXPECT_THAT(co_await refusal_of_options(negative, {}),
                testing::ContainsRegex("the arc from [0-9]+ to [0-9]+ weighs -.*less than 0"));
    const auto edges = co_await make_array<weighted_edge>(2);
    const std::array<weighted_edge, 2> both = {{{0, 1, 5}, {3, 1, -2}}};
    co_await put(edges, 0, std::span<const weighted_edge>(both));
    for (const bool reversed : {false, true}) {
      const auto turned =
          co_await make_graph(edges, {.directed = true, .reversed = reversed, .arc_weights = true});
      EXPECT_THAT(co_await refusal_of_options(turned, {}),
                  HasSubstr("the arc from 3 to 1 weighs -2, and none"));
    }
    const auto found = co_await communities(graph);
    co_await found.destroy();
    const auto again = [found]() -> task<> { co_await found.largest(); };
    EXPECT_THAT(co_await refusal_of(again, errc::input), HasSubstr("communities_test.cpp"));
    const auto divided = co_await graph_of(bfs_graphs::star(3000, 5), {.divide_hubs = true});
    const std::string text = co_await refusal_of_options(divided, {});
    EXPECT_THAT(text, HasSubstr("communities"));
  });
}

TEST_P(communities_of_graphs, are_found_and_written_by_all_pes) {
  static const scratch_folder folder;
  static const std::string file = folder.path("communities.csv");
  run_spmd([]() -> task<> {
    std::vector<edge> mine;
    if (my_pe() == 0) mine = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {3, 5}};
    const auto graph = co_await all_make_graph(std::span<const edge>(mine));
    const auto found = co_await all_communities(graph);
    EXPECT_EQ(found.count, 2U);
    EXPECT_EQ((co_await all_barrier(), (co_await found.all_largest(5)).size()), 2U);
    co_await all_verify(graph, found);
    co_await found.all_write(file);
    co_await found.all_destroy();
  });
  EXPECT_EQ(content_of(file), "vertex,community\n0,0\n1,0\n2,0\n3,3\n4,3\n5,3\n");
}

ATOLL_RUN_ON(communities_of_graphs, 1, 2, 3, 5, 8);

TEST(communities_under_schedules, are_the_same_under_100_seeds) {
  const plain_graph plain = renumbered(planted_groups(3, 250, 4));
  const auto find = [&plain]() -> task<> {
    const auto graph = co_await graph_of(plain);
    const auto found = co_await communities(graph, {.iterations = 1, .copied_below = 0});
    expect_same("schedules", co_await found.label.gather());
  };
  constexpr std::uint64_t seeds = test::sanitized ? 10 : 100;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    settings options = test::simulated_job_of(2 + static_cast<int>(seed % 5), seed);
    options.sim_node_size = 1 + seed % 3;
    test::run_on(options, find);
  }
}

}  // namespace
