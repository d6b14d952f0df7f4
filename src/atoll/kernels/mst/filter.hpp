#pragma once
// Before any edge is sent, a filter drops edges that cannot be in the forest. If a PE has all edges
// of a cycle, the heaviest edge of the cycle is dropped. The remaining edges are the forest of the
// PE's edges. A PE finds the forest of its edges by Kruskal's algorithm with a filter (Osipov,
// Sanders, Singler 2009). After the lightest edges have joined most vertices, most other edges
// connect vertices of the same tree. The filter drops edges within a tree without sorting them.

#include "atoll/kernels/mst/build.hpp"
#include "atoll/kernels/mst/lists.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <tuple>

namespace atl::kernels::mst {

template <class Word>
class local_forest {
 public:
  using raw = raw_edge<Word>;

  explicit local_forest(std::uint64_t vertices) : above_(vertices) {
    std::iota(above_.begin(), above_.end(), Word{0});
  }

  /// Returns the forest of `edges`, which can be in any order. The result is in the order of
  /// `is_lighter`. The caller must call this function only once.
  huge_vector<raw> of(const huge_vector<raw>& edges) {
    const Word pivot = weight_of_light(edges);
    take(edges, [pivot](const raw& each) { return each.weight <= pivot; });
    // An ascending pass is enough: a vertex points to a smaller vertex, which the pass has already
    // handled.
    for (Word& above : above_) above = above_[above];
    work_.components_visited += above_.size();
    take(edges, [this, pivot](const raw& each) {
      return (each.weight > pivot) & (above_[each.u] != above_[each.v]);
    });
    return std::move(forest_);
  }

  /// Returns the forest of `edges`, which are in the order of `is_lighter`. The result is in the
  /// order of `is_lighter`, too. The caller must call this function only once.
  huge_vector<raw> of_sorted(std::span<const raw> edges) {
    join(edges);
    return std::move(forest_);
  }

  /// Orders all edges by weight, then by the smaller and the larger endpoint.
  static bool is_lighter(const raw& a, const raw& b) {
    return std::tie(a.weight, a.u, a.v) < std::tie(b.weight, b.u, b.v);
  }

  const work_done& work() const { return work_; }

 private:
  static constexpr std::size_t k_light_edges_a_vertex = 2;
  static constexpr std::size_t k_samples = 4096;
  static constexpr std::size_t k_block = 512;
  // Number of edges by which the prefetch is ahead of the loop.
  static constexpr std::size_t k_ahead = 16;

  /// Returns an upper limit for the weights of light edges. The limit is estimated from a sample,
  /// so that there are about `k_light_edges_a_vertex` light edges per vertex.
  Word weight_of_light(const huge_vector<raw>& edges) const {
    const std::size_t wanted = k_light_edges_a_vertex * above_.size();
    if (edges.size() <= 2 * wanted) return std::numeric_limits<Word>::max();
    std::vector<Word> sample;
    for (std::size_t i = 0; i < k_samples; ++i)
      sample.push_back(edges[i * (edges.size() / k_samples)].weight);
    const std::size_t place = k_samples * wanted / edges.size();
    std::ranges::nth_element(sample, sample.begin() + static_cast<std::ptrdiff_t>(place));
    return sample[place];
  }

  template <class Wanted>
  void take(const huge_vector<raw>& edges, Wanted wanted) {
    huge_vector<raw> some = those(edges, wanted);
    work_.edges_sorted += sort_by_weight(some, is_lighter, spare_);
    work_.edges_scanned += edges.size();
    join(some);
  }

  /// Returns the edges for which `wanted(edge)` is true. The loop writes every edge, and the next
  /// edge overwrites an edge that is not wanted. A branch on `wanted(edge)` would often be
  /// mispredicted.
  template <class Wanted>
  static huge_vector<raw> those(std::span<const raw> edges, Wanted wanted) {
    huge_vector<raw> found;
    std::array<raw, k_block> block;
    while (!edges.empty()) {
      const auto some = edges.first(std::min(edges.size(), k_block));
      std::size_t kept = 0;
      for (const raw& each : some) {
        block[kept] = each;
        kept += wanted(each) ? 1 : 0;
      }
      found.insert(found.end(), block.begin(), block.begin() + kept);
      edges = edges.subspan(some.size());
    }
    return found;
  }

  void join(std::span<const raw> some) {
    work_.edges_scanned += some.size();
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (i + k_ahead < some.size()) {
        __builtin_prefetch(&above_[some[i + k_ahead].u]);
        __builtin_prefetch(&above_[some[i + k_ahead].v]);
      }
      if (unite(some[i].u, some[i].v)) forest_.push_back(some[i]);
    }
  }

  bool unite(Word a, Word b) {
    a = find(a);
    b = find(b);
    above_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

  Word find(Word vertex) {
    while (above_[vertex] != vertex) vertex = above_[vertex] = above_[above_[vertex]];
    return vertex;
  }

  huge_vector<Word> above_;
  huge_vector<raw> forest_;
  huge_vector<raw> spare_;
  work_done work_;
};

/// Returns true if filtering is expected to save time, because there are many edges per vertex.
inline bool are_worth_filtering(std::uint64_t edges, std::uint64_t vertices) {
  return edges > 2 * vertices;
}

}  // namespace atl::kernels::mst
