#pragma once
// Whether labels are right, found out from the edges of the input by code that shares nothing with
// the kernels: plain union-find. Each PE unites the ends of its edges, and sends those that
// united two sets, a spanning forest of its part, to PE 0. That unites them one after the other and
// deals out the smallest vertex of each vertex's set.

#include "atoll/graph/build.hpp"
#include "atoll/kernels/cc_forest.hpp"

namespace atl::kernels::cc {

/// Sets of vertices, each known by its smallest. Used on its PE only.
template <class Id>
class disjoint_sets {
 public:
  explicit disjoint_sets(std::uint64_t vertices) : above_(vertices) {
    std::iota(above_.begin(), above_.end(), Id{0});
  }

  Id smallest_of(Id vertex) {
    while (above_[vertex] != vertex) vertex = above_[vertex] = above_[above_[vertex]];
    return vertex;
  }

  /// Whether they were two sets.
  bool unite(Id a, Id b) {
    a = smallest_of(a);
    b = smallest_of(b);
    above_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::vector<Id> above_;
};

/// An edge between vertices in as few bytes as they need.
template <class Id>
struct tree_edge {
  Id from;
  Id to;
};

/// What the labels of the vertices owned here must be.
template <class Id>
using expected_labels = std::vector<Id>;

/// The edges of this PE that joined two sets.
template <class Id, edge_source Edges>
task<std::vector<tree_edge<Id>>> spanning_forest(disjoint_sets<Id>& sets, const Edges& edges) {
  std::vector<tree_edge<Id>> joined;
  const auto unite = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) {
      const edge e = edges(i);
      const tree_edge<Id> ends{static_cast<Id>(e.from), static_cast<Id>(e.to)};
      if (sets.unite(ends.from, ends.to)) joined.push_back(ends);
    }
  };
  co_await graph::in_stretches(0, edges.size(), unite);
  co_return joined;
}

/// On PE 0: the labels of all vertices, by owner; elsewhere nothing, for any PE.
template <class Id>
task<std::vector<std::vector<Id>>> dealt_labels(const partition& shape, disjoint_sets<Id>& sets,
                                                const received_parts<tree_edge<Id>>& forests) {
  std::vector<std::vector<Id>> labels(static_cast<std::size_t>(pes()));
  if (my_pe() != 0) co_return labels;
  for (const auto& forest : forests) {
    const auto unite = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto i = begin; i < end; ++i) sets.unite(forest[i].from, forest[i].to);
    };
    co_await graph::in_stretches(0, forest.size(), unite);
  }
  for (int pe = 0; pe < pes(); ++pe) {
    auto& of_pe = labels[static_cast<std::size_t>(pe)];
    const auto look_up = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto v = begin; v < end; ++v) of_pe.push_back(sets.smallest_of(static_cast<Id>(v)));
    };
    co_await graph::in_stretches(shape.begin(pe), shape.end(pe), look_up);
  }
  co_return labels;
}

/// What the labels must be by the edges of the input, of which each PE gives its part. Needs an Id
/// for each vertex of the whole graph on every PE. Every PE calls it.
template <class Id, edge_source Edges>
task<expected_labels<Id>> all_expected_labels(const partition& shape, const Edges& edges) {
  disjoint_sets<Id> sets(shape.vertices);
  std::vector<std::vector<tree_edge<Id>>> to_pe_0(static_cast<std::size_t>(pes()));
  to_pe_0[0] = co_await spanning_forest(sets, edges);
  const auto forests = co_await all_to_all(to_pe_0);
  const auto dealt = co_await dealt_labels(shape, sets, forests);
  const auto received = co_await all_to_all(dealt);
  co_return expected_labels<Id>(received[0].begin(), received[0].end());
}

/// Vertices of all PEs with a wrong label.
struct wrong_labels {
  std::uint64_t joined = 0;  ///< smaller than every vertex of its component: that of another one
  std::uint64_t apart = 0;   ///< larger than the smallest vertex of its component

  std::uint64_t total() const { return joined + apart; }
  friend wrong_labels operator+(const wrong_labels& a, const wrong_labels& b) {
    return {a.joined + b.joined, a.apart + b.apart};
  }
};

/// Every PE calls it.
template <class Id>
task<wrong_labels> all_compare(const forest_part<Id>& forest, const expected_labels<Id>& expected) {
  wrong_labels found;
  const auto compare = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto row = begin; row < end; ++row) {
      found.joined += forest.labels[row] < expected[row] ? 1 : 0;
      found.apart += forest.labels[row] > expected[row] ? 1 : 0;
    }
  };
  co_await graph::in_stretches(0, expected.size(), compare);
  const auto sum = [](const auto& a, const auto& b) { return a + b; };
  co_return co_await all_reduce(found, sum);
}

}  // namespace atl::kernels::cc
