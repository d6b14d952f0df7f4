#pragma once
// Collectives pass data along a tree of PEs, whose root is PE 0. The first PEs of all nodes form a
// binary tree. The PEs of each node form a binary tree below the first PE of the node. Only edges
// between the first PEs of two nodes cross the network.

#include <span>
#include <vector>

namespace atl::memory {

struct tree_place {
  int parent = -1;            ///< parent of this PE in the tree; -1 for the root
  int number_at_parent = 0;   ///< index of this PE among its parent's children
  std::vector<int> children;  ///< children of this PE in the tree, at most four
};

/// Returns a list of the PEs of each node, in ascending order. `node_of[pe]` is the node of a PE.
std::vector<std::vector<int>> pes_of_nodes(std::span<const int> node_of);

/// Returns the place of PE `pe` in the tree. `node_of[i]` is the node of PE i. PE 0 must be on node
/// 0.
tree_place place_in_tree(int pe, std::span<const int> node_of);

}  // namespace atl::memory
