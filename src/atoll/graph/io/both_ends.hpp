#pragma once
// Files where each edge stands twice, at both of its ends: which of the two is taken, and whether
// the other one is there.

#include "atoll/base/random.hpp"
#include "atoll/graph/edge_list.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace atl::graph {

/// Takes the neighbours of one vertex after another. Of the two ends of an edge the smaller one
/// gives the edge; an edge from a vertex to itself stands twice at that vertex.
class both_ends {
 public:
  /// `options` may have someone who looks at the ends; they live longer than this.
  explicit both_ends(const read_options& options) : options_(options) {}

  /// The neighbours that follow are those of `vertex`.
  void begin(std::uint64_t vertex) {
    vertex_ = vertex;
    odd_loop_ = false;
  }

  /// False where who looks at the ends finds fault with this one.
  bool take(std::uint64_t neighbour, std::int64_t weight, bool weighted, edge_list& list) {
    if (neighbour == vertex_) odd_loop_ = !odd_loop_;
    const bool is_edge = neighbour == vertex_ ? !odd_loop_ : vertex_ < neighbour;
    const seen_end end{vertex_, neighbour, weight, is_edge};
    if (options_.look_at_end) return !options_.look_at_end(end);
    list.found.one_way += change_by(end);
    if (!is_edge) return true;
    list.edges.push_back({vertex_, neighbour});
    if (weighted) list.weights.push_back(weight);
    return true;
  }

  /// An edge from the vertex to itself stands there once and not twice.
  bool has_odd_loop() const { return odd_loop_; }

  /// Whatever hash has the two ends of an edge: the same.
  static std::uint64_t key_of(const seen_end& end) {
    const auto [smaller, larger] = std::minmax(end.vertex, end.neighbour);
    return hash(hash(hash(smaller + 1) + larger) + static_cast<std::uint64_t>(end.weight));
  }

  /// What an end adds to a checksum that is 0 for both together.
  static std::uint64_t change_by(const seen_end& end) {
    return end.is_edge ? key_of(end) : 0 - key_of(end);
  }

  /// What is wrong with an end whose other end is missing; ids as the file has them.
  static std::string complaint(std::uint64_t vertex, std::uint64_t neighbour);

 private:
  const read_options& options_;
  std::uint64_t vertex_ = 0;
  bool odd_loop_ = false;
};

/// The error at the place of an end whose other end is missing, of a file where there is one:
/// mostly the first. Reads all of the file three times, in memory that does not depend on its
/// length, unless most of its edges are such.
error find_one_way(const file_part& which);

}  // namespace atl::graph
