#pragma once
// Minimum spanning forests of small graphs as tests find them, and a plain Kruskal beside them.

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

/// A graph with a weight for each of its edges.
struct weighted_graph {
  bfs_graphs::graph shape;
  std::vector<std::int64_t> weights;

  /// The lightest of the edges between two vertices, in the order of those.
  std::map<vertex_pair, std::int64_t> distinct() const {
    std::map<vertex_pair, std::int64_t> all;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto [from, to] = shape.edges[i];
      if (from == to) continue;
      const auto [at, is_new] = all.try_emplace(std::minmax({from, to}), weights[i]);
      if (!is_new) at->second = std::min(at->second, weights[i]);
    }
    return all;
  }
};

/// Weights by hash, or, where there are few, with many ties; negative ones too.
inline weighted_graph weighted(bfs_graphs::graph shape, std::uint64_t different) {
  weighted_graph made{std::move(shape), {}};
  for (const edge each : made.shape.edges) {
    const std::uint64_t hash = hashed_weight(each.from, each.to, 5);
    made.weights.push_back(static_cast<std::int64_t>(hash % different) -
                           static_cast<std::int64_t>(different / 2));
  }
  return made;
}

/// The edges of the forest under the order of weight, smaller and larger vertex.
inline std::set<vertex_pair> kruskal(const weighted_graph& of) {
  std::vector<std::pair<std::int64_t, vertex_pair>> sorted;
  for (const auto& [ends, weight] : of.distinct()) sorted.emplace_back(weight, ends);
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

/// This PE's share of the weights, dealt as bfs_graphs::dealt_edges are.
class dealt_weights {
 public:
  explicit dealt_weights(const weighted_graph& of) : of_(&of) {}
  std::int64_t operator()(std::uint64_t, edge each) const { return by_ends_.at(each); }
  void learn() {
    for (std::size_t i = 0; i < of_->weights.size(); ++i)
      by_ends_[of_->shape.edges[i]] = of_->weights[i];
  }

 private:
  const weighted_graph* of_;
  std::map<edge, std::int64_t> by_ends_;
};

struct found_forest {
  mst::run_outcome outcome;
  std::vector<std::uint64_t> ids;
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::int64_t>> edges;  ///< of all, by id
};

/// Every PE calls it.
template <class Word, class Exchange>
task<found_forest> all_find(const weighted_graph& of, Exchange& others,
                            const mst::parameters& how) {
  const auto edges = edges_of(of.shape)();
  dealt_weights weights(of);
  weights.learn();
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
  const auto distinct = of.distinct();
  std::vector<vertex_pair> edges;
  mst::int128 weight = 0;
  for (const auto& [u, v, of_edge] : found.edges) {
    ASSERT_TRUE(distinct.contains({u, v})) << of.shape.name;
    EXPECT_EQ(of_edge, distinct.at({u, v})) << of.shape.name;
    edges.emplace_back(u, v);
    weight += of_edge;
  }
  const auto expected = kruskal(of);
  EXPECT_EQ(edges, std::vector<vertex_pair>(expected.begin(), expected.end())) << of.shape.name;
  EXPECT_TRUE(found.outcome.weight == mst::exact_total(weight)) << of.shape.name;
  EXPECT_EQ(found.outcome.forest_edges, edges.size()) << of.shape.name;
  EXPECT_LE(found.outcome.edges, distinct.size()) << of.shape.name;
  EXPECT_EQ(std::set(found.ids.begin(), found.ids.end()).size(), found.ids.size());
}

}  // namespace mst_job
