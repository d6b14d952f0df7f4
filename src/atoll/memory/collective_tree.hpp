#pragma once
// The tree of PEs that collectives use. PE 0 is its root. The tree is binary among the first PEs of
// the nodes, and again within each node, so that few steps cross the network.

#include <span>
#include <vector>

namespace atl::memory {

struct tree_place {
  int parent = -1;            ///< none for the root
  int number_at_parent = 0;   ///< which of its children this PE is
  std::vector<int> children;  ///< at most four
};

/// Returns the PEs of each node, in ascending order.
std::vector<std::vector<int>> pes_of_nodes(std::span<const int> node_of);

/// Returns the place of `pe` if `node_of` is the node of each PE. Node 0 has PE 0.
tree_place place_in_tree(int pe, std::span<const int> node_of);

}  // namespace atl::memory
