#pragma once
// The division of keys among PEs. The highest bits of a key select its bucket, and PEs get
// consecutive buckets. A border between two PEs usually lies between buckets. If a bucket is so
// large that PEs would get too unequal numbers of keys, the border lies within the bucket and is
// called a *cut*. A cut lies before a key of the bucket or, if one key is too frequent, between
// copies of this key. Copies are in the order of their PEs, and within a PE in the order of their
// positions. All PEs compute the same division.

#include "atoll/base/bits.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace atl::kernels::sort {

/// The shape of buckets: keys are below 2^bits, and the `bucket_bits` highest bits of a key are the
/// number of its bucket.
struct key_shape {
  unsigned bits = 1;
  unsigned bucket_bits = 1;

  unsigned shift() const { return bits - bucket_bits; }
  std::uint64_t buckets() const { return std::uint64_t{1} << bucket_bits; }
};

/// The place where the keys of a PE begin. If the border is a cut, the PE's first key is the copy
/// number `ties` of `key`, counted from 0. If the border is not a cut, the PE's first key is the
/// first key of `bucket`.
struct border {
  std::uint64_t bucket = 0;
  std::uint64_t rank = 0;  ///< rank of the first key among all keys
  bool is_cut = false;
  std::uint64_t key = 0;
  std::uint64_t ties = 0;
};

/// The division of the keys: a border per PE, and the pieces into which borders divide the buckets.
class division {
 public:
  /// A PE may have more keys than its equal share, by at most 1 / `k_tolerance` of the share.
  static constexpr std::uint64_t k_tolerance = 32;

  division() = default;
  /// Divides the keys among `pes` PEs. `counts` has the number of keys in each bucket, summed over
  /// all PEs. The constructor does not set the keys of borders within buckets (cuts), which
  /// `all_find_cuts` (cuts.hpp) finds.
  division(std::span<const std::uint64_t> counts, int pes) : bounds_(1), piece_begin_(1) {
    std::uint64_t all = 0;
    for (const std::uint64_t each : counts) all += each;
    const auto parts = static_cast<std::uint64_t>(pes);
    std::uint64_t bucket = 0, before = 0;
    for (std::uint64_t part = 1; part < parts; ++part) {
      const std::uint64_t target = share_begin(all, part, parts);
      while (bucket < counts.size() && before + counts[bucket] <= target)
        before += counts[bucket++];
      if (bucket == counts.size())
        bounds_.push_back({bucket, all});
      else
        bounds_.push_back(border_in(bucket, before, counts[bucket], target, all / parts));
    }
    buckets_ = counts.size();
    keys_ = all;
    settle();
  }

  /// If `all` keys are divided into `parts` equal parts, returns the index of the first key of part
  /// `part`.
  static std::uint64_t share_begin(std::uint64_t all, std::uint64_t part, std::uint64_t parts) {
    return all / parts * part + std::min(part, all % parts);
  }
  /// If `all` keys are divided among `parts` PEs, no PE gets more keys than the result.
  static std::uint64_t most_of_pe(std::uint64_t all, std::uint64_t parts) {
    return all / parts + 2 + 2 * (all / parts / k_tolerance);
  }

  /// Returns the borders. Element p tells where the keys of PE p begin.
  std::vector<border>& borders() { return bounds_; }
  const border& begin_of(int pe) const { return bounds_[static_cast<std::size_t>(pe)]; }
  bool has_cuts() const { return pieces() > buckets_; }
  std::uint64_t keys() const { return keys_; }

  /// Returns the number of pieces. A piece is one PE's part of a bucket. Pieces are numbered in the
  /// order of their keys.
  std::uint64_t pieces() const { return pieces_; }
  std::uint64_t piece_begin(int pe) const { return piece_begin_[static_cast<std::size_t>(pe)]; }
  std::uint64_t piece_end(int pe) const {
    const auto next = static_cast<std::size_t>(pe) + 1;
    return next < piece_begin_.size() ? piece_begin_[next] : pieces_;
  }
  /// Returns the bucket that contains the first piece (part of a bucket) of a PE. Each further
  /// piece of the PE is in the next bucket.
  std::uint64_t bucket_begin(int pe) const { return begin_of(pe).bucket; }

  /// Returns the PE to which the first copy of `key` belongs, even if no such key exists.
  int owner_of(std::uint64_t key, unsigned shift) const {
    int owner = 0;
    for (std::size_t pe = 1; pe < bounds_.size(); ++pe)
      if (begins_before(bounds_[pe], key, shift)) owner = static_cast<int>(pe);
    return owner;
  }

  /// Numbers the pieces, which are the PEs' parts of buckets, once the borders are known.
  void settle() {
    std::uint64_t cuts = 0;
    piece_begin_.clear();
    for (const border& each : bounds_) {
      cuts += each.is_cut ? 1 : 0;
      piece_begin_.push_back(each.bucket + cuts);
    }
    pieces_ = buckets_ + cuts;
  }

 private:
  static border border_in(std::uint64_t bucket, std::uint64_t before, std::uint64_t count,
                          std::uint64_t target, std::uint64_t share) {
    const std::uint64_t left = target - before;
    if (left == 0) return {bucket, before};
    if (count > share / k_tolerance) return {bucket, target, true, 0, left};
    if (left < count - left) return {bucket, before};
    return {bucket + 1, before + count};
  }

  static bool begins_before(const border& one, std::uint64_t key, unsigned shift) {
    const std::uint64_t bucket = key >> shift;
    if (one.bucket != bucket || !one.is_cut) return one.bucket <= bucket;
    return one.key < key || (one.key == key && one.ties == 0);
  }

  std::vector<border> bounds_;              // indexed by PE
  std::vector<std::uint64_t> piece_begin_;  // indexed by PE
  std::uint64_t buckets_ = 0, keys_ = 0, pieces_ = 0;
};

}  // namespace atl::kernels::sort
