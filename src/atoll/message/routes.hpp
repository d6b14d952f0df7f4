#pragma once
// Which route messages for other nodes take (setting routing). A buffer for each PE stops working
// as a cluster grows: no buffer is ever full, and their memory grows with the cluster. So messages
// for many PEs share a buffer as far as their routes are the same:
//   direct  straight to the destination.
//   node    between two nodes a stream leads from one PE to one PE. First to the PE of the own node
//           where the stream begins, then along it, then to the destination; the first and the last
//           hop go through shared memory. Where nodes are few there are several streams between
//           two, so that each PE has at least one.
//   grid    nodes stand in a square, with streams between those of a row or a column only. First to
//           the node of the own row that is in the destination's column, then down that column. The
//           PEs of a node fill as many buffers for others as the square has rows and columns
//           (routing over a mesh, as in Active Pebbles; Willcock et al. 2011).

#include "atoll/message/node_layout.hpp"
#include "atoll/settings.hpp"

#include <cstddef>
#include <vector>

namespace atl::message {

/// What `auto` stands for on these nodes; other choices stay. With one node always direct.
routing chosen_routing(routing asked, const node_layout& layout);

/// The hops of one PE. A message is at its destination after at most three, by grid five.
class routes {
 public:
  /// `layout` outlives this.
  routes(int self, const node_layout& layout, routing how);

  /// The PE that this one sends to for `destination`: that one itself where it goes straight.
  int hop(int destination) const {
    if (hops_.empty()) return destination;
    const int node = layout_->node_of(destination);
    return node == own_node_ ? destination : hops_[static_cast<std::size_t>(node)];
  }

  /// From now on straight.
  void go_directly() noexcept { hops_.clear(); }

 private:
  int by_node(int target) const;
  int by_grid(int target) const;
  struct beginning {
    int number;  ///< of the own node, for the other one
    int others;  ///< nodes that there are streams to, and this one
  };
  struct end {
    int node;
    int number;
  };
  int by_stream(beginning from, end to) const;

  const node_layout* layout_;
  int columns_;  // of the square
  int own_node_;
  int place_;              // on its node
  std::vector<int> hops_;  // by the node of the destination; empty: straight
};

}  // namespace atl::message
