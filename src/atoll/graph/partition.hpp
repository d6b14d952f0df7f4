#pragma once
// Which PE holds which vertices and arcs of a distributed graph.
//
// Vertices are dealt in contiguous ranges with about equal numbers of arcs. Where a kernel asks for
// it, a vertex with so many arcs that no range could hold it fairly is a *hub*: its arcs are kept
// by the owners of their far ends, so that every PE has a part of them.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace atl {

/// Where the arcs of the vertices with most of them are.
enum class hub_rows : std::uint8_t {
  whole,  ///< with their vertex, as those of all others
  split   ///< dealt to all PEs: for kernels that handle hubs apart
};

/// The same on every PE.
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

/// Buckets of equal numbers of consecutive vertices, to count arcs in.
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

/// From how many arcs on a vertex is a hub, where `arcs` are dealt to `pes` PEs.
std::uint64_t hub_threshold(std::uint64_t arcs, int pes);

/// Boundaries at buckets, so that each PE's range holds about as many of the counted arcs.
std::vector<std::uint64_t> balanced_boundaries(const vertex_buckets& buckets,
                                               std::span<const std::uint64_t> arcs_in_bucket,
                                               int pes);

}  // namespace atl
