#pragma once
// The step every traversal of a tree of UTS is made of: visit some children of one vertex.

#include "atoll/kernels/uts/tree.hpp"

namespace atl::kernels::uts {

/// Children of one vertex, numbered from `first` to before `end`, not yet visited. One can divide
/// them anywhere, and they travel.
struct siblings {
  state parent;
  std::uint32_t depth = 0;  ///< of the siblings
  std::uint16_t first = 0;
  std::uint16_t end = 0;

  unsigned count() const { return static_cast<unsigned>(end - first); }
};

inline siblings children_of_root(const tree& whole) {
  return {whole.root(), 1, 0, static_cast<std::uint16_t>(whole.children_of_root())};
}

/// How many siblings `visit` takes at most, so that their children find room.
inline constexpr unsigned k_most_visited = k_most_children;

/// Visits at most k_most_visited siblings. The children of each that has any are stored from
/// `found` on, where there is room for as many as are visited and one more; returns the end of what
/// it stored. Without branches that depend on random values: the processor would have to wait for
/// each.
inline siblings* visit(const tree& whole, const siblings visited, siblings* found) {
  const children_steps& steps = whole.at_depth(visited.depth);
  const auto store = [&](const state& vertex) {
    const unsigned children = steps(tree::random_value(vertex));
    *found = {vertex, visited.depth + 1, 0, static_cast<std::uint16_t>(children)};
    found += children > 0 ? 1 : 0;
  };
  unsigned next = visited.first;
  for (; next + 2 <= visited.end; next += 2) {
    for (const state& vertex : children_of<2>(visited.parent, next)) store(vertex);
  }
  if (next < visited.end) store(children_of<1>(visited.parent, next)[0]);
  return found;
}

}  // namespace atl::kernels::uts
