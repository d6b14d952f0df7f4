#pragma once
// A job may have several nodes. The ranks of one node share memory. The functions below determine
// which ranks share a node and how large buffers between nodes are. Other functions determine the
// number of PEs of other nodes to which a PE sends buffers. A stream is the sequence of buffers
// from one PE to one PE of another node (message/routes.hpp).

#include "atoll/settings.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace atl::transport::internode {

/// The assignment of ranks to nodes. A node consists of ranks of one host that can share memory.
/// The setting `node-size` limits the number of ranks per node.
struct node_map {
  std::vector<int> node_of;   ///< number of the node of each rank
  std::vector<int> place_of;  ///< position of each rank among the ranks of its node
  std::vector<int> mine;      ///< all ranks of this rank's node, ascending
  int machines = 1;

  int count() const { return 1 + *std::ranges::max_element(node_of); }
  int leader() const { return mine.front(); }
  bool is_here(int rank) const { return node_of[index(rank)] == node_of[index(mine.front())]; }

 private:
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
};

/// Returns the assignment of all ranks to nodes, where `mine` contains the ranks on the same node
/// as `rank`. The vector `sharing` has a number for each rank, and ranks with equal numbers can
/// share memory. The vector `machines` has a number for each rank, and ranks with equal numbers are
/// on one machine. If `node_size` is 0, all ranks that can share memory are one node.
node_map nodes_of(const std::vector<std::uint64_t>& sharing,
                  const std::vector<std::uint64_t>& machines, int rank, std::uint64_t node_size);

/// Returns true if messages between nodes should take two hops, in a square of nodes: along a row
/// and then along a column. Two hops are better if one hop would give each PE and each node too
/// many destinations. With few destinations, one hop is better, because each hop sends all bytes
/// again. For example, on 128 nodes of 16 PEs, a PE has eight destinations, and one hop is twice as
/// fast.
bool needs_grid(int nodes, int pes_of_node);

/// Returns the number of streams from each node to each other node. The number is so large that
/// each PE of a node serves at least one stream.
int streams_to_a_node(int nodes, int pes_of_node);

/// Returns an upper bound of the number of PEs of other nodes to which one PE usually sends
/// buffers. PEs to which the PE sends only a few messages directly are not counted.
int partners_beyond(routing how, int nodes, int pes_of_node);

/// Returns the default size of a buffer between nodes, in bytes. Buffers between nodes should be
/// large, because MPI needs more time per message than shared memory needs per buffer. A buffer
/// with its header is smaller than 64 KiB, because MPI sends messages up to this size eagerly over
/// TCP. In a job of thousands of PEs, buffers are smaller, to limit the memory of all buffers.
std::uint64_t buffer_bytes_between_nodes(int pes, int nodes, int pes_of_node);

}  // namespace atl::transport::internode
