#pragma once
// A job may have several nodes; ranks of one node share memory. This file tells which ranks share a
// node. It also tells to how many PEs of other nodes a PE hands buffers (message/routes.hpp), and
// how large these buffers may be.

#include "atoll/settings.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace atl::transport::far {

/// Which ranks share memory: all of a host that can, or as many as the setting node-size.
struct node_map {
  std::vector<int> node_of;   ///< by rank
  std::vector<int> place_of;  ///< by rank: its place on its node
  std::vector<int> mine;      ///< the ranks of this rank's node, ascending
  int machines = 1;

  int count() const { return 1 + *std::ranges::max_element(node_of); }
  int leader() const { return mine.front(); }
  bool is_here(int rank) const { return node_of[index(rank)] == node_of[index(mine.front())]; }

 private:
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
};

/// `sharing` has equal numbers for ranks that can share memory, `machines` for ranks on one
/// machine. `node_size` 0: all ranks that can share memory are one node.
node_map nodes_of(const std::vector<std::uint64_t>& sharing,
                  const std::vector<std::uint64_t>& machines, int rank, std::uint64_t node_size);

/// Returns true if messages between nodes should take two steps, with nodes arranged in a square.
/// One step would give each PE too many partners, and each node too many destination nodes. Each
/// step carries all bytes again: on 128 nodes of 16 PEs, with eight partners per PE, one step is
/// twice as fast.
bool needs_grid(int nodes, int pes_of_node);

/// Returns the number of streams between two nodes: at least one per PE.
int streams_to_a_node(int nodes, int pes_of_node);

/// Returns an upper bound of the number of PEs of other nodes to which one PE sends buffers. Few
/// messages go straight to others.
int partners_beyond(routing how, int nodes, int pes_of_node);

/// Returns the size of buffers between nodes where the settings leave it open. Buffers are large,
/// because a message costs MPI more than a buffer costs shared memory. With its header a buffer is
/// below 64 KiB, the limit up to which MPI sends eagerly over TCP. With thousands of PEs the memory
/// for all buffers is limited.
std::uint64_t buffer_bytes_between_nodes(int pes, int nodes, int pes_of_node);

}  // namespace atl::transport::far
