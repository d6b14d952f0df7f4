#pragma once
// Verifies labels from the edges of the input by a plain union-find, which is independent of the
// kernel's code. PE 0 gathers the edges of all PEs, some at a time, and unites the sets of their
// endpoints. PE 0 then sends each PE the expected labels of the PE's vertices. Only PE 0 needs
// memory for every vertex of the graph.

#include "atoll/kernels/cc/forest.hpp"
#include "atoll/kernels/common/gather_edges.hpp"

namespace atl::kernels::cc {

/// Sets of vertices, each identified by its smallest vertex. One PE uses the object alone.
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

  void unite(Id a, Id b) {
    a = smallest_of(a);
    b = smallest_of(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<Id> above_;
};

/// An edge in a message. The endpoints have the type Id, which may have 32 bits, to save bytes.
template <class Id>
struct ends_of_edge {
  Id from;
  Id to;
};

/// The expected labels of the owned vertices.
template <class Id>
using expected_labels = std::vector<Id>;

/// On PE 0, returns the labels of all vertices, in one list for each owner. On other PEs, returns
/// nothing.
template <class Id>
task<std::vector<std::vector<Id>>> dealt_labels(const partition& shape, disjoint_sets<Id>& sets) {
  std::vector<std::vector<Id>> labels(static_cast<std::size_t>(pes()));
  if (my_pe() != 0) co_return labels;
  for (int pe = 0; pe < pes(); ++pe) {
    auto& of_pe = labels[static_cast<std::size_t>(pe)];
    const auto look_up = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto v = begin; v < end; ++v) of_pe.push_back(sets.smallest_of(static_cast<Id>(v)));
    };
    co_await graph::in_stretches(shape.begin(pe), shape.end(pe), look_up);
  }
  co_return labels;
}

/// Returns the expected labels of this PE's vertices. Each PE passes its part of the edges of the
/// input. PE 0 needs memory for two Ids per vertex of the graph. Every PE calls this function.
template <class Id, edge_source Edges>
task<expected_labels<Id>> all_expected_labels(const partition& shape, const Edges& edges) {
  disjoint_sets<Id> sets(my_pe() == 0 ? shape.vertices : 0);
  const auto ends = [](std::uint64_t, edge e) {
    return ends_of_edge<Id>{static_cast<Id>(e.from), static_cast<Id>(e.to)};
  };
  const auto unite = [&sets](std::size_t, std::span<const ends_of_edge<Id>> some) {
    for (const auto& [from, to] : some) sets.unite(from, to);
  };
  co_await all_gather_edges(edges, ends, unite);
  const auto dealt = co_await dealt_labels(shape, sets);
  const auto received = co_await all_to_all(dealt);
  co_return expected_labels<Id>(received[0].begin(), received[0].end());
}

/// Numbers of vertices with a wrong label, summed over all PEs.
struct wrong_labels {
  /// Number of labels that are smaller than every vertex of the component, and thus belong to
  /// another component.
  std::uint64_t joined = 0;
  /// Number of labels that are larger than the smallest vertex of the component.
  std::uint64_t apart = 0;

  std::uint64_t total() const { return joined + apart; }
  friend wrong_labels operator+(const wrong_labels& a, const wrong_labels& b) {
    return {a.joined + b.joined, a.apart + b.apart};
  }
};

/// Compares the labels with the expected labels. Every PE calls this function.
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
