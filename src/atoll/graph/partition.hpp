#pragma once
// The assignment of vertices and arcs of a distributed graph to PEs.
//
// Vertices are dealt in contiguous ranges with about equal numbers of arcs. A vertex with too many
// arcs for any range is a *hub* if a kernel asks for it. The arcs of a hub are kept by the owners
// of their far ends, so that every PE has a part of them.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace atl {

/// The place of the arcs of the vertices with most arcs.
enum class hub_rows : std::uint8_t {
  whole,  ///< with their vertex, as those of all others
  split   ///< dealt to all PEs: for kernels that handle hubs apart
};

/// The partition of a graph, the same on every PE.
struct partition {
  std::uint64_t vertices = 0;
  std::vector<std::uint64_t> boundaries;  ///< PE p owns [boundaries[p], boundaries[p + 1])
  std::vector<std::uint64_t> hubs;        ///< those that are split; sorted

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

/// Buckets of equal numbers of consecutive vertices, in which arcs are counted.
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

/// Returns the number of arcs from which a vertex is a hub, if `arcs` are dealt to `pes` PEs.
std::uint64_t hub_threshold(std::uint64_t arcs, int pes);

/// Returns boundaries at buckets, so that each PE's range has about equally many of the counted
/// arcs.
std::vector<std::uint64_t> balanced_boundaries(const vertex_buckets& buckets,
                                               std::span<const std::uint64_t> arcs_in_bucket,
                                               int pes);

}  // namespace atl
