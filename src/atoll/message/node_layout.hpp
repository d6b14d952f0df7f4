#pragma once
// Which PEs are on which node: where each node has as many PEs, one after the other, by division;
// else by tables.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace atl::message {

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

}  // namespace atl::message
