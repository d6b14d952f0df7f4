#pragma once

#include "atoll/graph/packed_edges.hpp"
#include "atoll/graph/stretches.hpp"

#include <utility>

namespace atl::graph {

/// Puts `changed(edge)` in place of each edge; weights stay. Does not communicate; other tasks run
/// meanwhile.
template <class Changed>
task<> renumber(packed_edges& edges, Changed changed) {
  packed_edges result;
  const bool weighted = edges.weighted();
  std::vector<edge> some;
  std::vector<std::int64_t> weights;
  const auto change = [&](std::uint64_t begin, std::uint64_t end) {
    some.clear();
    weights.clear();
    for (std::uint64_t i = begin; i < end; ++i) {
      some.push_back(changed(edges(i)));
      if (weighted) weights.push_back(edges.weight(i));
    }
    result.add(some, weights);
    edges.forget_until(end);
  };
  co_await in_stretches(0, edges.size(), change, k_stretch / 16);
  result.settle();
  edges = std::move(result);
}

}  // namespace atl::graph
