#pragma once
// The routes of one PE: to which PE it hands what is for another one (routes.hpp).

#include "atoll/message/routes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace atl::message {

class route_table {
 public:
  /// For PE `self`; `nodes` has the node of each PE. Goes straight until `choose`.
  route_table(int self, std::vector<int> nodes, std::size_t buffer_capacity);

  /// From now on messages take these routes.
  void choose(routing how);

  /// From now on each message goes straight to its destination; what is on its way is not. Needs no
  /// memory, so that a job can always end.
  void go_directly() noexcept;

  std::span<const int> nodes() const { return nodes_; }

  /// On another node.
  bool is_distant(int pe) const { return nodes_[pe] != nodes_[self_]; }

  /// How many PEs its node has.
  std::int64_t pes_of_node() const { return std::ranges::count(nodes_, nodes_[self_]); }

  /// The PE that gets what is for `destination`: that PE itself, or one that hands it on. The hop
  /// of a hop is itself.
  int hop(int destination) const { return hops_[destination]; }
  bool is_direct(int destination) const { return hops_[destination] == destination; }

  /// Sets the hop of one destination, and returns its former hop.
  int divert(int destination, int hop) { return std::exchange(hops_[destination], hop); }

  /// What a parcel in a buffer for `hop` takes at least: as large as there is room for one to each
  /// destination behind the hop.
  std::size_t parcel_bytes(int hop) const { return parcel_bytes_[hop]; }

 private:
  int self_;
  std::size_t buffer_capacity_;
  std::vector<int> nodes_;
  std::vector<int> hops_;
  std::vector<std::size_t> parcel_bytes_;  ///< by hop
};

}  // namespace atl::message
