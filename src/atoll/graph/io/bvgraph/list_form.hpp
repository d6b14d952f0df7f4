#pragma once
// How a list of successors stands in a BVGraph: what it has in common with an earlier list, then
// intervals, then the rest one by one.

#include <cstdint>
#include <vector>

namespace atl::graph::bvgraph {

/// Successors that follow each other without a gap.
struct interval {
  std::uint64_t first = 0;
  std::uint64_t length = 0;

  friend bool operator==(const interval&, const interval&) = default;
};

struct list_form {
  std::uint64_t outdegree = 0;
  std::uint64_t reference = 0;  ///< the list of the node so many before is referred to; 0: none
  /// Lengths of pieces of that list, of which the first is copied, the next left out, and so on.
  /// What is behind them is copied if their number is even. Only the first may be 0.
  std::vector<std::uint64_t> blocks;
  std::uint64_t copied = 0;  ///< successors that are copied
  std::vector<interval> intervals;
  std::vector<std::uint64_t> residuals;  ///< in increasing order

  void clear() {
    outdegree = reference = copied = 0;
    blocks.clear();
    intervals.clear();
    residuals.clear();
  }
};

}  // namespace atl::graph::bvgraph
