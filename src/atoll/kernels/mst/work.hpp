#pragma once
// What the parts of the algorithm that need no other PE have done: an Exchange is told of it by
// `charge(kind, count)`, so that a model of another machine can give it a price. Where nobody
// models anything, it does nothing.

#include <cstdint>

namespace atl::kernels::mst {

enum class work_kind : std::uint8_t {
  edge_built,         ///< sorted and numbered as part of a PE, see build.hpp
  edge_scanned,       ///< looked at with both its components
  edge_relabelled,    ///< between positions of a table that has changed
  edge_merged,        ///< looked at to remove multiple ones
  edge_sorted,        ///< moved by one pass of a radix sort
  component_visited,  ///< looked at in a table of components
  exchange_call       ///< of an exchange itself, to whatever carries its lists; has no price
};

/// What joining has done.
struct work_done {
  std::uint64_t edges_scanned = 0;
  std::uint64_t edges_sorted = 0;  ///< by each pass
  std::uint64_t components_visited = 0;
};

/// Tells an Exchange of all of it.
template <class Exchange>
void charge(Exchange& others, const work_done& done) {
  others.charge(work_kind::edge_scanned, done.edges_scanned);
  others.charge(work_kind::edge_sorted, done.edges_sorted);
  others.charge(work_kind::component_visited, done.components_visited);
}

}  // namespace atl::kernels::mst
