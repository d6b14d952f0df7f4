#pragma once
// A job has several nodes: ranks of one share memory. This file says which ranks those are, how
// many PEs of other nodes a PE hands buffers to, as message/routes.hpp leads messages, and how
// large the buffers may be for that.

#include "atoll/settings.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace atl::transport::far {

/// Which ranks share memory: those of a host that can, or so many of them (setting node-size).
struct node_map {
  std::vector<int> node_of;   ///< by rank
  std::vector<int> place_of;  ///< by rank: its number on its node
  std::vector<int> mine;      ///< the ranks of this rank's node, ascending
  int machines = 1;

  int count() const { return 1 + *std::ranges::max_element(node_of); }
  int leader() const { return mine.front(); }
  bool is_here(int rank) const { return node_of[index(rank)] == node_of[index(mine.front())]; }

 private:
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
};

/// `sharing` is equal for ranks that can share memory, `machines` for those on one machine;
/// `node_size` 0: all ranks that can are a node.
node_map nodes_of(const std::vector<std::uint64_t>& sharing,
                  const std::vector<std::uint64_t>& machines, int rank, std::uint64_t node_size);

/// Messages for other nodes take two steps between nodes, which stand in a square: where one step
/// made a PE share what it has among many PEs of other nodes, and its node among many nodes. (Each
/// step carries all bytes again: 128 nodes of 16 PEs, eight a PE, are twice as fast with one.)
bool needs_grid(int nodes, int pes_of_node);

/// So many streams lead from a node of so many PEs to another that each PE has one at least.
int streams_to_a_node(int nodes, int pes_of_node);

/// How many PEs of other nodes a PE of nodes of so many sends buffers to at most. Few messages go
/// straight to others.
int partners_beyond(routing how, int nodes, int pes_of_node);

/// Where the settings leave it open. Each message costs MPI more than a buffer costs shared memory,
/// so buffers are large: with its header one is below what MPI sends over TCP without asking the
/// receiver first (64 KiB). Where PEs are thousands, their buffers have so much memory in all.
std::uint64_t buffer_bytes_between_nodes(int pes, int nodes, int pes_of_node);

}  // namespace atl::transport::far
