#pragma once
// A forest over all vertices, whose trees are linked until each tree is a connected component.
//
// The parent of a vertex is never larger than the vertex, so the root of a tree is its smallest
// vertex. Two trees are linked by the union-find of Rem (Patwary, Blair, Manne 2010). The algorithm
// climbs the paths of two vertices together, and replaces the larger of two parents by the smaller
// one. If a path continues on another PE, the climbing PE sends a message, and the other PE
// continues the climb. Steps within a PE are plain memory accesses, because no other PE reads or
// writes this PE's part of the forest.

#include "atoll/atoll.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/local_memory.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace atl::kernels::cc {

/// A cache of vertices of other PEs (ghosts). Beside each ghost, the cache stores a vertex of this
/// PE that has already been linked with the ghost. Later links to a ghost (a vertex of another PE)
/// use the stored vertex of this PE instead, which saves a message.
template <class Id>
class ghost_table {
 public:
  void prepare() { slots_.resize(std::size_t{1} << k_log2_slots); }
  void clear() { std::ranges::fill(slots_, slot{k_none, k_none}); }

  /// Returns the local vertex that stands for `remote`. If no local vertex stands for `remote`,
  /// returns `remote`, and lets `here` stand for `remote` in later calls.
  Id stand_in(Id remote, Id here) {
    slot& place = slots_[(remote * k_spread) >> (8 * sizeof(Id) - k_log2_slots)];
    if (place.remote == remote) return place.here;
    place = {remote, here};
    return remote;
  }

 private:
  struct slot {
    Id remote;
    Id here;
  };

  /// The table has 2^k_log2_slots slots, which fit into the second-level cache.
  static constexpr unsigned k_log2_slots = 14;
  static constexpr Id k_spread = static_cast<Id>(0x9e3779b97f4a7c15u >> (64 - 8 * sizeof(Id))) | 1;
  static constexpr Id k_none = static_cast<Id>(~Id{0});

  std::vector<slot> slots_;
};

/// One PE's part of the forest.
template <class Id>
struct forest_part {
  /// For each owned vertex: its parent, while trees are linked. At the end, the element is the
  /// label of the vertex: the smallest vertex of its component.
  huge_vector<Id> labels;
  std::uint64_t links = 0;          ///< number of pairs of trees that were linked on this PE
  std::uint64_t sent_links = 0;     ///< number of links that had to continue on another PE
  std::uint64_t scanned_edges = 0;  ///< number of arcs that were read
  bool prepared = false;

  /// Allocates the memory, before the first run on the graph.
  void prepare(const graph_part<Id>& graph) {
    prepared = true;
    shape_ = &graph.shape;
    first_ = static_cast<Id>(graph.first_vertex);
    labels.resize(graph.vertices);
    ghosts_.prepare();
  }

  /// Clears the forest that the previous run has made. Every vertex becomes a tree of its own.
  void start() {
    std::iota(labels.begin(), labels.end(), first_);
    ghosts_.clear();
    links = sent_links = 0;
    scanned_edges = 0;
  }

  bool is_here(Id vertex) const { return static_cast<Id>(vertex - first_) < labels.size(); }
  Id& label_of(Id vertex) { return labels[static_cast<Id>(vertex - first_)]; }
  Id label_of(Id vertex) const { return labels[static_cast<Id>(vertex - first_)]; }

  /// Returns the cache of ghosts, which are vertices of other PEs. The class `compression` uses the
  /// cache for another purpose, while no trees are linked, and clears the cache first.
  ghost_table<Id>& ghosts() { return ghosts_; }

  std::uint64_t first_vertex() const { return first_; }

  /// Returns the parent of `vertex`. For a vertex of another PE, returns the vertex itself.
  Id parent_of(Id vertex) const { return is_here(vertex) ? label_of(vertex) : vertex; }

  /// Returns the root of an owned vertex, once roots have been found (compress.hpp).
  Id root_of(Id vertex) const { return parent_of(label_of(vertex)); }

  /// Links the trees of an owned vertex and of a neighbour. The call does not block. The enclosing
  /// scope, for example a call of `finish`, waits until the trees are linked.
  void link_arc(per_pe<forest_part> everywhere, Id vertex, Id neighbour) {
    if (!is_here(neighbour)) neighbour = ghosts_.stand_in(neighbour, vertex);
    link(everywhere, vertex, neighbour);
  }

  /// Links the trees of any two vertices. When a path leaves this PE, the owner of the vertex with
  /// the larger parent continues. Each step of the climb replaces the vertex with the larger parent
  /// by this parent. Parents are smaller than their children, so the climb ends.
  void link(per_pe<forest_part> everywhere, Id a, Id b) {
    Id above_a = parent_of(a);
    Id above_b = parent_of(b);
    while (above_a != above_b) {
      if (above_a < above_b) {
        std::swap(a, b);
        std::swap(above_a, above_b);
      }
      if (!is_here(a)) return send_link(everywhere, a, above_b);
      label_of(a) = above_b;
      if (above_a == a) {
        ++links;
        return;
      }
      a = above_a;
      above_a = parent_of(a);
    }
  }

 private:
  void send_link(per_pe<forest_part> everywhere, Id larger, Id smaller) {
    ++sent_links;
    async_call(shape_->owner(larger),
               [everywhere, larger, smaller] { everywhere->link(everywhere, larger, smaller); });
  }

  const partition* shape_ = nullptr;
  Id first_ = 0;
  ghost_table<Id> ghosts_;

 public:
  /// A function that is called with the fraction of the labelling that is done. The function may be
  /// empty.
  std::function<void(double)> progress;
};

}  // namespace atl::kernels::cc
