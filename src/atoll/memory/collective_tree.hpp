#pragma once
// The places of PEs in the tree that collectives go up and down: rooted at PE 0, binary among the
// first PEs of the nodes and again within each node, so that few steps cross the network.

#include <span>
#include <vector>

namespace atl::memory {

struct tree_place {
  int parent = -1;            ///< none for the root
  int number_at_parent = 0;   ///< which of its children this PE is
  std::vector<int> children;  ///< at most four
};

/// The PEs of each node, ascending.
std::vector<std::vector<int>> pes_of_nodes(std::span<const int> node_of);

/// The place of `pe` where `node_of` is the node of each PE. Node 0 has PE 0.
tree_place place_in_tree(int pe, std::span<const int> node_of);

}  // namespace atl::memory
