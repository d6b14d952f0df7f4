#pragma once
// Files where each edge stands twice, at both of its ends: which of the two is taken, and whether
// the other one is there.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/weight_text.hpp"
#include "atoll/random.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace atl::graph {

/// Takes the neighbours of one vertex after another. Of the two ends of an edge the smaller one
/// gives the edge. An edge from a vertex to itself stands twice at that vertex; where such ends are
/// odd in number, each is an edge, as some programs write one that stands once.
class both_ends {
 public:
  /// `options` may have someone who looks at the ends; they live longer than this.
  explicit both_ends(const read_options& options) : options_(options) {}

  /// The neighbours that follow are those of `vertex`.
  void begin(std::uint64_t vertex) {
    vertex_ = vertex;
    loops_.clear();
  }

  /// False where who looks at the ends finds fault with this one.
  bool take(std::uint64_t neighbour, std::int64_t weight, bool weighted, edge_list& list) {
    if (neighbour != vertex_)
      return take({vertex_, neighbour, weight, vertex_ < neighbour}, weighted, list);
    loops_.push_back(weight);
    return true;
  }

  /// After the last neighbour of the vertex. False likewise, for an edge from it to itself.
  bool end(bool weighted, edge_list& list) {
    const bool once = loops_.size() % 2 != 0;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      if (once && !options_.look_at_end) add_edge({vertex_, vertex_}, loops_[i], weighted, list);
      if (!once && !take({vertex_, vertex_, loops_[i], i % 2 != 0}, weighted, list)) return false;
    }
    return true;
  }

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
  bool take(const seen_end& end, bool weighted, edge_list& list) {
    if (options_.look_at_end) return !options_.look_at_end(end);
    list.found.one_way += change_by(end);
    if (end.is_edge) add_edge({end.vertex, end.neighbour}, end.weight, weighted, list);
    return true;
  }

  static void add_edge(edge e, std::int64_t weight, bool weighted, edge_list& list) {
    list.edges.push_back(e);
    if (weighted) add_weight(weight, list);
  }

  const read_options& options_;
  std::uint64_t vertex_ = 0;
  std::vector<std::int64_t> loops_;  // weights of its ends at itself
};

/// The error at the place of an end whose other end is missing, of a file where there is one:
/// mostly the first. Reads all of the file three times, in memory that does not depend on its
/// length, unless most of its edges are such.
error find_one_way(const file_part& which);

}  // namespace atl::graph
