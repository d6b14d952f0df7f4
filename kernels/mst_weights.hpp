#pragma once
// The edges of a PE with their weights, as parts are built of them.

#include "atoll/graph/build.hpp"
#include "atoll/graph/edge_weight.hpp"
#include "atoll/kernels/mst_build.hpp"

namespace atl::kernels::mst {

/// Weights by the ends of edges.
class hashed_weights {
 public:
  explicit hashed_weights(std::uint64_t seed) : seed_(seed) {}
  std::int64_t operator()(std::uint64_t, edge of) const {
    return hashed_weight(of.from, of.to, seed_);
  }

 private:
  std::uint64_t seed_;
};

/// Weights that stand beside the edges of this PE.
class stored_weights {
 public:
  explicit stored_weights(std::span<const std::int64_t> weights) : weights_(weights) {}
  std::int64_t operator()(std::uint64_t i, edge) const { return weights_[i]; }

 private:
  std::span<const std::int64_t> weights_;
};

/// The range of the weights of all PEs.
struct weight_range {
  std::int64_t lightest = std::numeric_limits<std::int64_t>::max();
  std::int64_t heaviest = std::numeric_limits<std::int64_t>::min();

  static weight_range of_both(const weight_range& a, const weight_range& b) {
    return {std::min(a.lightest, b.lightest), std::max(a.heaviest, b.heaviest)};
  }
  void add(std::int64_t weight) { *this = of_both(*this, {weight, weight}); }

  /// What the heaviest weighs above the lightest.
  std::uint64_t span() const {
    if (heaviest < lightest) return 0;
    return static_cast<std::uint64_t>(heaviest) - static_cast<std::uint64_t>(lightest);
  }
};

/// Of this PE's edges. `Weight`: `weight(i, edge)` of edge i.
template <edge_source Edges, class Weight>
weight_range range_of(const Edges& edges, const Weight& weight) {
  weight_range range;
  for (std::uint64_t i = 0; i < edges.size(); ++i) range.add(weight(i, edges(i)));
  return range;
}

/// An edge_source with weights, as part_builder takes it. Both must outlive it.
template <class Word, edge_source Edges, class Weight>
class weighted_edges {
 public:
  weighted_edges(const Edges& edges, const Weight& weight, std::int64_t lightest)
      : edges_(edges), weight_(weight), lightest_(static_cast<std::uint64_t>(lightest)) {}

  std::uint64_t size() const { return edges_.size(); }
  raw_edge<Word> operator()(std::uint64_t i) const {
    const edge each = edges_(i);
    const auto above = static_cast<std::uint64_t>(weight_(i, each)) - lightest_;
    return {static_cast<Word>(std::min(each.from, each.to)),
            static_cast<Word>(std::max(each.from, each.to)), static_cast<Word>(above)};
  }

 private:
  const Edges& edges_;
  const Weight& weight_;
  std::uint64_t lightest_;
};

}  // namespace atl::kernels::mst
