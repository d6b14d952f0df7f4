#pragma once
// Collectives use a tree of PEs, whose root is PE 0. The tree is binary among the first PEs of all
// nodes, and binary within each node. Few steps thus cross the network.

#include <span>
#include <vector>

namespace atl::memory {

struct tree_place {
  int parent = -1;            ///< PE above this one; -1 for the root
  int number_at_parent = 0;   ///< index of this PE among its parent's children
  std::vector<int> children;  ///< PEs below this one, at most four
};

/// Returns the PEs of each node, in ascending order.
std::vector<std::vector<int>> pes_of_nodes(std::span<const int> node_of);

/// Returns the place of PE `pe` in the tree. `node_of` has the node of each PE, and PE 0 must be on
/// node 0.
tree_place place_in_tree(int pe, std::span<const int> node_of);

}  // namespace atl::memory
