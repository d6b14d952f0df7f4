#pragma once
// What all PEs know of the vertices of the whole graph at a time, where each must know something of
// all of them: a window, so that of a large graph no PE has an array with an element for each
// vertex.

#include "atoll/base/bits.hpp"
#include "atoll/collectives.hpp"
#include "atoll/graph/distributed_graph.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace atl::graph {

/// Vertices of a window: as many as a PE owns of so many, or some millions.
constexpr std::uint64_t window_of(std::uint64_t vertices, std::uint64_t pes) {
  constexpr std::uint64_t least = std::uint64_t{1} << 22;
  return std::max(least, ceil_divide(vertices, pes));
}

/// What all PEs have of the vertices from `begin` on, a window of them, in their order. `mine` is
/// of the vertices owned here. Every PE calls it.
template <class T, class Id>
task<std::vector<T>> all_gather_window(const graph_part<Id>& part, const std::vector<T>& mine,
                                       std::uint64_t begin, std::uint64_t vertices) {
  const std::uint64_t own_end = part.first_vertex + part.vertices;
  const std::uint64_t from = std::clamp(begin, part.first_vertex, own_end);
  const std::uint64_t to = std::clamp(begin + vertices, part.first_vertex, own_end);
  const std::span<const T> here(mine.data() + (from - part.first_vertex), to - from);
  std::vector<T> window;
  for (const auto& of_pe : co_await all_gather(here))
    window.insert(window.end(), of_pe.begin(), of_pe.end());
  co_return window;
}

}  // namespace atl::graph
