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

#include "atoll/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::message {

/// Which PEs are on which node: where each node has as many PEs, one after the other, by division;
/// else by tables.
class node_layout {
 public:
  /// `node_of` has the node of each PE, and outlives this.
  explicit node_layout(std::span<const int> node_of);

  int pes() const { return static_cast<int>(node_of_.size()); }
  int nodes() const { return nodes_; }
  int node_of(int pe) const { return node_of_[index(pe)]; }

  /// How many PEs a node has, which of them has a place, and the place of a PE on its node.
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
  int each_;                  // PEs of a node; the last one may have fewer
  std::vector<int> members_;  // by node; empty where division does
  std::vector<int> begins_;
};

/// The node of each of `pes` PEs of nodes of `node_size`, or of one node if that is 0.
std::vector<int> nodes_of_size(int pes, std::uint64_t node_size);

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

/// For how many PEs there are places at most to fill messages for (streams.hpp).
inline constexpr int k_most_places = 1024;

/// The routes of one PE: to which PE it hands what is for another one.
class route_table {
 public:
  /// For PE `self` of `pes`. `known` has the node of each PE, and outlives this; where it is empty
  /// nodes have `node_size` PEs, or there is one node if that is 0. Goes straight until `choose`.
  route_table(int self, int pes, std::span<const int> known, std::uint64_t node_size,
              std::size_t buffer_capacity);
  route_table(const route_table&) = delete;
  route_table& operator=(const route_table&) = delete;

  /// From now on messages take these routes.
  void choose(routing how);

  /// From now on each message goes straight to its destination; what is on its way is not. Needs no
  /// memory.
  void go_directly() noexcept {
    how_.go_directly();
    relays_ = false;
  }

  /// Whether there are PEs to which messages are relayed that may be (runs.hpp).
  bool relays() const { return relays_; }

  /// Whether those to this PE are, which is behind a hop.
  bool relays_to(int destination) const {
    return relays_ &&
           is_relayed_[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(destination)])];
  }

  std::span<const int> nodes() const { return nodes_; }

  /// On another node.
  bool is_distant(int pe) const { return nodes_[pe] != nodes_[self_]; }

  /// How many PEs its node has.
  int pes_of_node() const { return layout_.size_of(nodes_[self_]); }

  /// The PE that gets what is for `destination`: that PE itself, or one that hands it on. The hop
  /// of a hop is itself.
  int hop(int destination) const { return how_.hop(destination); }

  /// To how many PEs of other nodes this one hands buffers, where it does not go straight.
  std::int64_t partners_beyond() const;

  /// What a parcel in a buffer for `hop` takes at least: as large as there is room for one to each
  /// destination behind the hop.
  std::size_t parcel_bytes(int hop) const;

 private:
  int hop_to_node(int node) const;
  void count_destinations();
  void choose_relayed();

  int self_;
  std::size_t buffer_capacity_;
  std::vector<int> own_nodes_;  // where they are not known
  std::span<const int> nodes_;
  node_layout layout_;
  routes how_;
  bool relays_ = false;
  std::vector<bool> is_relayed_;               // by the node of the destination
  std::unordered_map<int, int> destinations_;  // by hop: how many are behind it, itself too
};

}  // namespace atl::message
