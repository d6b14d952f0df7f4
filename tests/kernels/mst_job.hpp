#pragma once
// Functions that find minimum spanning forests of small graphs, and Kruskal's algorithm for
// comparison.

#include "atoll/collectives.hpp"
#include "atoll/kernels/mst/find.hpp"
#include "atoll/kernels/mst/weights.hpp"
#include "kernels/cc_job.hpp"

#include <map>
#include <set>

namespace mst_job {

using namespace cc_job;
namespace mst = kernels::mst;
using vertex_pair = std::pair<std::uint64_t, std::uint64_t>;

/// A graph with a weight for each edge, the lightest edge of each pair of vertices, and the
/// expected forest. The function `weighted` makes the object before the job starts.
struct weighted_graph {
  bfs_graphs::graph shape;
  std::vector<std::int64_t> weights;
  std::map<edge, std::int64_t> by_ends{};
  /// the least weight of an edge between two vertices
  std::map<vertex_pair, std::int64_t> lightest{};
  /// The edges of the expected forest. Among edges of equal weight, the edge with the smallest pair
  /// of vertices is chosen.
  std::set<vertex_pair> forest{};
};

inline std::map<vertex_pair, std::int64_t> lightest_edges(const weighted_graph& of) {
  std::map<vertex_pair, std::int64_t> all;
  for (std::size_t i = 0; i < of.weights.size(); ++i) {
    const auto [from, to] = of.shape.edges[i];
    if (from == to) continue;
    const auto [at, is_new] = all.try_emplace(std::minmax({from, to}), of.weights[i]);
    if (!is_new) at->second = std::min(at->second, of.weights[i]);
  }
  return all;
}

/// Returns the edges of the forest, computed by Kruskal's algorithm from `of.lightest`.
inline std::set<vertex_pair> kruskal(const weighted_graph& of) {
  std::vector<std::pair<std::int64_t, vertex_pair>> sorted;
  for (const auto& [ends, weight] : of.lightest) sorted.emplace_back(weight, ends);
  std::ranges::sort(sorted);
  std::vector<std::uint64_t> above(of.shape.vertices);
  std::iota(above.begin(), above.end(), std::uint64_t{0});
  const auto root = [&](std::uint64_t v) {
    while (above[v] != v) v = above[v];
    return v;
  };
  std::set<vertex_pair> forest;
  for (const auto& [weight, ends] : sorted) {
    const auto a = root(ends.first);
    const auto b = root(ends.second);
    if (a == b) continue;
    above[std::max(a, b)] = std::min(a, b);
    forest.insert(ends);
  }
  return forest;
}

/// Makes a graph with hashed weights, some of them negative. The weights have only `different`
/// distinct values. If `different` is small, many edges have equal weights.
inline weighted_graph weighted(bfs_graphs::graph shape, std::uint64_t different) {
  weighted_graph made{std::move(shape), {}};
  for (const edge each : made.shape.edges) {
    const std::uint64_t hash = hashed_weight(each.from, each.to, 5);
    const auto weight =
        static_cast<std::int64_t>(hash % different) - static_cast<std::int64_t>(different / 2);
    made.weights.push_back(weight);
    made.by_ends[each] = weight;
  }
  made.lightest = lightest_edges(made);
  made.forest = kruskal(made);
  return made;
}

/// The weights of the edges in `bfs_graphs::dealt_edges`.
struct weights_by_ends {
  const weighted_graph* of;
  std::int64_t operator()(std::uint64_t, edge each) const { return of->by_ends.at(each); }
};

struct found_forest {
  mst::run_outcome outcome;
  std::vector<std::uint64_t> ids;
  /// the edges of all PEs, sorted by id
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::int64_t>> edges;
};

/// Finds the forest with the given exchange, and gathers its edges. Every PE calls this function.
template <class Word, class Exchange, class How>
task<found_forest> all_find(const weighted_graph& of, Exchange& others, const How& how) {
  const auto edges = edges_of(of.shape)();
  const weights_by_ends weights{&of};
  const auto range =
      co_await all_reduce(mst::range_of(edges, weights), &mst::weight_range::of_both);
  mst::part<Word> mine;
  found_forest found;
  const auto raw = mst::raw_edges<Word>(edges, weights, range.lightest);
  mst::numbered_edges<Word> numbered;
  found.outcome = co_await mst::all_run<Word>(mine, others, how, raw, of.shape.vertices,
                                              range.lightest, &numbered);
  const auto forest = co_await mst::all_forest_edges(mine, numbered, others);
  const std::span<const mst::raw_edge<Word>> own(forest);
  for (const auto& of_pe : co_await all_gather(own))
    for (const auto& each : of_pe)
      found.edges.emplace_back(each.u, each.v,
                               static_cast<std::int64_t>(each.weight) + range.lightest);
  for (const auto& of_pe : co_await all_gather(std::span<const Word>(mine.chosen)))
    found.ids.insert(found.ids.end(), of_pe.begin(), of_pe.end());
  co_return found;
}

inline void compare(const found_forest& found, const weighted_graph& of) {
  std::vector<vertex_pair> edges;
  mst::int128 weight = 0;
  for (const auto& [u, v, of_edge] : found.edges) {
    ASSERT_TRUE(of.lightest.contains({u, v})) << of.shape.name;
    EXPECT_EQ(of_edge, of.lightest.at({u, v})) << of.shape.name;
    edges.emplace_back(u, v);
    weight += of_edge;
  }
  EXPECT_EQ(edges, std::vector<vertex_pair>(of.forest.begin(), of.forest.end())) << of.shape.name;
  EXPECT_TRUE(found.outcome.weight == mst::exact_total(weight)) << of.shape.name;
  EXPECT_EQ(found.outcome.forest_edges, edges.size()) << of.shape.name;
  EXPECT_LE(found.outcome.edges, of.lightest.size()) << of.shape.name;
  EXPECT_EQ(std::set(found.ids.begin(), found.ids.end()).size(), found.ids.size());
}

// The size of an exchange's buffer. The buffer is small, so that lists need several transfers.
inline constexpr std::uint64_t k_buffer_bytes = 4096;

/// Finds the forest with an exchange that fetches each list in `chunks` one-sided transfers, and
/// compares the forest with the expected one. Returns the number of iterations. One task calls this
/// function.
template <class Word, class How>
task<std::uint64_t> compare_one_sided(const weighted_graph& of, How how,
                                      std::uint64_t buffer_bytes = k_buffer_bytes, int chunks = 8) {
  const auto memory = co_await mst::one_sided_memory::make(buffer_bytes);
  const auto find = [graph = &of, memory, how, chunks]() -> task<found_forest> {
    mst::one_sided_exchange others(memory, chunks);
    co_return co_await all_find<Word>(*graph, others, how);
  };
  const auto found = co_await from_all_pes(find);
  compare(found, of);
  co_await memory.destroy();
  co_return found.outcome.iterations;
}

/// Returns graphs of all shapes, with mostly different weights and with many equal weights. One
/// grid has only equal weights.
inline const std::vector<weighted_graph>& all_weighted() {
  static const auto graphs = [] {
    std::vector<weighted_graph> all;
    for (const auto& shape : all_shapes()) {
      all.push_back(weighted(shape, std::uint64_t{1} << 32));
      all.push_back(weighted(shape, 3));
    }
    all.push_back(weighted({"one vertex", 1, {}}, 3));
    all.push_back(weighted(bfs_graphs::grid(30, 40), 1));
    return all;
  }();
  return graphs;
}

/// Returns a graph in which many edges occur several times, on several PEs. Some edges between
/// different vertices have equal weights.
inline bfs_graphs::graph dense_shape() {
  bfs_graphs::graph shape{"dense", 50, {}};
  for (std::uint64_t i = 0; i < 6000; ++i)
    shape.edges.push_back({random_at(7, 2 * i) % 50, random_at(7, 2 * i + 1) % 50});
  return shape;
}

/// Returns small graphs for tests with many schedules.
inline const std::vector<weighted_graph>& few_weighted() {
  static const std::vector<weighted_graph> graphs = {
      weighted(uniform(8, 4), 1000), weighted(shuffled(bfs_graphs::grid(12, 9)), 3),
      weighted(bfs_graphs::kronecker(8), std::uint64_t{1} << 32), weighted(dust(), 7)};
  return graphs;
}

}  // namespace mst_job
