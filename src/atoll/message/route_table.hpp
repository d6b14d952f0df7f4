#pragma once
// The routes of one PE: to which PE it hands what is for another one (routes.hpp).

#include "atoll/message/routes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::message {

/// For how many PEs there are places at most to fill messages for (streams.hpp).
inline constexpr int k_most_places = 1024;

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

  /// Whether there are PEs to which messages are relayed that may be (relay.hpp).
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
