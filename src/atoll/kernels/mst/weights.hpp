#pragma once
// The edges of a PE with their weights, in the form from which parts are built.

#include "atoll/graph/build.hpp"
#include "atoll/graph/edge_sources.hpp"
#include "atoll/kernels/mst/build.hpp"

namespace atl::kernels::mst {

/// The weights of the edges of this PE that the graph has kept.
class stored_weights {
 public:
  explicit stored_weights(const stored_edges& edges) : edges_(edges) {}
  std::int64_t operator()(std::uint64_t i, edge of) const { return edges_.weight(i, of); }

 private:
  const stored_edges& edges_;
};

/// The smallest and the largest weight of all PEs.
struct weight_range {
  std::int64_t lightest = std::numeric_limits<std::int64_t>::max();
  std::int64_t heaviest = std::numeric_limits<std::int64_t>::min();

  static weight_range of_both(const weight_range& a, const weight_range& b) {
    return {std::min(a.lightest, b.lightest), std::max(a.heaviest, b.heaviest)};
  }
  void add(std::int64_t weight) { *this = of_both(*this, {weight, weight}); }

  /// Returns the difference between the heaviest and the lightest weight.
  std::uint64_t span() const {
    if (heaviest < lightest) return 0;
    return static_cast<std::uint64_t>(heaviest) - static_cast<std::uint64_t>(lightest);
  }
};

/// Returns the range of the weights of this PE's edges. `weight(i, edge)` is the weight of the edge
/// with index i.
template <edge_source Edges, class Weight>
weight_range range_of(const Edges& edges, const Weight& weight) {
  weight_range range;
  for (std::uint64_t i = 0; i < edges.size(); ++i) range.add(weight(i, edges(i)));
  return range;
}

/// Returns the edges of this PE in the form that a run needs. `lightest` is subtracted from each
/// weight.
template <class Word, edge_source Edges, class Weight>
huge_vector<raw_edge<Word>> raw_edges(const Edges& edges, const Weight& weight,
                                      std::int64_t lightest) {
  huge_vector<raw_edge<Word>> all;
  all.reserve(edges.size());
  for (std::uint64_t i = 0; i < edges.size(); ++i) {
    const edge each = edges(i);
    const std::uint64_t above =
        static_cast<std::uint64_t>(weight(i, each)) - static_cast<std::uint64_t>(lightest);
    all.push_back({static_cast<Word>(std::min(each.from, each.to)),
                   static_cast<Word>(std::max(each.from, each.to)), static_cast<Word>(above)});
  }
  return all;
}

}  // namespace atl::kernels::mst
