// Compares shortest paths with a plain program on small graphs of many kinds, for any number of
// PEs. Wrong paths and weights must be refused.

#include "atoll/kernels/shortest_paths.hpp"

#include "atoll/kernels/forest.hpp"
#include "atoll/kernels/pagerank.hpp"
#include "kernels/dense_graphs.hpp"
#include "kernels/result_graphs.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>

namespace {

using namespace atl;
using namespace result_graphs;
using testing::HasSubstr;

// ---- a plain program

/// A graph with weights, and the vertex where paths begin.
struct weighted_case {
  std::string name;
  std::uint64_t vertices = 0;
  std::vector<real_weighted_edge> edges;
  vertex_id root = 0;
  bool directed = false;
};

struct plain_paths {
  std::vector<double> distances;
  std::vector<vertex_id> parents;
  /// For each vertex, the number of consecutive arcs of weight 0 at the end of its path.
  std::vector<std::uint64_t> flat_arcs;
};

/// Calls `visit(from, to, weight)` for each arc of each edge.
template <class Visit>
void for_each_arc(const weighted_case& of, Visit visit) {
  for (const real_weighted_edge& e : of.edges) {
    if (e.from == e.to) continue;
    visit(e.from, e.to, e.weight);
    if (!of.directed) visit(e.to, e.from, e.weight);
  }
}

/// Calls `step()` until it returns false. The result false means that the step has changed nothing.
template <class Step>
void settle(Step step) {
  while (step()) {
  }
}

/// Finds paths by trying all arcs until nothing changes, as in the Bellman-Ford algorithm.
plain_paths plain_paths_of(const weighted_case& of) {
  plain_paths found{std::vector(of.vertices, infinite_distance),
                    std::vector(of.vertices, no_vertex),
                    std::vector(of.vertices, std::uint64_t{1} << 40)};
  auto& [distances, parents, flat] = found;
  distances[of.root] = 0;
  settle([&, &distances = distances] {
    bool changes = false;
    for_each_arc(of, [&](vertex_id from, vertex_id to, double weight) {
      if (!(distances[from] + weight < distances[to])) return;
      distances[to] = distances[from] + weight;
      changes = true;
    });
    return changes;
  });
  const auto is_tight = [&, &distances = distances](vertex_id from, vertex_id to, double weight) {
    return distances[from] != infinite_distance && distances[from] + weight == distances[to];
  };
  flat[of.root] = 0;
  settle([&, &distances = distances, &flat = flat] {
    bool changes = false;
    for_each_arc(of, [&](vertex_id from, vertex_id to, double weight) {
      if (!is_tight(from, to, weight)) return;
      const std::uint64_t through = distances[from] < distances[to] ? 0 : flat[from] + 1;
      if (through >= flat[to]) return;
      flat[to] = through;
      changes = true;
    });
    return changes;
  });
  for_each_arc(of, [&, &distances = distances, &flat = flat,
                    &parents = parents](vertex_id from, vertex_id to, double weight) {
    if (!is_tight(from, to, weight) || to == of.root) return;
    const bool rises = distances[from] < distances[to];
    const bool is_next = flat[to] == 0 ? rises : !rises && flat[from] + 1 == flat[to];
    if (is_next) parents[to] = std::min(parents[to], from);
  });
  parents[of.root] = of.root;
  return found;
}

// ---- cases

/// Returns a graph in which edge `i` has the weight `weight(i)`. The last vertices may have no
/// edge.
template <class Weight>
weighted_case weighted(const plain_graph& of, vertex_id root, bool directed, Weight weight) {
  weighted_case made{of.name + (directed ? ", directed" : ""), 0, {}, root, directed};
  for (const edge& e : of.edges) {
    made.edges.push_back({e.from, e.to, static_cast<double>(weight(made.edges.size()))});
    made.vertices = std::max({made.vertices, e.from + 1, e.to + 1});
  }
  return made;
}

/// Returns a random graph. Some vertices have no edge, and other vertices have loops and parallel
/// edges.
plain_graph random_graph_of(std::uint64_t seed, std::uint64_t vertices, std::uint64_t edges) {
  plain_graph made{"random", vertices, {}};
  const auto end = [&](std::uint64_t i) { return hash(hash(seed) + i) % vertices; };
  for (std::uint64_t i = 0; i < edges; ++i) made.edges.push_back({end(3 * i), end(3 * i + 1)});
  return made;
}

std::vector<weighted_case> all_cases() {
  const auto ties = [](std::uint64_t i) { return 1 + hash(i) % 3; };
  const auto often_zero = [](std::uint64_t i) { return hash(i) % 3 == 0 ? hash(i) % 5 : 0; };
  const auto wide = [](std::uint64_t i) { return 1 + hash(i) % 255; };
  const auto real = [](std::uint64_t i) { return static_cast<double>(hash(i) % 1000) * 0.1; };
  const auto uneven = [](std::uint64_t i) { return hash(i) % 7 == 0 ? 1e6 : 1e-3; };
  const auto absorbed = [](std::uint64_t i) { return i == 0 ? 1e20 : 1.5; };
  std::vector<weighted_case> cases;
  for (const bool directed : {false, true}) {
    for (std::uint64_t seed = 0; seed < 3; ++seed)
      cases.push_back(weighted(random_graph_of(seed, 60, 150), 1, directed, ties));
    cases.push_back(weighted(random_graph_of(7, 100, 400), 2, directed, often_zero));
    cases.push_back(weighted(random_graph_of(8, 200, 300), 3, directed, real));
    cases.push_back(weighted(random_graph_of(9, 80, 300), 4, directed, uneven));
    cases.push_back(weighted(bfs_graphs::kronecker(7), 5, directed, wide));
    cases.push_back(weighted(bfs_graphs::grid(12, 9), 40, directed, wide));
    cases.push_back(weighted(dense_graphs::clique(20), 3, directed, ties));
    cases.push_back(weighted(dense_graphs::bipartite(20, 30), 0, directed, ties));
    cases.push_back(weighted(bfs_graphs::path(150), 70, directed, absorbed));
  }
  cases.push_back(weighted(bfs_graphs::star(80, 33), 5, false, real));
  cases.push_back(weighted(bfs_graphs::path(200), 0, false, [](auto) { return 0; }));
  cases.push_back(weighted(bfs_graphs::two_components(), 1, false, wide));
  cases.push_back(weighted(bfs_graphs::loops_and_duplicates(), 1, false, wide));
  return cases;
}

/// Returns the test cases and their expected paths. The test cases are made before the PEs start.
const std::vector<std::pair<weighted_case, plain_paths>>& cases_with_paths() {
  static const auto known = [] {
    std::vector<std::pair<weighted_case, plain_paths>> made;
    for (const weighted_case& each : all_cases()) made.emplace_back(each, plain_paths_of(each));
    return made;
  }();
  return known;
}

constexpr graph_options k_least = {.arc_weights = true, .parallel = parallel_edges::least};

task<global_graph> weighted_case_graph(const weighted_case& of, graph_options options = k_least) {
  options.directed = of.directed;
  const auto edges = co_await make_array<real_weighted_edge>(of.edges.size());
  co_await put(edges, 0, std::span<const real_weighted_edge>(of.edges));
  const auto made = co_await make_graph(edges, options);
  co_await edges.destroy();
  co_return made;
}

class shortest_paths_of : public test::on_pes {};

task<> compare(const weighted_case& of, const plain_paths& expected, double width) {
  const auto graph = co_await weighted_case_graph(of);
  const auto tree = co_await shortest_paths(graph, of.root, {.width = width});
  EXPECT_EQ(co_await tree.distance.gather(), expected.distances) << of.name;
  EXPECT_EQ(co_await tree.parent.gather(), expected.parents) << of.name;
  const auto is_reached = [](double distance) { return distance != infinite_distance; };
  EXPECT_EQ(tree.reached, std::ranges::count_if(expected.distances, is_reached)) << of.name;
  co_await verify(graph, tree);
  co_await tree.destroy();
  co_await graph.destroy();
}

TEST_P(shortest_paths_of, graphs_of_all_kinds_are_those_of_a_plain_program) {
  const auto& cases = cases_with_paths();
  run([&]() -> task<> {
    for (const auto& [of, expected] : cases) co_await compare(of, expected, 0);
  });
}

TEST_P(shortest_paths_of, graphs_do_not_depend_on_the_width) {
  const auto& cases = cases_with_paths();
  run([&]() -> task<> {
    for (std::size_t i = 3; i < cases.size(); i += 4) {
      co_await compare(cases[i].first, cases[i].second, 1e-3);
      co_await compare(cases[i].first, cases[i].second, 1e9);
    }
  });
}

TEST_P(shortest_paths_of, graphs_without_weights_count_arcs) {
  run([]() -> task<> {
    for (const auto& plain : {bfs_graphs::kronecker(7), bfs_graphs::comet()}) {
      auto ones = weighted(plain, 3, false, [](auto) { return 1; });
      const auto expected = plain_paths_of(ones);
      for (const bool wide : {false, true}) {
        const auto bare = co_await result_graphs::graph_of(plain, {.wide_ids = wide});
        const auto of_bare = co_await shortest_paths(bare, 3);
        EXPECT_EQ(co_await of_bare.distance.gather(), expected.distances);
        EXPECT_EQ(co_await of_bare.parent.gather(), expected.parents);
        co_await verify(bare, of_bare);
        co_await bare.destroy();
      }
      for (real_weighted_edge& e : ones.edges) e.weight = 7;
      const auto graph = co_await weighted_case_graph(ones);
      const auto tree = co_await shortest_paths(graph, 3, {.unweighted = true});
      EXPECT_EQ(co_await tree.distance.gather(), expected.distances);
      co_await verify(graph, tree);
      co_await graph.destroy();
    }
  });
}

TEST_P(shortest_paths_of, graphs_are_found_by_all_pes_and_repeatedly) {
  run([]() -> task<> {
    const auto of = weighted(bfs_graphs::grid(8, 8), 9, false, [](auto i) { return 1 + i % 4; });
    const auto expected = plain_paths_of(of);
    const auto graph = co_await weighted_case_graph(of);
    const auto find = [graph, root = of.root]() -> task<> {
      const auto tree = co_await all_shortest_paths(graph, root);
      co_await all_verify(graph, tree);
      co_await tree.all_destroy();
    };
    co_await on_all_pes(find);
    auto searches = co_await repeated_shortest_paths::make(graph);
    for (const vertex_id root : {vertex_id{63}, of.root}) {
      const path_counts counts = co_await searches.search(root);
      EXPECT_EQ(counts.reached, 64U);
    }
    const auto tree = co_await searches.tree();
    co_await searches.destroy();
    EXPECT_EQ(co_await tree.distance.gather(), expected.distances);
    const auto path = co_await tree.path_to(63);
    EXPECT_EQ(path.front(), 9U);
    for (std::size_t i = 1; i < path.size(); ++i) EXPECT_EQ(expected.parents[path[i]], path[i - 1]);
  });
}

// ---- the examples of Graphalytics

TEST_P(shortest_paths_of, the_examples_of_graphalytics_are_those_that_it_publishes) {
  weighted_case directed{"example-directed", 11, {}, 1, true};
  directed.edges = {{1, 3, 0.5},  {1, 5, 0.3},  {2, 4, 0.1},  {2, 5, 0.3},   {2, 10, 0.12},
                    {3, 1, 0.53}, {3, 5, 0.62}, {3, 8, 0.21}, {3, 10, 0.52}, {5, 3, 0.69},
                    {5, 4, 0.53}, {5, 8, 0.1},  {6, 3, 0.23}, {6, 4, 0.39},  {7, 4, 0.83},
                    {8, 1, 0.39}, {9, 4, 0.69}};
  weighted_case undirected{"example-undirected", 11, {}, 2, false};
  undirected.edges = {{2, 3, 0.9},  {2, 4, 0.69}, {3, 4, 0.13},  {3, 5, 0.5},
                      {3, 8, 0.32}, {5, 6, 0.63}, {5, 8, 0.12},  {6, 7, 0.53},
                      {6, 8, 0.64}, {6, 9, 0.23}, {6, 10, 0.63}, {7, 9, 0.36}};
  constexpr double none = infinite_distance;
  run([&]() -> task<> {
    const auto one = co_await weighted_case_graph(directed);
    const auto of_one = co_await shortest_paths(one, directed.root);
    const std::vector<double> published = {none, 0,   none, 0.5, 0.8300000000000001, 0.3, none,
                                           none, 0.4, none, 1.02};
    EXPECT_EQ(co_await of_one.distance.gather(), published);
    const auto both = co_await weighted_case_graph(undirected);
    const auto of_both = co_await shortest_paths(both, undirected.root);
    const auto found = co_await of_both.distance.gather();
    const std::vector<double> also = {none, none, 0,    0.82, 0.6899999999999999, 1.26, 1.78,
                                      2.31, 1.14, 2.01, 2.41};
    EXPECT_THAT(found, testing::Pointwise(testing::DoubleEq(), also));
  });
}

// ---- refusals

// The graph was read without weights, although the file has weights. The kernel must refuse the
// graph, instead of searching it as if each edge had weight 1.
TEST_P(shortest_paths_of, files_whose_weights_were_left_out_are_refused) {
  static scratch_folder folder;
  const std::vector<std::string> files = {
      folder.file("g.wel", "0 1 2.5\n1 2 1\n"), folder.file("g.csv", "0,1,2\n1,2,1\n"),
      folder.file("g.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1.5\n"),
      folder.file("many.tsv", "0\t1\t2\n1\t2\t1\n")};
  run([&]() -> task<> {
    for (const std::string& file : files) {
      const auto graph = co_await read_graph(file, {.keep_edges = false});
      EXPECT_FALSE(graph.has_weights()) << file;
      const auto find = [&]() -> task<> { co_await shortest_paths(graph, 0); };
      EXPECT_THAT(co_await refusal_of(find, errc::input), HasSubstr("set arc_weights")) << file;
      const auto tree = co_await shortest_paths(graph, 0, {.unweighted = true});
      EXPECT_EQ(tree.farthest, file.ends_with(".mtx") ? 1 : 2) << file;
      co_await tree.destroy();
      co_await graph.destroy();
    }
    const auto bare = co_await read_graph(files[1], {.keep_edges = false, .weight_column = 0});
    EXPECT_FALSE(bare.has_weights());
  });
}

// The reader of the file leaves out the weights, although the graph is to have weights. The error
// must say that the weights were left out.
TEST_P(shortest_paths_of, weights_that_were_left_out_are_not_used) {
  static scratch_folder folder;
  graph_files files;
  files.edges = folder.file("g.wel", "0 1 2\n1 2 1\n");
  files.form.without_weights = true;
  run([&]() -> task<> {
    const auto weigh = [&]() -> task<> {
      auto builder = co_await graph_builder::make({.arc_weights = true});
      co_await builder.read(files);
      co_await builder.build();
    };
    EXPECT_THAT(co_await refusal_of(weigh, errc::input),
                HasSubstr("g.wel: the weights were left out (without_weights)"));
    const auto join = [&]() -> task<> {
      auto builder = co_await graph_builder::make({});
      co_await builder.read(files);
      co_await minimum_spanning_forest(co_await builder.build());
    };
    EXPECT_THAT(co_await refusal_of(join, errc::input), HasSubstr("have no weights"));
  });
}

TEST_P(shortest_paths_of, wrong_paths_are_refused) {
  run([]() -> task<> {
    const auto of = weighted(bfs_graphs::grid(6, 6), 0, false, [](auto) { return 2; });
    const auto graph = co_await weighted_case_graph(of);
    auto tree = co_await shortest_paths(graph, 0);
    co_await verify(graph, tree);
    co_await set(tree.distance, 7, 4.5);
    co_await expect_wrong(graph, tree,
                          "vertex 7 has distance 4.5 and parent 1, and a serial program finds "
                          "distance 4 and parent 1; 1 of 36 vertices are wrong");
    co_await set(tree.distance, 7, 4.0);
    // The path through this parent is equally short, but the parent is not the smallest possible
    // parent.
    co_await set<vertex_id>(tree.parent, 7, 6);
    co_await expect_wrong(graph, tree, "vertex 7 has distance 4 and parent 6, and a serial");
    co_await set<vertex_id>(tree.parent, 7, no_vertex);
    co_await expect_wrong(graph, tree, "parent none, and a serial");
    co_await set<vertex_id>(tree.parent, 7, 1);
    co_await verify(graph, tree);
    ++tree.reached;
    co_await expect_wrong(graph, tree, "36 vertices are reached, up to distance 20, and the tree");
  });
}

/// Searches paths in the graph. Returns the text of the error, or "" if paths were found.
task<std::string> refusal(weighted_case of, graph_options options) {
  const auto graph = co_await weighted_case_graph(of, options);
  const auto find = [graph] { return shortest_paths(graph, 0); };
  std::string text = co_await refusal_of(find, errc::input);
  co_await graph.destroy();
  co_return text;
}

TEST_P(shortest_paths_of, graphs_with_unfit_weights_are_refused) {
  run([]() -> task<> {
    weighted_case of{"three", 4, {{0, 1, 1}, {3, 2, -0.5}, {1, 2, 4}}, 0, true};
    EXPECT_THAT(co_await refusal(of, k_least),
                HasSubstr("the edge from 3 to 2 weighs -0.5, and no edge may weigh less than 0"));
    auto turned = k_least;
    turned.reversed = true;
    EXPECT_THAT(co_await refusal(of, turned), HasSubstr("the edge from 3 to 2 weighs -0.5"));
    of.edges[1].weight = std::numeric_limits<double>::quiet_NaN();
    of.edges.push_back({3, 2, 1});
    EXPECT_THAT(co_await refusal(of, k_least), HasSubstr("weighs nan, and weights are finite"));
    of.edges[1].weight = infinite_distance;
    of.edges.pop_back();
    EXPECT_THAT(co_await refusal(of, k_least), HasSubstr("weighs inf, and weights are finite"));
  });
}

TEST_P(shortest_paths_of, graphs_without_the_least_weights_are_refused) {
  run([]() -> task<> {
    weighted_case of{"three", 4, {{0, 1, 1}, {3, 2, 1}, {1, 2, 4}}, 0, true};
    EXPECT_EQ(co_await refusal(of, k_least), "");
    EXPECT_THAT(co_await refusal(of, {}), HasSubstr("set arc_weights of graph_options"));
    EXPECT_THAT(co_await refusal(of, {.arc_weights = true}), HasSubstr("parallel_edges::least"));
    of.edges = {{0, 1, 0x1p52}, {1, 2, 0x1p52}};
    EXPECT_THAT(co_await refusal(of, k_least), HasSubstr("exact below 2^53"));
    of.edges.push_back({2, 3, 0.5});
    EXPECT_EQ(co_await refusal(of, k_least), "");
  });
}

TEST_P(shortest_paths_of, files_name_the_place_of_a_negative_weight) {
  static scratch_folder folder;
  static const std::string file = folder.file("few.wel", "0 1 0.5\n1 2 -3\n2 3 7\n");
  static const std::string good = folder.file("good.wel", "0 1 0.5\n1 2 3\n0 2 9\n");
  run([]() -> task<> {
    const auto graph = co_await read_graph(file, k_least);
    const auto find = [graph] { return shortest_paths(graph, 0); };
    const std::string text = co_await refusal_of(find, errc::input);
    EXPECT_THAT(text,
                HasSubstr("the edge from 1 to 2 weighs -3, and no edge may weigh less than 0; " +
                          file + ":2:5: weight '-3' is below 0"));
    const auto other = co_await read_graph(good, k_least);
    const auto tree = co_await shortest_paths(other, 0);
    EXPECT_THAT(co_await tree.distance.gather(), testing::ElementsAre(0, 0.5, 3.5));
    co_await verify(other, tree);
    const auto span = [other]() -> task<> { co_await minimum_spanning_forest(other); };
    EXPECT_THAT(co_await refusal_of(span, errc::input),
                HasSubstr(good + ":1:5: weight '0.5' is no integer"));
    const auto rank = [other]() -> task<> { co_await pagerank(other); };
    EXPECT_THAT(co_await refusal_of(rank, errc::input), HasSubstr("parallel_edges::add_up"));
  });
}

TEST_P(shortest_paths_of, invalid_calls_are_refused) {
  run([]() -> task<> {
    const auto graph = co_await result_graphs::graph_of(bfs_graphs::grid(5, 5));
    const auto tree = co_await shortest_paths(graph, 0);
    const auto beyond = [graph]() -> task<> { co_await shortest_paths(graph, 25); };
    EXPECT_THAT(co_await refusal_of(beyond, errc::input), HasSubstr("there is no vertex 25"));
    const auto narrow = [graph]() -> task<> { co_await shortest_paths(graph, 0, {.width = -1}); };
    EXPECT_THAT(co_await refusal_of(narrow, errc::input), HasSubstr("width: -1 is out of range"));
    const auto no_path = [tree]() -> task<> { co_await tree.path_to(25); };
    EXPECT_THAT(co_await refusal_of(no_path, errc::input), HasSubstr("there is no vertex 25"));
    co_await tree.destroy();
    const auto late = [tree]() -> task<> { co_await tree.path_to(1); };
    EXPECT_THAT(co_await refusal_of(late, errc::input), HasSubstr("destroyed"));
    co_await graph.destroy();
    const auto gone = [graph]() -> task<> { co_await shortest_paths(graph, 0); };
    EXPECT_THAT(co_await refusal_of(gone, errc::input), HasSubstr("destroyed"));
  });
}

TEST_P(shortest_paths_of, files_have_a_row_for_each_reached_vertex) {
  static scratch_folder folder;
  run([]() -> task<> {
    const weighted_case of{"three", 5, {{0, 1, 0.5}, {1, 3, 2}, {2, 4, 1}}, 0, false};
    const auto graph = co_await weighted_case_graph(of);
    const auto tree = co_await shortest_paths(graph, 0);
    co_await tree.write(folder.path("paths.csv"));
    std::ifstream file(folder.path("paths.csv"));
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    EXPECT_EQ(text, "vertex,distance,parent\n0,0,0\n1,0.5,0\n3,2.5,1\n");
  });
}

ATOLL_RUN_ON(shortest_paths_of, 1, 2, 3, 5, 8);

}  // namespace
