#pragma once
// Something about each of the last nodes of a BVGraph.

#include <bit>
#include <cstdint>
#include <vector>

namespace atl::graph::bvgraph {

/// What a list may refer to: the last `window` nodes, and the present one.
template <class Element>
class recent {
 public:
  explicit recent(std::uint64_t window) : elements_(std::bit_ceil(window + 1)) {}

  Element& operator[](std::uint64_t node) { return elements_[node & (elements_.size() - 1)]; }

 private:
  std::vector<Element> elements_;
};

}  // namespace atl::graph::bvgraph
