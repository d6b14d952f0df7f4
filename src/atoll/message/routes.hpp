#pragma once
// Which route messages for other nodes take (setting routing). A buffer for each PE stops working
// as a cluster grows: no buffer is ever full, and their memory grows with the cluster. So messages
// for many PEs share a buffer as far as their routes are the same:
//   direct  straight to the destination.
//   node    between two nodes a stream leads from one PE to one PE. First to the PE of the own node
//           where the stream begins, then along it, then to the destination; the first and the last
//           hop go through shared memory. Where nodes are few there are several streams between
//           two, so that each PE has at least one.
//   grid    nodes stand in a square. First to the node of the own row that is in the destination's
//           column, then down that column, then within the node. A PE fills as many buffers as the
//           square has rows and columns (routing over a mesh, as in Active Pebbles; Willcock et al.
//           2011).

#include "atoll/base/settings.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace atl::message {

/// What `auto` stands for with so many nodes; other choices stay. With one node always direct.
routing chosen_routing(routing asked, std::span<const int> node_of);

/// For each destination its hop: the PE that `self` sends to for it, the destination itself where
/// that is direct. A message is at its destination after at most three hops.
std::vector<int> hops_from(int self, std::span<const int> node_of, routing how);

/// The node of each of `pes` PEs: as `known` to the transport; where that is empty, nodes of
/// `node_size` PEs, or one node if that is 0.
std::vector<int> nodes_of(std::span<const int> known, int pes, std::uint64_t node_size);

/// Of how many destinations each PE is the hop.
std::vector<int> destinations_behind(std::span<const int> hops);

}  // namespace atl::message
