#pragma once
// A route is the sequence of hops that a message for another node takes (setting `routing`). A hop
// is a PE that receives a buffer and forwards each message in the buffer whose destination is
// another PE. If each destination PE had its own buffer, buffers in a large cluster would never
// fill, and their memory would grow with the number of PEs. Messages for many PEs share buffers as
// far as their routes are the same, so that buffers fill and need little memory.
//
// Routing `direct` sends each message straight to its destination.
//
// Routing `node` connects each pair of nodes by streams; a stream leads from a PE of one node to a
// PE of the other node. With routing `node`, a message first goes to a PE of the sender's node that
// sends to the destination's node. With routing `node`, a message follows a stream to its
// destination's node, where it is forwarded to its destination. Within a node, messages go through
// shared memory. If there are few nodes, each pair of nodes is connected by several streams, so
// that each PE has at least one stream.
//
// Routing `grid` arranges the nodes in a square. In the square of routing `grid`, streams connect
// only nodes of the same row or the same column. With routing `grid`, a message usually travels
// along the row of the sender's node to the destination's column, then along that column. With
// routing `grid`, the number of buffers that a node fills for other nodes is about the number of
// rows plus columns. Active Pebbles (Willcock et al. 2011) also routes messages along the rows and
// columns of a mesh.

#include "atoll/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::message {

/// Tells which PEs are on which node. If the ranks are assigned to nodes in blocks of equal size
/// (the last block may be smaller), this class computes the PEs of a node. If the ranks are
/// assigned in another way, the class looks up the PEs of a node in tables.
class node_layout {
 public:
  /// `node_of` contains the node of each PE and must outlive this object.
  explicit node_layout(std::span<const int> node_of);

  int pes() const { return static_cast<int>(node_of_.size()); }
  int nodes() const { return nodes_; }
  int node_of(int pe) const { return node_of_[index(pe)]; }

  /// Returns the number of PEs of the node `node`.
  int size_of(int node) const { return begin_of(node + 1) - begin_of(node); }
  /// Returns the PE with the index `place` (0, 1, 2, and so on) among the PEs of the node `node`.
  int member(int node, int place) const {
    const int at = begin_of(node) + place;
    return members_.empty() ? at : members_[index(at)];
  }
  /// Returns the index of PE `pe` among the PEs of its node.
  int place_of(int pe) const;

 private:
  static std::size_t index(int of) { return static_cast<std::size_t>(of); }
  int begin_of(int node) const;
  bool is_regular() const;
  void make_tables();

  std::span<const int> node_of_;
  int nodes_ = 1;
  int each_;                  // PEs per node; the last node may have fewer
  std::vector<int> members_;  // PEs sorted by node; empty if they can be computed
  std::vector<int> begins_;
};

/// Returns the node of each of `pes` PEs. Each node has `node_size` PEs; if `node_size` is 0, there
/// is one node.
std::vector<int> nodes_of_size(int pes, std::uint64_t node_size);

/// Returns the routing for the nodes of `layout`. If `asked` is `automatic`, the result depends on
/// the numbers of nodes and PEs. With one node, the result is always `direct`.
routing chosen_routing(routing asked, const node_layout& layout);

/// The routes of one PE: for each other node, the PE to which this PE sends messages for that node.
/// A message is sent from PE to PE at most three times, or at most five times with routing `grid`.
class routes {
 public:
  /// `layout` must outlive this object.
  routes(int self, const node_layout& layout, routing how);

  /// Returns the PE to which this PE sends messages for `destination`. If this PE sends to
  /// `destination` directly, the result is `destination` itself.
  int hop(int destination) const {
    if (hops_.empty()) return destination;
    const int node = layout_->node_of(destination);
    return node == own_node_ ? destination : hops_[static_cast<std::size_t>(node)];
  }

  /// Sends messages straight to their destinations from now on.
  void go_directly() noexcept { hops_.clear(); }

 private:
  int by_node(int target) const;
  int by_grid(int target) const;
  struct beginning {
    int number;  ///< index of this node among the nodes with a stream to the target
    int others;  ///< number of nodes with a stream to this node, plus 1 for this node
  };
  struct end {
    int node;
    int number;
  };
  int by_stream(beginning from, end to) const;

  const node_layout* layout_;
  int columns_;  // number of columns of the square of nodes (routing `grid`)
  int own_node_;
  int place_;              // index of this PE among the PEs of its node
  std::vector<int> hops_;  // hop to each node; empty if messages go straight to their destinations
};

/// Maximum number of places in a PE's table of `send_buffer` objects (streams.hpp).
inline constexpr int k_most_places = 1024;

/// The routes of one PE: for each destination, the PE to which this PE sends the messages for that
/// destination.
class route_table {
 public:
  /// Makes the routes of PE `self` of `pes` PEs. `known` contains the node of each PE and must
  /// outlive this object. If `known` is empty, each node has `node_size` PEs. If `known` is empty
  /// and `node_size` is 0, all PEs are on one node. Messages go straight to their destinations
  /// until `choose` is called.
  route_table(int self, int pes, std::span<const int> known, std::uint64_t node_size,
              std::size_t buffer_capacity);
  route_table(const route_table&) = delete;
  route_table& operator=(const route_table&) = delete;

  /// Chooses the routes that messages take from now on.
  void choose(routing how);

  /// Sends each message straight to its destination from now on. Messages that have already left
  /// keep their routes. This function allocates no memory.
  void go_directly() noexcept {
    how_.go_directly();
    relays_ = false;
  }

  /// Returns true if small messages to at least one PE are relayed by other PEs (runs.hpp).
  bool relays() const { return relays_; }

  /// Returns whether small messages to `destination` are relayed by the PEs on the route
  /// (runs.hpp). The route to `destination` must lead through another PE.
  bool relays_to(int destination) const {
    return relays_ &&
           is_relayed_[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(destination)])];
  }

  std::span<const int> nodes() const { return nodes_; }

  /// Returns whether `pe` is on another node.
  bool is_distant(int pe) const { return nodes_[pe] != nodes_[self_]; }

  /// Returns the number of PEs on the node of this PE.
  int pes_of_node() const { return layout_.size_of(nodes_[self_]); }

  /// Returns the PE that receives buffers with messages for `destination`: `destination` itself, or
  /// a PE that forwards them. This PE sends to each hop directly.
  int hop(int destination) const { return how_.hop(destination); }

  /// Returns how many PEs on other nodes this PE sends buffers to. Returns 0 if messages
  /// go straight to their destinations.
  std::int64_t partners_beyond() const;

  /// Returns the minimum size in bytes of a parcel (messages for one destination) in a buffer for
  /// the PE `hop`. A parcel's minimum size is the buffer size divided by the hop's number of
  /// destinations, but at least 48 and at most 4096 bytes.
  std::size_t parcel_bytes(int hop) const;

 private:
  int hop_to_node(int node) const;
  void count_destinations();
  void choose_relayed();

  int self_;
  std::size_t buffer_capacity_;
  // node of each PE, computed from the node size; empty if the nodes were passed to the constructor
  std::vector<int> own_nodes_;
  std::span<const int> nodes_;
  node_layout layout_;
  routes how_;
  bool relays_ = false;
  // for each node, whether small messages to the node are relayed
  std::vector<bool> is_relayed_;
  std::unordered_map<int, int> destinations_;  // number of destinations for each hop
};

}  // namespace atl::message
