#pragma once
// Files where each edge stands twice, at both of its ends: which of the two is taken, and whether
// the other one is there.

#include "atoll/base/random.hpp"
#include "atoll/graph/edge_list.hpp"

#include <cstdint>

namespace atl::graph {

/// Takes the arcs of one vertex after another. Of the two arcs of an edge that from the smaller end
/// is the edge; an edge from a vertex to itself stands twice at that vertex.
class both_ends {
 public:
  /// The arcs that follow are those of `vertex`.
  void begin(std::uint64_t vertex) {
    vertex_ = vertex;
    odd_loop_ = false;
  }

  void take(std::uint64_t neighbour, std::int64_t weight, bool weighted, edge_list& list) {
    if (neighbour == vertex_) odd_loop_ = !odd_loop_;
    const bool is_edge = neighbour == vertex_ ? !odd_loop_ : vertex_ < neighbour;
    const auto key = key_of(neighbour, weight);
    list.found.one_way += is_edge ? key : 0 - key;
    if (!is_edge) return;
    list.edges.push_back({vertex_, neighbour});
    if (weighted) list.weights.push_back(weight);
  }

  /// An edge from the vertex to itself stands there once and not twice.
  bool has_odd_loop() const { return odd_loop_; }

 private:
  std::uint64_t key_of(std::uint64_t neighbour, std::int64_t weight) const {
    const auto smaller = std::min(vertex_, neighbour), larger = std::max(vertex_, neighbour);
    return hash(hash(hash(smaller + 1) + larger) + static_cast<std::uint64_t>(weight));
  }

  std::uint64_t vertex_ = 0;
  bool odd_loop_ = false;
};

}  // namespace atl::graph
