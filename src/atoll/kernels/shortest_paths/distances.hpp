#pragma once
// Access to the distances of this PE's vertices, and to the distances of other PEs whose memory
// this PE can address.

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

/// Reads a distance atomically, because other PEs may lower the distance at the same time.
inline double distance_at(double& place) {
  return std::atomic_ref(place).load(std::memory_order_relaxed);
}

/// Lowers a distance to `to` if `to` is smaller. Other PEs may lower the distance at the same time.
/// Returns whether the distance was lowered.
inline bool lower(double& place, double to) {
  // The usual case, in which `to` is not smaller, is handled first, because this case needs no
  // variable `now` in memory.
  if (!(to < distance_at(place))) return false;
  const std::atomic_ref<double> distance(place);
  double now = distance.load(std::memory_order_relaxed);
  while (to < now)
    if (distance.compare_exchange_weak(now, to, std::memory_order_relaxed)) return true;
  return false;
}

/// The distances that a PE can load and lower without messages. The object remembers the PE of the
/// last call of `find`, because the next vertex of a row usually belongs to the same PE.
class reached_distances {
 public:
  reached_distances(symmetric_array<double> distances, const partition& shape) : shape_(shape) {
    for (int pe = 0; pe < pes(); ++pe) {
      const auto there = distances.directly_mapped(pe);
      begins_.push_back(there.empty() ? nullptr : there.data());
    }
    begins_[static_cast<std::size_t>(my_pe())] = distances.local().data();
    reaches_all_ = std::ranges::find(begins_, nullptr) == begins_.end();
    look_at(my_pe());
  }

  /// Returns whether this PE can load the distances of all vertices without messages.
  bool reaches_all() const { return reaches_all_; }

  /// Finds the PE of a vertex. Later calls, for example of `owner`, refer to the PE that the last
  /// call of `find` has found.
  void find(std::uint64_t vertex) {
    if (vertex - first_ >= vertices_) [[unlikely]]
      look_at(shape_.owner(vertex));
  }

  /// Returns the PE that the last call of `find` has found.
  int owner() const { return owner_; }

  /// Returns the row of `vertex` on its PE. The vertex must belong to the PE that the last call of
  /// `find` has found.
  std::uint64_t row_of(std::uint64_t vertex) const { return vertex - first_; }

  /// Returns whether this PE can address the distances of the PE that the last call of `find` has
  /// found.
  bool reaches_owner() const { return begin_ != nullptr; }

  /// Returns a reference to the distance of `vertex`. The vertex must belong to the PE that the
  /// last call of `find` has found.
  double& of(std::uint64_t vertex) const { return begin_[vertex - first_]; }

  /// Returns the distance of a vertex. The caller may call this function only if `reaches_all()` is
  /// true.
  double operator[](std::uint64_t vertex) {
    find(vertex);
    return distance_at(of(vertex));
  }

 private:
  void look_at(int pe) {
    owner_ = pe;
    begin_ = begins_[static_cast<std::size_t>(pe)];
    first_ = shape_.begin(pe);
    vertices_ = shape_.end(pe) - first_;
  }

  const partition& shape_;
  std::vector<double*> begins_;  // indexed by PE
  bool reaches_all_ = false;
  int owner_ = 0;  // the PE that the last call of `find` has found, and data about its vertices
  double* begin_ = nullptr;
  std::uint64_t first_ = 0;
  std::uint64_t vertices_ = 0;
};

}  // namespace atl::kernels::shortest_paths
