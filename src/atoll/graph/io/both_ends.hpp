#pragma once
// Reads formats that list each edge twice: at both of its endpoints. The reader makes an edge from
// one of the two entries, and checks that the other entry exists.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/weight_text.hpp"
#include "atoll/random.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace atl::graph {

/// Receives the neighbours of each vertex, one vertex after another. An edge is made from the entry
/// at its smaller endpoint. A self loop is listed twice at its vertex. Some programs list a self
/// loop only once. If the number of entries for self loops of a vertex is odd, an edge is therefore
/// made from each entry.
class both_ends {
 public:
  /// `options` must outlive this object. The options may contain an observer of the entries
  /// (`read_options::look_at_end`).
  explicit both_ends(const read_options& options) : options_(options) {}

  /// Begins the list of neighbours of `vertex`.
  void begin(std::uint64_t vertex) {
    vertex_ = vertex;
    loops_.clear();
  }

  /// Receives the next neighbour of the current vertex. Returns false if the observer of the
  /// entries reports an error.
  bool take(std::uint64_t neighbour, std::int64_t weight, bool weighted, edge_list& list) {
    if (neighbour != vertex_)
      return take({vertex_, neighbour, weight, vertex_ < neighbour}, weighted, list);
    loops_.push_back(weight);
    return true;
  }

  /// Ends the list of neighbours of the vertex. Returns false if the observer reports an error for
  /// a self loop.
  bool end(bool weighted, edge_list& list) {
    const bool once = loops_.size() % 2 != 0;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      if (once && !options_.look_at_end) add_edge({vertex_, vertex_}, loops_[i], weighted, list);
      if (!once && !take({vertex_, vertex_, loops_[i], i % 2 != 0}, weighted, list)) return false;
    }
    return true;
  }

  /// Returns a hash of an edge. The two entries of an edge have the same hash.
  static std::uint64_t key_of(const seen_end& end) {
    const auto [smaller, larger] = std::minmax(end.vertex, end.neighbour);
    return hash(hash(hash(smaller + 1) + larger) + static_cast<std::uint64_t>(end.weight));
  }

  /// Returns the number that one entry adds to the checksum of the file. The numbers of the two
  /// entries of an edge have the sum 0.
  static std::uint64_t change_by(const seen_end& end) {
    return end.is_edge ? key_of(end) : 0 - key_of(end);
  }

  /// Returns the message for an entry whose opposite entry is missing. Ids are shown as in the
  /// file.
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
  std::vector<std::int64_t> loops_;  // weights of the self loops of the vertex
};

/// Finds an entry whose opposite entry is missing, and returns the error for it. The file must have
/// an entry without an opposite entry. The reported entry is usually the first entry of this kind
/// in the file. Reads the whole file three times. The memory grows with the number of wrong edges,
/// but not with the length of the file.
error find_one_way(const file_part& which);

}  // namespace atl::graph
