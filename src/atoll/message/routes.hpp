#pragma once
// Which way buffers for other nodes take (setting routing). Aggregation for each PE apart stops
// working as a cluster grows: no buffer is ever full, and their memory grows with the cluster. So
// messages for many PEs share a buffer as far as their ways are the same:
//   direct  straight to the PE.
//   node    to a PE of the own node that has the stream to the other one, to its end there, and to
//           the PE, the first and the last through shared memory. One stream leads from node to
//           node, or more where nodes are few, so that each PE has one at least.
//   grid    nodes stand in a square; first to the node of the own row in the column of the PE's
//           node, then down that column, then as above. As many buffers as the square has rows and
//           columns (routing over a mesh, as in Active Pebbles; Willcock et al. 2011).

#include "atoll/base/settings.hpp"

#include <span>
#include <vector>

namespace atoll::message {

/// The way that `auto` stands for with so many nodes; direct and one node stay what they are.
routing chosen_routing(routing asked, std::span<const int> node_of);

/// For each PE the one that gets what `self` has for it; the PE itself where the way is direct.
/// Following the hops from PE to PE ends at the destination after at most three.
std::vector<int> hops_from(int self, std::span<const int> node_of, routing how);

/// Of how many destinations each PE is the hop.
std::vector<int> destinations_behind(std::span<const int> hops);

}  // namespace atoll::message
