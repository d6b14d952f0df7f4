#pragma once
// A route is the hops that a message for another node takes (setting routing). With one buffer per
// destination PE, buffers would never fill in a large cluster, and their memory would grow with it.
// Messages for many PEs therefore share a buffer as far as their routes are the same.
//
// Routing `direct` sends straight to the destination.
//
// Routing `node` has a stream between two nodes, from one PE to one PE. A message goes to the PE of
// its own node where the stream begins, along the stream, and then to the destination. The first
// and the last hop go through shared memory. With few nodes there are several streams between two,
// so that each PE has at least one.
//
// Routing `grid` arranges nodes in a square, with streams within rows and columns only. A message
// goes to the node of its own row in the destination's column, then along that column. The PEs of a
// node fill as many buffers for other nodes as the square has rows and columns. This is routing
// over a mesh, as in Active Pebbles (Willcock et al. 2011).

#include "atoll/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::message {

/// Tells which PEs are on which node. If all nodes have the same number of PEs with consecutive
/// ranks, by division; otherwise by tables.
class node_layout {
 public:
  /// Takes the node of each PE from `node_of`, which must outlive this object.
  explicit node_layout(std::span<const int> node_of);

  int pes() const { return static_cast<int>(node_of_.size()); }
  int nodes() const { return nodes_; }
  int node_of(int pe) const { return node_of_[index(pe)]; }

  /// The next functions return the number of PEs of a node, its PE at a place, and the place of a
  /// PE on its node.
  int size_of(int node) const { return begin_of(node + 1) - begin_of(node); }
  int member(int node, int place) const {
    const int at = begin_of(node) + place;
    return members_.empty() ? at : members_[index(at)];
  }
  int place_of(int pe) const;

 private:
  static std::size_t index(int of) { return static_cast<std::size_t>(of); }
  int begin_of(int node) const;
  bool is_regular() const;
  void make_tables();

  std::span<const int> node_of_;
  int nodes_ = 1;
  int each_;                  // PEs per node; the last node may have fewer
  std::vector<int> members_;  // PEs by node; empty if division suffices
  std::vector<int> begins_;
};

/// Returns the node of each of `pes` PEs. Each node has `node_size` PEs; 0: there is one node.
std::vector<int> nodes_of_size(int pes, std::uint64_t node_size);

/// Returns the routing for these nodes: `asked`, or what `auto` stands for. With one node this is
/// always direct.
routing chosen_routing(routing asked, const node_layout& layout);

/// The hops of one PE. A message reaches its destination after at most three hops, in a grid after
/// at most five.
class routes {
 public:
  /// `layout` must outlive this object.
  routes(int self, const node_layout& layout, routing how);

  /// Returns the PE to which this one sends messages for `destination`; `destination` itself if
  /// they go straight.
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
    int number;  ///< of the stream, counted by the own node
    int others;  ///< number of nodes with a stream to this one, itself included
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
  std::vector<int> hops_;  // by the destination's node; empty: straight
};

/// Maximum number of PEs with a place in the table of streams (streams.hpp).
inline constexpr int k_most_places = 1024;

/// The routes of one PE: the PE to which messages for each other PE go first.
class route_table {
 public:
  /// Makes the routes of PE `self` of `pes`. `known` has the node of each PE and must outlive this
  /// object. If `known` is empty, nodes have `node_size` PEs; 0: there is one node. Messages go
  /// straight until `choose`.
  route_table(int self, int pes, std::span<const int> known, std::uint64_t node_size,
              std::size_t buffer_capacity);
  route_table(const route_table&) = delete;
  route_table& operator=(const route_table&) = delete;

  /// Chooses the routes that messages take from now on.
  void choose(routing how);

  /// Sends each message straight to its destination from now on, except messages that already left.
  /// Needs no memory.
  void go_directly() noexcept {
    how_.go_directly();
    relays_ = false;
  }

  /// Returns whether relayable messages to some PEs are relayed (runs.hpp).
  bool relays() const { return relays_; }

  /// Returns whether messages to `destination`, which is behind a hop, are relayed.
  bool relays_to(int destination) const {
    return relays_ &&
           is_relayed_[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(destination)])];
  }

  std::span<const int> nodes() const { return nodes_; }

  /// Returns whether `pe` is on another node.
  bool is_distant(int pe) const { return nodes_[pe] != nodes_[self_]; }

  /// Returns the number of PEs of its own node.
  int pes_of_node() const { return layout_.size_of(nodes_[self_]); }

  /// Returns the PE that receives buffers for `destination`: that PE itself, or one that forwards
  /// them. The hop of a hop is the hop itself.
  int hop(int destination) const { return how_.hop(destination); }

  /// Returns to how many PEs of other nodes this PE hands buffers; 0 if messages go straight.
  std::int64_t partners_beyond() const;

  /// Returns the minimum size of a parcel in a buffer for `hop`. A buffer has room for one parcel
  /// of this size to each destination behind the hop.
  std::size_t parcel_bytes(int hop) const;

 private:
  int hop_to_node(int node) const;
  void count_destinations();
  void choose_relayed();

  int self_;
  std::size_t buffer_capacity_;
  std::vector<int> own_nodes_;  // empty if the nodes are known
  std::span<const int> nodes_;
  node_layout layout_;
  routes how_;
  bool relays_ = false;
  std::vector<bool> is_relayed_;               // by the node of the destination
  std::unordered_map<int, int> destinations_;  // by hop: destinations behind it, itself included
};

}  // namespace atl::message
