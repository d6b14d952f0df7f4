#pragma once
// The distances of all vertices: those of this PE, and those of other PEs that it can address.

#include "atoll/graph/partition.hpp"
#include "atoll/pe.hpp"
#include "atoll/symmetric_array.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

namespace atl::kernels::shortest_paths {

inline constexpr double k_infinite = std::numeric_limits<double>::infinity();

/// Returns a distance that other PEs may lower at the same time.
inline double distance_at(double& place) {
  return std::atomic_ref(place).load(std::memory_order_relaxed);
}

/// Lowers a distance to `to`, if that is less; other PEs may do so at the same time. Returns
/// whether it was lowered.
inline bool lower(double& place, double to) {
  std::atomic_ref<double> distance(place);
  double now = distance.load(std::memory_order_relaxed);
  while (to < now)
    if (distance.compare_exchange_weak(now, to, std::memory_order_relaxed)) return true;
  return false;
}

/// The distances that a PE can load and lower by itself: its own, and those of PEs whose memory it
/// reaches.
class reached_distances {
 public:
  reached_distances(symmetric_array<double> distances, const partition& shape) : shape_(shape) {
    for (int pe = 0; pe < pes(); ++pe) {
      const auto there = distances.reached(pe);
      begins_.push_back(there.empty() ? nullptr : there.data());
    }
    const auto mine = static_cast<std::size_t>(my_pe());
    begins_[mine] = distances.local().data();
    reaches_all_ = std::ranges::find(begins_, nullptr) == begins_.end();
  }

  /// Returns whether the distances of all vertices can be loaded.
  bool reaches_all() const { return reaches_all_; }

  /// Returns the place of the distance of a vertex of `owner`, or null if it cannot be addressed.
  double* of(std::uint64_t vertex, int owner) const {
    double* const begin = begins_[static_cast<std::size_t>(owner)];
    return begin == nullptr ? nullptr : begin + (vertex - shape_.begin(owner));
  }

  /// Returns the distance of a vertex, if all can be loaded.
  double operator[](std::uint64_t vertex) const {
    return distance_at(*of(vertex, shape_.owner(vertex)));
  }

 private:
  const partition& shape_;
  std::vector<double*> begins_;  // by PE
  bool reaches_all_ = false;
};

}  // namespace atl::kernels::shortest_paths
