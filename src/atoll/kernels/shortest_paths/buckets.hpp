#pragma once
// A queue of the vertices of one PE that must be expanded. The queue has buckets by distance.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace atl::kernels::shortest_paths {

/// Value that stands for "no bucket". The value is larger than the number of any bucket.
inline constexpr std::uint64_t k_no_bucket = std::numeric_limits<std::uint64_t>::max();

/// A row whose vertex got a distance. The entry becomes outdated when the vertex gets a smaller
/// distance.
template <class Id>
struct waiting_row {
  double distance;
  Id row;
};

/// Bucket number b has the rows with distances from b * width to (b + 1) * width. Only the buckets
/// of a window have vectors: the next `k_window` buckets. When the window, the range of buckets
/// with vectors, moves, vectors of old buckets are reused for new buckets. Rows whose buckets have
/// no vectors yet wait in one list until the window of buckets with vectors reaches them.
template <class Id>
class bucket_queue {
 public:
  using list = std::vector<waiting_row<Id>>;

  /// Empties the queue.
  void start(double width) {
    for (list& each : near_) each.clear();
    far_.clear();
    buckets_a_unit_ = 1 / width;
    base_ = lowest_near_ = 0;
    lowest_far_ = k_no_bucket;
    waiting_near_ = 0;
  }

  std::uint64_t bucket_of(double distance) const {
    constexpr double most = 9e18;
    return static_cast<std::uint64_t>(std::min(distance * buckets_a_unit_, most));
  }

  /// Adds a row to its bucket, which must not be below the first bucket that has a vector
  /// (`begin_at`).
  void add(Id row, double distance) { add({distance, row}, bucket_of(distance)); }

  /// Makes `bucket` the first bucket of the window, the range of buckets with vectors. Lower
  /// buckets must be empty, and must remain empty.
  void begin_at(std::uint64_t bucket) {
    base_ = bucket;
    lowest_near_ = std::max(lowest_near_, bucket);
    if (lowest_far_ - base_ >= k_window) return;
    list moved;
    moved.swap(far_);
    lowest_far_ = k_no_bucket;
    for (const waiting_row<Id>& each : moved) add(each, bucket_of(each.distance));
  }

  /// Returns the lowest bucket with rows, or `k_no_bucket`.
  std::uint64_t lowest() {
    if (waiting_near_ == 0) return lowest_far_;
    while (near_[lowest_near_ % k_window].empty()) ++lowest_near_;
    return lowest_near_;
  }

  /// Returns whether the bucket is in the window, the range of buckets with vectors. If the bucket
  /// is in the window, `take` may be called for the bucket.
  bool is_near(std::uint64_t bucket) const { return bucket - base_ < k_window; }

  /// Moves all rows of a bucket to `to`. The memory of `to` is reused.
  void take(std::uint64_t bucket, list& to) {
    list& from = near_[bucket % k_window];
    waiting_near_ -= from.size();
    to.clear();
    to.swap(from);
  }

  /// Puts back rows that were taken from `bucket` and were not expanded.
  void give_back(std::uint64_t bucket, std::span<const waiting_row<Id>> rows) {
    list& to = near_[bucket % k_window];
    to.insert(to.end(), rows.begin(), rows.end());
    waiting_near_ += rows.size();
    lowest_near_ = std::min(lowest_near_, bucket);
  }

 private:
  static constexpr std::uint64_t k_window = 1024;

  void add(const waiting_row<Id>& one, std::uint64_t bucket) {
    if (bucket - base_ < k_window) {
      near_[bucket % k_window].push_back(one);
      lowest_near_ = waiting_near_++ == 0 ? bucket : std::min(lowest_near_, bucket);
    } else {
      far_.push_back(one);
      lowest_far_ = std::min(lowest_far_, bucket);
    }
  }

  std::vector<list> near_ = std::vector<list>(k_window);
  list far_;
  double buckets_a_unit_ = 1;
  std::uint64_t base_ = 0;
  std::uint64_t lowest_near_ = 0;  // buckets of the window with lower numbers have no rows
  std::uint64_t lowest_far_ = k_no_bucket;
  std::uint64_t waiting_near_ = 0;
};

}  // namespace atl::kernels::shortest_paths
