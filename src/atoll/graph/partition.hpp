#pragma once
// The assignment of the vertices and arcs of a distributed graph to PEs.
//
// Each PE owns a contiguous range of vertices, and the ranges have about equal numbers of arcs. A
// vertex with too many arcs for one range is called a *hub*. If a kernel asks for split hubs, an
// arc of a hub is stored by the owner of its other endpoint. Every PE therefore has a part of the
// arcs of each split hub.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace atl {

/// Where the arcs of hubs are stored.
enum class hub_rows : std::uint8_t {
  whole,  ///< by the owner of the hub, like the arcs of other vertices
  split   ///< on all PEs, for kernels that treat hubs separately
};

/// The partition of a graph. The object is the same on every PE.
struct partition {
  std::uint64_t vertices = 0;
  /// PE p owns the vertices from boundaries[p] to boundaries[p + 1] - 1.
  std::vector<std::uint64_t> boundaries;
  std::vector<std::uint64_t> hubs;  ///< the vertices whose arcs are split, in ascending order

  int owner(std::uint64_t vertex) const {
    const auto after = std::upper_bound(boundaries.begin() + 1, boundaries.end() - 1, vertex);
    return static_cast<int>(after - boundaries.begin()) - 1;
  }

  std::uint64_t begin(int pe) const { return boundaries[static_cast<std::size_t>(pe)]; }
  std::uint64_t end(int pe) const { return boundaries[static_cast<std::size_t>(pe) + 1]; }

  std::optional<std::uint64_t> hub_number(std::uint64_t vertex) const {
    if (hubs.empty()) return std::nullopt;
    const auto found = std::lower_bound(hubs.begin(), hubs.end(), vertex);
    if (found == hubs.end() || *found != vertex) return std::nullopt;
    return static_cast<std::uint64_t>(found - hubs.begin());
  }
};

/// Ranges of equally many consecutive vertices. Arcs are counted for each range, called a bucket.
class vertex_buckets {
 public:
  explicit vertex_buckets(std::uint64_t vertices);

  std::uint64_t count() const { return count_; }
  std::uint64_t of(std::uint64_t vertex) const { return vertex >> shift_; }
  std::uint64_t first_vertex(std::uint64_t bucket) const {
    return std::min(vertices_, bucket << shift_);
  }

 private:
  std::uint64_t vertices_;
  unsigned shift_ = 0;
  std::uint64_t count_ = 0;
};

/// Returns the smallest number of arcs that makes a vertex a hub, in a graph with `arcs` arcs on
/// `pes` PEs.
std::uint64_t hub_threshold(std::uint64_t arcs, int pes);

/// Returns boundaries between PEs, each at the end of a bucket. Every PE gets about the same number
/// of the counted arcs.
std::vector<std::uint64_t> balanced_boundaries(const vertex_buckets& buckets,
                                               std::span<const std::uint64_t> arcs_in_bucket,
                                               int pes);

}  // namespace atl
